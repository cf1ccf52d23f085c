package ledger

// What pages are made of is the facts of notes alone: a page asks for hundreds of
// them, so the rest of their rows is not read.

// FactsWithKey returns the facts of the notes that carry a key.
func (l *Ledger) FactsWithKey(key string) ([][]byte, error) {
	return l.noteFacts("WHERE id IN (SELECT note FROM note_index WHERE key=?) ORDER BY created, id", key)
}

// FactsOfProject returns the facts of the notes of one type in a project.
func (l *Ledger) FactsOfProject(project, typ string) ([][]byte, error) {
	return l.noteFacts("WHERE project=? AND type=? ORDER BY created, id", project, typ)
}

// LatestFacts returns the facts of the notes of a type that were updated last, newest
// first.
func (l *Ledger) LatestFacts(typ string, n int) ([][]byte, error) {
	return l.noteFacts("WHERE type=? ORDER BY updated DESC, id LIMIT ?", typ, n)
}

func (l *Ledger) noteFacts(where string, args ...any) ([][]byte, error) {
	return list(l, func(b *[]byte) []any { return []any{b} }, "SELECT facts FROM notes "+where, args...)
}
