package index

import (
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Notes that want the same name have a hash in it, each of them, and lose it when no other
// wants it any more, whatever the reason.

// wantedBy is the name that a note wants, empty where its name is of no interest.
func wantedBy(row ledger.NoteRow) string {
	if row.State == ledger.MovedOut || !names.IsHashed(row.Type) {
		return ""
	}
	return names.Wanted(row.Path, row.ID)
}

// knowNames looks at the names that notes have.
func (n *Notes) knowNames() {
	if n.wanted != nil {
		return
	}
	n.wanted = map[string][]string{}
	for _, r := range n.Ledger.NoteFiles() {
		n.wants(names.Wanted(r.Path, r.ID), r.ID)
	}
}

func (n *Notes) wants(name, id string) {
	if n.wanted != nil && !slices.Contains(n.wanted[name], id) {
		n.wanted[name] = append(n.wanted[name], id)
	}
}

// others are the notes beside one that want a name.
func (n *Notes) others(name, id string) (out []ledger.NoteRow) {
	if name == "" {
		return nil
	}
	n.knowNames()
	for _, other := range n.wanted[name] {
		if row, known := n.Ledger.Note(other); known && other != id && wantedBy(row) == name {
			out = append(out, row)
		}
	}
	return out
}

// SharesName tells whether another note wants the name that a path gives to one.
func (n *Notes) SharesName(at, id string) bool {
	return len(n.others(names.Wanted(at, id), id)) > 0
}

// wantsNow has a note that wanted one name want another one, either of them empty. Who shares
// that and has no hash is named anew, and who is left alone with the other.
func (n *Notes) wantsNow(id, before, now string) {
	if before == now {
		return
	}
	for _, row := range n.others(now, id) {
		if row.Path != names.WithHash(row.Path, row.ID) {
			n.Ledger.MarkDue(ledger.DueName, row.ID)
		}
	}
	if left := n.others(before, id); len(left) == 1 {
		n.Ledger.MarkDue(ledger.DueName, left[0].ID)
	}
	n.wants(now, id)
}
