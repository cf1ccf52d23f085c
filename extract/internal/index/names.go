package index

import (
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Notes that want the same name have a hash in it, each of them, and lose it when no other
// wants it any more.

// knowNames looks at the names that notes have.
func (n *Notes) knowNames() {
	if n.wanted != nil {
		return
	}
	n.wanted = map[string][]string{}
	for _, r := range n.Ledger.NoteFiles() {
		if r.State != ledger.MovedOut {
			n.wants(r.Path, r.ID)
		}
	}
}

func (n *Notes) wants(at, id string) {
	name := names.Wanted(at, id)
	if n.wanted != nil && !slices.Contains(n.wanted[name], id) {
		n.wanted[name] = append(n.wanted[name], id)
	}
}

// namedLike are the other notes that want the name of a path.
func (n *Notes) namedLike(at, id string) (out []ledger.NoteRow) {
	n.knowNames()
	name := names.Wanted(at, id)
	for _, other := range n.wanted[name] {
		if row, known := n.Ledger.Note(other); known && other != id && names.IsHashed(row.Type) && names.Wanted(row.Path, other) == name {
			out = append(out, row)
		}
	}
	return out
}

// ClaimName takes a name for a note and tells whether it is shared. Those that share it and do
// not show it get their names anew, but where their user gave them.
func (n *Notes) ClaimName(at, id string) bool {
	same := n.namedLike(at, id)
	for _, row := range same {
		if row.Path == row.AssignedPath && row.Path != names.WithHash(row.Path, row.ID) {
			n.Ledger.MarkDue(ledger.DueName, row.ID)
		}
	}
	n.wants(at, id)
	return len(same) > 0
}

// freeName has the notes named anew that want the name which a note had.
func (n *Notes) freeName(at, id string) {
	for _, r := range n.namedLike(at, id) {
		n.Ledger.MarkDue(ledger.DueName, r.ID)
	}
}
