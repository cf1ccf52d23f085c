package ledger

import (
	"github.com/klauspost/compress/s2"
)

// NoteState is the state of a note's file.
type NoteState int

// The states of a note.
const (
	Planned    NoteState = iota // about to be written in this or an interrupted run
	Present                     // in the managed folder
	MovedOut                    // moved elsewhere in the vault by the user; Path is relative to the vault's root
	Unwritable                  // in the folder, but must not be written, see Reason
	Removing                    // about to be removed, so that its absence is not a person's deletion
)

// IsInFolder reports whether a note is in the managed folder and may be written.
func (s NoteState) IsInFolder() bool { return s == Present || s == Removing }

// NoteRow is the row of a note.
type NoteRow struct {
	ID           string
	Path         string // relative to the managed folder; if MovedOut, to the vault's root
	AssignedPath string // our path; elsewhere its user moved it. Empty: unknown
	Type         string
	Session      string // id of its session, empty for pages
	Project      string // key
	Created      string // RFC 3339, UTC
	Updated      string
	Stamp        [4]int64 // size, mtime, ctime, inode
	Hash         string
	State        NoteState
	Reason       string // why the user's version was kept, or how it is broken
	RejectedHash string // generated text that was last refused
	Facts        []byte
	Keys         []string // written with PutNote, not read back
}

var notes = table[NoteRow]{"notes", "id, path, assigned_path, type, session, project, created, updated, size, mtime, ctime, inode, hash, state, " +
	"kept_reason, rejected_hash, facts", func(n *NoteRow) []any {
	return []any{&n.ID, &n.Path, &n.AssignedPath, &n.Type, &n.Session, &n.Project, &n.Created, &n.Updated,
		&n.Stamp[0], &n.Stamp[1], &n.Stamp[2], &n.Stamp[3], &n.Hash, &n.State, &n.Reason, &n.RejectedHash, &n.Facts}
}}

// PutNote stores a note with its keys. dropKeys says that an earlier row may have other keys.
func (l *Ledger) PutNote(n NoteRow, dropKeys bool) {
	if dropKeys {
		l.run("DELETE FROM note_index WHERE note=?", n.ID)
	}
	notes.put(l, n)
	for _, k := range n.Keys {
		l.run("INSERT OR IGNORE INTO note_index(key, note) VALUES(?,?)", k, n.ID)
	}
}

// RecordWritten records that a planned note with these facts was written: all columns that depend on the
// writing.
func (l *Ledger) RecordWritten(n NoteRow) {
	l.run("UPDATE notes SET path=?, size=?, mtime=?, ctime=?, inode=?, hash=?, state=?, kept_reason=?, rejected_hash=? WHERE id=?",
		n.Path, n.Stamp[0], n.Stamp[1], n.Stamp[2], n.Stamp[3], n.Hash, int(Present), n.Reason, n.RejectedHash, n.ID)
}

// SetState changes only the state of a note's file.
func (l *Ledger) SetState(id string, state NoteState) {
	l.run("UPDATE notes SET state=? WHERE id=?", int(state), id)
}

// SetAssignedPath records that we put a note at another path.
func (l *Ledger) SetAssignedPath(id, home string) {
	l.run("UPDATE notes SET assigned_path=? WHERE id=?", home, id)
}

// SetReason changes only the reason why the user's version of a note is kept.
func (l *Ledger) SetReason(id, reason string) {
	l.run("UPDATE notes SET kept_reason=? WHERE id=?", reason, id)
}

// DropNote forgets a note.
func (l *Ledger) DropNote(id string) {
	l.run("DELETE FROM note_index WHERE note=?", id)
	l.DropBases(id)
	l.run("DELETE FROM notes WHERE id=?", id)
}

// Note returns a note, or false.
func (l *Ledger) Note(id string) (NoteRow, bool) {
	return notes.row(l, "WHERE id=?", id)
}

// NoteAt returns the note at a path of the managed folder, or false.
func (l *Ledger) NoteAt(path string) (NoteRow, bool) {
	return notes.row(l, "WHERE path=? AND state<>? ORDER BY id LIMIT 1", path, int(MovedOut))
}

// NoteFiles returns the data of all notes that a scan of the vault is compared with, by path.
func (l *Ledger) NoteFiles() []NoteRow {
	return list(l, func(n *NoteRow) []any {
		return []any{&n.ID, &n.Path, &n.Stamp[0], &n.Stamp[1], &n.Stamp[2], &n.Stamp[3], &n.State}
	}, "SELECT id, path, size, mtime, ctime, inode, state FROM notes ORDER BY path")
}

// NotesOfSession returns the notes of one session.
func (l *Ledger) NotesOfSession(session string) []NoteRow {
	return notes.rows(l, "WHERE session=? ORDER BY id", session)
}

// SessionsOfProject returns the ids of the sessions that have a note in a project other than their own note.
func (l *Ledger) SessionsOfProject(project string) []string {
	return l.texts("SELECT DISTINCT session FROM notes WHERE project=? AND session<>'' ORDER BY session", project)
}

// NotesOfProject returns the notes of one type in a project.
func (l *Ledger) NotesOfProject(project, typ string) []NoteRow {
	return notes.rows(l, "WHERE project=? AND type=? ORDER BY created, id", project, typ)
}

