package extract

import (
	"cmp"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// mergeCheckpoints unites by number. Sections missing in one layer are filled
// from the next, unless that one speaks of another checkpoint.
func (m *merger) mergeCheckpoints() {
	var list []sources.Checkpoint
	for i := range m.layers {
		if !m.believedSidecar(i) {
			continue
		}
		for _, c := range m.session(i).Checkpoints {
			if slices.Contains(m.out.Inherited.Checkpoints, c.Number) {
				continue
			}
			with, more, conflict := withCheckpoint(list, c)
			list = with
			m.conflicts += boolCount(conflict)
			if more {
				m.use(i)
			}
		}
	}
	for n := -1; n != len(list); { // one that was filled may have become another's double
		n = len(list)
		var again []sources.Checkpoint
		for _, c := range list {
			again, _, _ = withCheckpoint(again, c)
		}
		list = again
	}
	slices.SortStableFunc(list, func(a, b sources.Checkpoint) int { return cmp.Compare(a.Number, b.Number) })
	m.out.Checkpoints = dateCheckpoints(list, lastTurnTime(m.out.Turns))
}

// withCheckpoint adds c to the list or completes the one it is; more tells
// whether the list knows more now.
func withCheckpoint(list []sources.Checkpoint, c sources.Checkpoint) (with []sources.Checkpoint, more, conflict bool) {
	k := slices.IndexFunc(list, func(have sources.Checkpoint) bool { return sameCheckpoint(have, c) })
	if k < 0 {
		return append(list, c), true, false
	}
	filled, conflict := fillCheckpoint(list[k], c)
	more = filled != list[k]
	list[k] = filled
	return list, more, conflict
}

// sameCheckpoint compares by number, or by content where the numbers of two
// ways of storing it differ.
func sameCheckpoint(a, b sources.Checkpoint) bool {
	if a.Number == b.Number {
		return true
	}
	return a.Overview != "" && a.WorkDone != "" &&
		oneLine(a.Overview) == oneLine(b.Overview) && oneLine(a.WorkDone) == oneLine(b.WorkDone)
}

// fillCheckpoint completes a by b. Where the texts show that the number was
// used twice, a stays as it is.
func fillCheckpoint(a, b sources.Checkpoint) (c sources.Checkpoint, conflict bool) {
	c = a
	if a.Overview != "" && b.Overview != "" && oneLine(a.Overview) != oneLine(b.Overview) {
		return c, true
	}
	if c.At.IsZero() {
		c.At = b.At
	}
	c.Title = cmp.Or(c.Title, b.Title)
	if c.Raw == "" {
		c.Overview = cmp.Or(c.Overview, b.Overview)
		c.History = cmp.Or(c.History, b.History)
		c.WorkDone = cmp.Or(c.WorkDone, b.WorkDone)
		c.Technical = cmp.Or(c.Technical, b.Technical)
		c.Important = cmp.Or(c.Important, b.Important)
		c.NextSteps = cmp.Or(c.NextSteps, b.NextSteps)
	}
	if c.Overview+c.History+c.WorkDone+c.Technical+c.Important+c.NextSteps == "" {
		c.Raw = cmp.Or(c.Raw, b.Raw)
	}
	return c, false
}

// dateCheckpoints gives one without time that of the next, the last one that of
// the session's last turn.
func dateCheckpoints(list []sources.Checkpoint, last time.Time) []sources.Checkpoint {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].At.IsZero() {
			list[i].At = last
		}
		last = list[i].At
	}
	return list
}
