package ledger

// Tombstone names a note that the user deleted. The tombstone in the vault is what
// counts; the ledger only remembers its name.
type Tombstone struct {
	ID   string `json:"id"`
	Path string `json:"note"` // where it lay, from the managed folder
}

// AddTombstone remembers a deleted note.
func (l *Ledger) AddTombstone(g Tombstone) error {
	return l.run("INSERT OR REPLACE INTO tombstones(id, path) VALUES(?,?)", g.ID, g.Path)
}

// RemoveTombstone forgets a deleted note that was brought back.
func (l *Ledger) RemoveTombstone(id string) error {
	return l.run("DELETE FROM tombstones WHERE id=?", id)
}

// Tombstones returns the deleted notes that are remembered, by path.
func (l *Ledger) Tombstones() ([]Tombstone, error) {
	return list(l, func(g *Tombstone) []any { return []any{&g.ID, &g.Path} }, "SELECT id, path FROM tombstones ORDER BY path, id")
}