// NotesOfType returns all notes of a type.
func (l *Ledger) NotesOfType(typ string) []NoteRow {
	return notes.rows(l, "WHERE type=? ORDER BY id", typ)
}

// Count returns the number of notes of a type, with the first and last time.
func (l *Ledger) Count(typ string) (n int, first, last string) {
	l.one([]any{&n, &first, &last},
		"SELECT count(*), coalesce(min(nullif(created,'')),''), coalesce(max(updated),'') FROM notes WHERE type=?", typ)
	return n, first, last
}

// NotesWithKey returns the notes that carry a key.
func (l *Ledger) NotesWithKey(key string) []NoteRow {
	return notes.rows(l, "WHERE id IN (SELECT note FROM note_index WHERE key=?) ORDER BY created, id", key)
}

// IDsWithKey returns the ids of the notes that carry a key.
func (l *Ledger) IDsWithKey(key string) []string {
	return l.texts("SELECT note FROM note_index WHERE key=?", key)
}

// SomeWithKey returns at most n of these ids.
func (l *Ledger) SomeWithKey(key string, n int) []string {
	return l.texts("SELECT note FROM note_index WHERE key=? LIMIT ?", key, n)
}

// NeighbourKeys returns the nearest keys with this prefix before and after key.
func (l *Ledger) NeighbourKeys(prefix, key string) (before, after string) {
	l.one([]any{&before}, "SELECT coalesce(max(key),'') FROM note_index WHERE key>=? AND key<?", prefix, key)
	l.one([]any{&after}, "SELECT coalesce(min(key),'') FROM note_index WHERE key>? AND key<?", key, prefix+"\xff")
	return before, after
}

// LastKeys returns the last keys with this prefix, the last first.
func (l *Ledger) LastKeys(prefix string, limit int) []string {
	return l.texts("SELECT DISTINCT key FROM note_index WHERE key>=? AND key<? ORDER BY key DESC LIMIT ?", prefix, prefix+"\xff", limit)
}

// NotesInState returns the notes that are MovedOut, Unwritable or Removing, or, for Present, those whose
// user's version was kept.
func (l *Ledger) NotesInState(state NoteState) []NoteRow {
	if state == Present {
		return notes.rows(l, "WHERE state=? AND kept_reason<>'' ORDER BY path", int(state))
	}
	return notes.rows(l, "WHERE state>1 AND state=? ORDER BY path", int(state))
}

// Pages are made from facts: a page needs hundreds of them, so the rest of the rows is not read.

// FactsWithKey returns the facts of the notes that carry a key.
func (l *Ledger) FactsWithKey(key string) [][]byte {
	return l.noteFacts("WHERE id IN (SELECT note FROM note_index WHERE key=?) ORDER BY created, id", key)
}

// FactsOfProject returns the facts of the notes of one type in a project.
func (l *Ledger) FactsOfProject(project, typ string) [][]byte {
	return l.noteFacts("WHERE project=? AND type=? ORDER BY created, id", project, typ)
}

// FactsBetween returns such facts of notes created between two times.
func (l *Ledger) FactsBetween(project, typ, from, to string) [][]byte {
	return l.noteFacts("WHERE project=? AND type=? AND created>=? AND created<? ORDER BY created, id", project, typ, from, to)
}

// LatestFacts returns the facts of the last updated notes of a type, newest first.
func (l *Ledger) LatestFacts(typ string, n int) [][]byte {
	return l.noteFacts("WHERE type=? ORDER BY updated DESC, id LIMIT ?", typ, n)
}

func (l *Ledger) noteFacts(where string, args ...any) [][]byte {
	return list(l, func(b *[]byte) []any { return []any{b} }, "SELECT facts FROM notes "+where, args...)
}

// PutBases stores, packed, the texts of a note's regions as last read or written: the base of a merge with
// the user's edits. nil leaves the stored one.
func (l *Ledger) PutBases(note string, body, nav *string) {
	if body == nil && nav == nil {
		return
	}
	l.run("INSERT INTO merge_bases(note, body, nav) VALUES(?,?,?) "+
		"ON CONFLICT(note) DO UPDATE SET body=coalesce(excluded.body, body), nav=coalesce(excluded.nav, nav)", note, packText(body), packText(nav))
}

// Bases returns the texts of PutBases, nil if unknown or unreadable.
func (l *Ledger) Bases(note string) (body, nav *string) {
	var packed [2][]byte
	l.one([]any{&packed[0], &packed[1]}, "SELECT body, nav FROM merge_bases WHERE note=?", note)
	return unpackText(packed[0]), unpackText(packed[1])
}

// DropBases forgets the texts of PutBases.
func (l *Ledger) DropBases(note string) { l.run("DELETE FROM merge_bases WHERE note=?", note) }

func packText(text *string) []byte {
	if text == nil {
		return nil
	}
	return s2.Encode(nil, []byte(*text))
}

func unpackText(packed []byte) *string {
	plain, err := s2.Decode(nil, packed)
	if err != nil {
		return nil
	}
	text := string(plain)
	return &text
}
