package extract

import (
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/extract/ledger"
)

// dueSet is what is still to be rendered, in memory and in the ledger alike.
type dueSet struct {
	ledger *ledger.Ledger
	kinds  map[string]map[string]bool
	again  map[string]bool // by kind and id: what became due once more since watch
}

func loadDue(l *ledger.Ledger) (*dueSet, error) {
	d := &dueSet{ledger: l, kinds: map[string]map[string]bool{}}
	for _, kind := range []string{ledger.DueSession, ledger.DuePage, ledger.DueNav} {
		ids, err := l.Due(kind)
		if err != nil {
			return nil, err
		}
		d.kinds[kind] = make(map[string]bool, len(ids))
		for _, id := range ids {
			d.kinds[kind][id] = true
		}
	}
	return d, nil
}

// watch begins to note what becomes due, be it due already.
func (d *dueSet) watch() { d.again = map[string]bool{} }

func (d *dueSet) mark(kind, id string) error {
	if id == "" {
		return nil
	}
	if d.again != nil {
		d.again[kind+id] = true
	}
	if d.kinds[kind][id] {
		return nil
	}
	d.kinds[kind][id] = true
	return d.ledger.MarkDue(kind, id)
}

func (d *dueSet) done(kind, id string) error {
	if !d.kinds[kind][id] {
		return nil
	}
	delete(d.kinds[kind], id)
	return d.ledger.Done(kind, id)
}

func (d *dueSet) has(kind, id string) bool { return d.kinds[kind][id] }

func (d *dueSet) list(kind string) []string { return slices.Sorted(maps.Keys(d.kinds[kind])) }

func (d *dueSet) empty() bool {
	for _, ids := range d.kinds {
		if len(ids) > 0 {
			return false
		}
	}
	return true
}
