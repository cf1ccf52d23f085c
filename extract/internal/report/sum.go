package report

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault"
)

// tally is what a report needs to be added to another.
type tally struct {
	outcomes map[string]vault.Outcome // by id of the note
	held     map[string]bool          // paths of notes that were kept without having been rendered
}

// Add adds the report of the run before, so that each note counts once.
func (r *Report) Add(first *Report) {
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

// changes joins what two runs changed, one after the other: a note that was
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

// Count enters what became of notes.
func (n *NoteCounts) Count(outcomes map[string]vault.Outcome) {
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

// TakeIn adds what an earlier run read, of which this one found nothing new.
func (r *Report) TakeIn(read Report) {
	r.ElapsedMS += read.ElapsedMS
	excluded := r.Sessions.Excluded
	r.Sessions, r.Sources, r.Redactions = read.Sessions, read.Sources, read.Redactions
	r.Sessions.Excluded = excluded
	r.Conflicts = max(r.Conflicts, read.Conflicts)
	for _, p := range read.Partial {
		if !slices.ContainsFunc(r.Partial, func(q PartialSession) bool { return q.Session == p.Session }) {
			r.Partial = append(r.Partial, p)
		}
	}
	for _, p := range read.Problems { // what failed was tried again and failed again
		if !slices.Contains(r.Problems, p) {
			r.Problems = append(r.Problems, p)
		}
	}
}
