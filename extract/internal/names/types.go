package names

// Types of notes, as they stand in the property `type`.
const (
	TypeSession    = "session"
	TypePart       = "session-part"
	TypeCheckpoint = "checkpoint"
	TypeMemory     = "memory"
	TypeProject    = "project"
	TypeFile       = "file"
	TypeDay        = "day"
	TypeWeek       = "week"
	TypeHome       = "home"
	TypeThreads    = "threads"
)

// NoteTypes are the types of all notes.
func NoteTypes() []string {
	return []string{TypeSession, TypePart, TypeCheckpoint, TypeMemory, TypeProject, TypeFile, TypeDay, TypeWeek, TypeHome, TypeThreads}
}

// Kinds of files of ours that are no notes, at the start of their ids.
const (
	TypeBase    = "base"
	TypeCanvas  = "canvas"
	TypePicture = "attachment"
)
