package extract

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// tally is what a report needs to be added to another.
type tally struct {
	outcomes map[string]vault.Outcome // by id of the note
	held     map[string]bool          // paths of notes that were kept without having been rendered
}

// after adds the report of the pass before, so that each note counts once.
func (r *Report) after(first *Report) {
	r.ElapsedMS += first.ElapsedMS
	r.Rerendered += first.Rerendered
	r.Conflicts += first.Conflicts
	r.Notes.add(first.Notes)
	for id, was := range first.tally.outcomes {
		if now, twice := r.tally.outcomes[id]; twice {
			*r.Notes.of(was)--
			*r.Notes.of(now)--
			*r.Notes.of(afterAll(was, now))++
		}
	}
	for path := range first.tally.held {
		if r.tally.held[path] {
			r.Notes.Kept--
		}
	}
	mended := func(q Problem) bool {
		now, again := r.tally.outcomes[q.Item]
		return again && now != vault.Failed
	}
	r.Problems = union(slices.DeleteFunc(slices.Clone(first.Problems), mended), r.Problems, func(q Problem) string { return q.Source + q.Item + q.Path + q.Error })
	r.Kept = union(first.Kept, r.Kept, func(k KeptNote) string { return k.Note })
	r.Partial = union(first.Partial, r.Partial, func(s PartialSession) string { return s.Session })
	r.Changed = changes(first.Changed, r.Changed)
}

// union joins two lists in the order of their keys; what is in both is taken
// from the second.
func union[T any](first, second []T, key func(T) string) []T {
	out := slices.Clone(second)
	in := map[string]bool{}
	for _, one := range second {
		in[key(one)] = true
	}
	for _, one := range first {
		if !in[key(one)] {
			out = append(out, one)
		}
	}
	slices.SortStableFunc(out, func(a, b T) int { return strings.Compare(key(a), key(b)) })
	return out
}

// changes joins what two passes changed, one after the other: a note that was
// written more than once is named once.
func changes(first, second []Change) []Change {
	out := make([]Change, 0, len(first)+len(second))
	at := map[string]int{}
	for _, c := range slices.Concat(first, second) {
		i, twice := at[c.Note]
		if !twice || c.Outcome == string(vault.Moved) {
			if c.Outcome != string(vault.Moved) {
				at[c.Note] = len(out)
			}
			out = append(out, c)
			continue
		}
		out[i].Outcome = string(afterAll(vault.Outcome(out[i].Outcome), vault.Outcome(c.Outcome)))
		out[i].New, out[i].Wanted = c.New, c.Wanted
	}
	slices.SortStableFunc(out, func(a, b Change) int { return strings.Compare(a.Note, b.Note) })
	return out
}

// of is the counter of an outcome; counts of others than the known ones lead
// nowhere.
func (n *NoteCounts) of(o vault.Outcome) *int {
	counters := map[vault.Outcome]*int{
		vault.Created: &n.Created, vault.Updated: &n.Updated, vault.Merged: &n.Merged, vault.Kept: &n.Kept,
		vault.Unchanged: &n.Unchanged, vault.Moved: &n.Moved, vault.Removed: &n.Removed, vault.Failed: &n.Failed,
	}
	if c := counters[o]; c != nil {
		return c
	}
	return new(int)
}

// count enters what became of the notes.
func (n *NoteCounts) count(outcomes map[string]vault.Outcome) {
	for _, o := range outcomes {
		*n.of(o)++
	}
}

func (n *NoteCounts) add(m NoteCounts) {
	n.Created += m.Created
	n.Updated += m.Updated
	n.Merged += m.Merged
	n.Kept += m.Kept
	n.Unchanged += m.Unchanged
	n.Moved += m.Moved
	n.Tombstoned += m.Tombstoned
	n.Removed += m.Removed
	n.Failed += m.Failed
}

// countSessions completes the counts of sessions, also while no source moves.
func (p *pass) countSessions() (err error) {
	c := &p.report.Sessions
	c.Unchanged = c.Listed - c.New - c.Changed - c.Failed
	if c.Empty, err = p.countEmpty(); err != nil {
		return err
	}
	if p.report.LeftTo, err = p.leftToOthers(); err != nil {
		return err
	}
	p.report.StoreOnly, err = p.Ledger.RowsOnly()
	return err
}

// countEmpty counts the sessions without anything to show, unless the count of an
// earlier pass still holds.
func (p *pass) countEmpty() (int, error) {
	value, err := p.Ledger.Value(ledger.Empty)
	if err != nil {
		return 0, err
	}
	if n, err := strconv.Atoi(string(value)); err == nil {
		return n, nil
	}
	n, err := p.Ledger.EmptySessions()
	p.marks[ledger.Empty] = []byte(strconv.Itoa(n))
	return n, err
}
