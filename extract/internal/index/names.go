package index

import (
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Notes that want the same name have a hash in it, each of them, and lose it when no other
// wants it any more. Where a note begins or ceases to want a name, whatever the reason, the
// others that want it are named anew.

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

// others are the ids of the notes beside one that want a name.
func (n *Notes) others(name, id string) (ids []string) {
	n.knowNames()
	for _, other := range n.wanted[name] {
		if row, known := n.Ledger.Note(other); known && other != id && wantedBy(row) == name {
			ids = append(ids, other)
		}
	}
	return ids
}

// SharesName tells whether another note wants the name that a path gives to one.
func (n *Notes) SharesName(at, id string) bool {
	return len(n.others(names.Wanted(at, id), id)) > 0
}

// wantsNow has a note that wanted one name want another one, either of them empty.
func (n *Notes) wantsNow(id, before, now string) {
	if before == now {
		return
	}
	for _, name := range []string{before, now} {
		if name == "" {
			continue
		}
		for _, other := range n.others(name, id) {
			n.Ledger.MarkDue(ledger.DueName, other)
		}
	}
	n.wants(now, id)
}
