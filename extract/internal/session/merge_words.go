package session

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// mergeTitle uses the most trusted title. A title that is only the first prompt, or a cut of it, gives way to
// that prompt's own first line.
func (m *merger) mergeTitle() {
	prompt := content.FirstPrompt(m.out.Turns)
	best, trust := -1, sources.TrustNone
	for i := range m.layers {
		s := m.session(i)
		if strings.TrimSpace(s.Title) == "" {
			continue
		}
		t := max(s.TitleFrom, sources.TrustPrompt)
		if t < sources.TrustCustom && isCutOf(s.Title, prompt) {
			t = sources.TrustPrompt
		}
		if t > trust {
			best, trust = i, t
		}
	}
	switch {
	case trust > sources.TrustPrompt:
		m.out.Title, m.out.TitleFrom = texts.OneLine(m.session(best).Title), trust
		m.use(best)
	case texts.FirstLine(prompt) != "":
		m.out.Title, m.out.TitleFrom = texts.CutWords(texts.FirstLine(prompt), titleLimit), sources.TrustPrompt
	case best >= 0:
		m.out.Title, m.out.TitleFrom = texts.CutWords(texts.FirstLine(m.session(best).Title), titleLimit), sources.TrustPrompt
		m.use(best)
	}
}

const titleLimit = 120

// mergeSummary uses a person's or agent's summary of the whole session, else the overview of the newest
// checkpoint, else a derived one that says more than title and prompt.
func (m *merger) mergeSummary() {
	prompt := content.FirstPrompt(m.out.Turns)
	best, trust := -1, sources.TrustNone
	for i := range m.layers {
		s := m.session(i)
		text := strings.TrimSpace(s.Summary)
		if text == "" || texts.OneLine(text) == m.out.Title || isCutOf(text, prompt) {
			continue
		}
		if t := max(s.SummaryFrom, sources.TrustPrompt); t > trust {
			best, trust = i, t
		}
	}
	if overview := newestOverview(m.out.Checkpoints); overview != "" && trust < sources.TrustNamed {
		m.out.Summary, m.out.SummaryFrom, m.out.SummaryAt = overview, sources.TrustDerived, time.Time{}
		return
	}
	if best >= 0 {
		m.out.Summary, m.out.SummaryFrom, m.out.SummaryAt = strings.TrimSpace(m.session(best).Summary), trust, m.session(best).SummaryAt
		m.use(best)
	}
}

// newestOverview returns the overview of the newest checkpoint that has one, or the first paragraph of one
// without sections.
func newestOverview(checkpoints []sources.Checkpoint) string {
	for i := len(checkpoints) - 1; i >= 0; i-- {
		c := checkpoints[i]
		if c.Inherited {
			continue
		}
		if text := strings.TrimSpace(c.Overview); text != "" {
			return text
		}
		if text, _, _ := strings.Cut(strings.TrimSpace(c.Raw), "\n\n"); text != "" {
			return text
		}
	}
	return ""
}

// isCutOf reports whether s is text or a cut of its beginning. Cuts end in an ellipsis, or are so long that
// they can be nothing else.
func isCutOf(s, text string) bool { return isCutLine(texts.OneLine(s), texts.OneLine(text)) }

// isCutLine is isCutOf for lines with single blanks.
func isCutLine(s, text string) bool {
	const surelyCut = 80 // bytes; the stores cut at 100 characters
	if s == text {
		return true
	}
	stem := strings.TrimRight(strings.TrimSuffix(s, "…"), ".")
	stem = strings.TrimSpace(stem)
	return stem != "" && strings.HasPrefix(text, stem) && (len(stem) < len(s) || len(s) >= surelyCut)
}

// mergeCheckpoints merges by number. Missing sections are filled from the next layer, unless its checkpoint
// is another one.
func (m *merger) mergeCheckpoints() {
	var all checkpointList
	for i := range m.besides {
		for _, c := range m.session(i).Checkpoints {
			if all.add(c) {
				m.use(i)
			}
		}
	}
	for n := -1; n != len(all.list); { // checkpoints that were filled may now be equal
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

// checkpointList holds each checkpoint once: identified by number, or by content if two ways of storing it
// number it differently.
type checkpointList struct {
	list   []sources.Checkpoint
	number map[int]int       // number → first index in list
	text   map[[2]string]int // overview and work done → first index in list
}

// add appends c or completes its equal; more reports whether the list has more now.
func (l *checkpointList) add(c sources.Checkpoint) (more bool) {
	k, ok := l.find(c)
	if !ok {
		l.list = append(l.list, c)
		l.index(len(l.list) - 1)
		return true
	}
	filled := fillCheckpoint(l.list[k], c)
	if more = filled != l.list[k]; more {
		l.list[k] = filled
		l.index(k)
	}
	return more
}

// find returns the first checkpoint equal to c.
func (l *checkpointList) find(c sources.Checkpoint) (int, bool) {
	k, ok := l.number[c.Number]
	if text, told := checkpointText(c); told {
		if j, same := l.text[text]; same && (!ok || j < k) {
			return j, true
		}
	}
	return k, ok
}

// index records the keys of the k-th checkpoint; earlier ones take precedence.
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

// checkpointText identifies a checkpoint across layers that number it differently.
func checkpointText(c sources.Checkpoint) (text [2]string, told bool) {
	return [2]string{texts.OneLine(c.Overview), texts.OneLine(c.WorkDone)}, c.Overview != "" && c.WorkDone != ""
}

// fillCheckpoint completes a by b. If the texts show that the number was used twice, a stays as it is.
func fillCheckpoint(a, b sources.Checkpoint) sources.Checkpoint {
	c := a
	if a.Overview != "" && b.Overview != "" && texts.OneLine(a.Overview) != texts.OneLine(b.Overview) {
		return c
	}
	c.At = cmp.Or(c.At, b.At)
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
	return c
}

// dateCheckpoints gives a checkpoint without a time the time of the next one, the last one the time of the
// last turn.
func dateCheckpoints(list []sources.Checkpoint, last time.Time) []sources.Checkpoint {
	for i := len(list) - 1; i >= 0; i-- {
		list[i].At = cmp.Or(list[i].At, last)
		last = list[i].At
	}
	return list
}
