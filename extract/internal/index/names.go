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

// putRow stores a row with the key by which the others that want its name are found.
func (n *Notes) putRow(row ledger.NoteRow, known bool) {
	if name := wantedBy(row); name != "" {
		row.Keys = append(slices.Clip(row.Keys), nameKey(name))
	}
	n.Ledger.PutNote(row, known)
}

func nameKey(name string) string { return "name:" + name }

// Announce stores the row of a note that is about to come.
func (n *Notes) Announce(row ledger.NoteRow) { n.putRow(row, false) }

// others are the notes beside one that want a name.
func (n *Notes) others(name, id string) (out []ledger.NoteRow) {
	if name == "" {
		return nil
	}
	for _, other := range n.Ledger.IDsWithKey(nameKey(name)) {
		if other == id {
			continue
		}
		if row, known := n.Ledger.Note(other); known && wantedBy(row) == name {
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
}
