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

// PutRow stores a row with the keys by which the others that want its name, and those of them that
// have no hash, are found.
func (n *Notes) PutRow(row ledger.NoteRow, known bool) {
	if name := wantedBy(row); name != "" {
		row.Keys = append(slices.Clip(row.Keys), nameKey(name))
		if row.Path != names.WithHash(row.Path, row.ID) {
			row.Keys = append(row.Keys, shortKey(name))
		}
	}
	n.Ledger.PutNote(row, known)
}

func nameKey(name string) string { return "name:" + name }

func shortKey(name string) string { return "short:" + name }

// others are the ids of at most n notes beside one that have a key.
func (n *Notes) others(key, id string, most int) []string {
	ids := slices.DeleteFunc(n.Ledger.SomeWithKey(key, most+1), func(other string) bool { return other == id })
	return ids[:min(most, len(ids))]
}

// SharesName tells whether another note wants the name that a path gives to one.
func (n *Notes) SharesName(at, id string) bool {
	name := names.Wanted(at, id)
	return name != "" && len(n.others(nameKey(name), id, 1)) > 0
}

// wantsNow has a note that wanted one name want another one, either of them empty. Who shares
// that and has no hash is named anew, and who is left alone with the other.
func (n *Notes) wantsNow(id, before, now string) {
	if before == now {
		return
	}
	if now != "" {
		for _, other := range n.others(shortKey(now), id, 1) { // of several that have none the others were told before
			n.Ledger.MarkDue(ledger.DueName, other)
		}
	}
	if before != "" {
		if left := n.others(nameKey(before), id, 2); len(left) == 1 {
			n.Ledger.MarkDue(ledger.DueName, left[0])
		}
	}
}
