package session

import (
	"cmp"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// mergeCheckpoints unites by number. Sections missing in one layer are filled
// from the next, unless that one speaks of another checkpoint.
func (m *merger) mergeCheckpoints() {
	var all checkpointList
	for i := range m.layers {
		if !m.believedSidecar(i) {
			continue
		}
		for _, c := range m.session(i).Checkpoints {
			more, conflict := all.add(c)
			if conflict {
				m.conflicts++
			}
			if more {
				m.use(i)
			}
		}
	}
	for n := -1; n != len(all.list); { // one that was filled may have become another's double
		n = len(all.list)
		var again checkpointList
		for _, c := range all.list {
			again.add(c)
		}
		all = again
	}
	list := all.list
	slices.SortStableFunc(list, func(a, b sources.Checkpoint) int { return cmp.Compare(a.Number, b.Number) })
	m.out.Checkpoints = dateCheckpoints(list, lastTurnTime(m.out.Turns))
}

// checkpointList holds each checkpoint once: it is the same by number, or by
// content where the numbers of two ways of storing it differ.
type checkpointList struct {
	list   []sources.Checkpoint
	number map[int]int       // number → first index in list
	text   map[[2]string]int // overview and work done → first index in list
}

// add appends c or completes the one it is; more tells whether the list knows
// more now.
func (l *checkpointList) add(c sources.Checkpoint) (more, conflict bool) {
	k, ok := l.find(c)
	if !ok {
		l.list = append(l.list, c)
		l.index(len(l.list) - 1)
		return true, false
	}
	filled, conflict := fillCheckpoint(l.list[k], c)
	if more = filled != l.list[k]; more {
		l.list[k] = filled
		l.index(k)
	}
	return more, conflict
}

// find gives the first one that is the same as c.
func (l *checkpointList) find(c sources.Checkpoint) (int, bool) {
	k, ok := l.number[c.Number]
	if text, told := checkpointText(c); told {
		if j, same := l.text[text]; same && (!ok || j < k) {
			return j, true
		}
	}
	return k, ok
}

// index notes by what the k-th one is found; earlier ones go first.
func (l *checkpointList) index(k int) {
	if l.number == nil {
		l.number, l.text = map[int]int{}, map[[2]string]int{}
	}
	c := l.list[k]
	if at, ok := l.number[c.Number]; !ok || k < at {
		l.number[c.Number] = k
	}
	if text, told := checkpointText(c); told {
		if at, ok := l.text[text]; !ok || k < at {
			l.text[text] = k
		}
	}
}

// checkpointText is by what a checkpoint with another number is known.
func checkpointText(c sources.Checkpoint) (text [2]string, told bool) {
	return [2]string{texts.OneLine(c.Overview), texts.OneLine(c.WorkDone)}, c.Overview != "" && c.WorkDone != ""
}

// fillCheckpoint completes a by b. Where the texts show that the number was
// used twice, a stays as it is.
func fillCheckpoint(a, b sources.Checkpoint) (c sources.Checkpoint, conflict bool) {
	c = a
	if a.Overview != "" && b.Overview != "" && texts.OneLine(a.Overview) != texts.OneLine(b.Overview) {
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
