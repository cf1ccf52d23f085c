package ledger

import "database/sql"

// Grave names a note that the user deleted. The tombstone in the vault is what
// counts; the ledger only remembers its name.
type Grave struct {
	ID   string `json:"id"`
	Path string `json:"note"` // where it lay, from the managed folder
}

// PutGrave remembers a deleted note.
func (l *Ledger) PutGrave(g Grave) error {
	return l.run("INSERT OR REPLACE INTO graves(id, path) VALUES(?,?)", g.ID, g.Path)
}

// DropGrave forgets a deleted note that was brought back.
func (l *Ledger) DropGrave(id string) error { return l.run("DELETE FROM graves WHERE id=?", id) }

// Graves returns the deleted notes that are remembered, by path.
func (l *Ledger) Graves() ([]Grave, error) {
	var out []Grave
	err := l.each(func(r *sql.Rows) error {
		var g Grave
		err := r.Scan(&g.ID, &g.Path)
		out = append(out, g)
		return err
	}, "SELECT id, path FROM graves ORDER BY path, id")
	return out, err
}
