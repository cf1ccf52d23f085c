package verify

import "github.com/sessionloom/sessionloom/vault/inspect"

// hintTo says what a person can do about a finding.
func hintTo(kind string) string {
	switch kind {
	case inspect.FindingMarkers, inspect.FindingNoID:
		return "sessionloom check --repair mends what can be told for sure; else bring the note back from version control, or delete it and run sessionloom restore with its id"
	case inspect.FindingDamaged:
		return "sessionloom check --repair brings it back where nothing of yours is in it; else take it from a backup"
	case inspect.FindingConflict:
		return "resolve the conflict; until then the note is left as it is"
	case inspect.FindingFront:
		return "repair the properties at the top of the note; until then it is left as it is"
	case inspect.FindingDuplicate:
		return "delete or move out all but one of them, or take the id out of the copies; until then none is written"
	case inspect.FindingLink:
		return "sessionloom sync renews the links of notes that were moved or deleted, check --repair those of others"
	case inspect.FindingBack:
		return "sessionloom check --repair renews the links of the note"
	case inspect.FindingLive:
		return "do not open the note in an editor that runs what is in it; sessionloom check --repair writes it anew"
	case inspect.FindingSecret:
		return "sessionloom check --repair writes anew what is ours; in a line that you edited take it out yourself, or have the session forgotten"
	case inspect.FindingName:
		return "give the note another name; it is followed by its id"
	case inspect.FindingRescued:
		return "look at it, take over what you need, then delete it"
	case inspect.FindingLeftover:
		return "sessionloom sync clears it away, or puts it aside where it holds your text"
	case inspect.FindingUnreadable:
		return "make it readable for this user"
	case inspect.FindingFile:
		return "sessionloom check --repair puts it aside and writes it anew where it is ours"
	case inspect.FindingUnexpected:
		return "a copy of a sync program may be deleted; nothing here is read but our own records"
	case findingSettings:
		return "correct the file: until then nothing is written"
	case findingOpen:
		return "sessionloom check --repair closes it; the texts of all transcripts lie there"
	case findingTombstone:
		return "delete it again, or run sessionloom restore with its id"
	}
	return "sessionloom check --repair reads everything anew and mends what is remembered"
}
