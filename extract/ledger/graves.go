package ledger

// Grave names a note that the user deleted. The tombstone in the vault is what
// counts; the ledger only remembers its name.
type Grave struct {
	ID   string `json:"id"`
	Path string `json:"note"` // where it lay, from the managed folder
}

// PutGrave remembers a deleted note.
func (l *Ledger) PutGrave(g Grave) error {
	return l.run("INSERT OR REPLACE INTO tombstones(id, path) VALUES(?,?)", g.ID, g.Path)
}

// DropGrave forgets a deleted note that was brought back.
func (l *Ledger) DropGrave(id string) error { return l.run("DELETE FROM tombstones WHERE id=?", id) }

// Graves returns the deleted notes that are remembered, by path.
func (l *Ledger) Graves() ([]Grave, error) {
	return list(l, func(g *Grave) []any { return []any{&g.ID, &g.Path} }, "SELECT id, path FROM tombstones ORDER BY path, id")
}
