package facts

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/vault"
)

// Mentions returns the open and closed items of a session, from its note. Rows of an earlier build count if
// they rest on an act.
func (f Facts) Mentions() []ends.Mention {
	var out []ends.Mention
	for i, r := range f.Of(RowOpen) {
		kind := endKind(r)
		if kind == "" {
			continue
		}
		m := ends.Mention{Text: r.Text, Kind: kind, Turn: -1, Session: f.ID, At: r.At, Place: i, ID: r.What, Block: r.Block()}
		m.Ticked = f.hasTicked(m)
		out = append(out, m)
	}
	for _, r := range f.Of(RowDecision) { // a plan shown in one session and accepted in another
		if r.Act() == "plan" && IsDecision(r) {
			title, _, _ := strings.Cut(r.Text, "; changed first: ")
			out = append(out, ends.Mention{Text: title, Kind: ends.Plan, Turn: -1, Session: f.ID, At: r.At, Place: len(out), Done: true})
		}
	}
	for _, r := range f.Of(RowDone) {
		if kind := endKind(r); kind != "" {
			out = append(out, ends.Mention{Text: r.Text, Kind: kind, Turn: -1, Session: f.ID, At: r.At, Place: len(out), Done: true})
		}
	}
	return out
}

// endKind returns the kind of item in a row, or "" if it rests on prose. Of an earlier build's rows, task
// lists count, named "todo".
func endKind(r Row) ends.Kind {
	switch {
	case strings.Contains(r.From, actMark):
		return ends.Kind(r.Act())
	case r.From == "todo":
		return ends.List
	}
	return ""
}

// hasTicked reports whether the box of an item is ticked: by the id of its block, or by its words if its
// person removed the id.
func (f Facts) hasTicked(m ends.Mention) bool {
	return slices.ContainsFunc(f.Boxes, func(b vault.Box) bool {
		return b.Section == SectionOpen && b.Ticked && (b.ID == m.ID || b.ID == "" && ends.Key(b.Text) == ends.Key(m.Shown()))
	})
}

// openEnds returns the mentions of sessions, oldest session first, without those that a later session took
// over.
func openEnds(sessions []Facts) (out []ends.Mention) {
	for i, s := range sessions {
		for _, m := range s.Mentions() {
			if !s.isTakenOver(m, sessions[i+1:]) {
				out = append(out, m)
			}
		}
	}
	return out
}

// EndKey returns the key of the sessions that mention the same item; for an unanswered prompt, of those that
// begin with it.
func EndKey(m ends.Mention) string {
	if m.Kind == ends.Prompt {
		return waitKey(ends.StartOf(m.Text))
	}
	return "end:" + texts.Digest(ends.Key(m.Text), 8)
}

// startKey is the key of sessions that begin with a prompt, waitKey the key of sessions with an open item for
// such a session.
func startKey(start string) string { return "start:" + start }

func waitKey(start string) string { return "wait:" + start }

// endKeys returns the keys under which other sessions find the items of a session.
func (f Facts) endKeys() (keys []string) {
	for _, start := range f.starts() {
		keys = append(keys, startKey(start))
	}
	for _, m := range f.Mentions() {
		keys = append(keys, EndKey(m))
		if m.Kind == ends.List && !m.Done {
			keys = append(keys, waitKey(f.start()))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// TakerKeys returns the keys of the sessions that may have closed an item of this one: sessions that mention
// it, forks, and sessions that begin with the same prompt.
func (f Facts) TakerKeys(m ends.Mention) []string {
	switch m.Kind {
	case ends.List:
		return []string{EndKey(m), "fork:" + f.Session(), startKey(f.start())}
	case ends.Prompt:
		return []string{"fork:" + f.Session(), startKey(ends.StartOf(m.Text))}
	}
	return []string{EndKey(m)}
}

// ClosedBy returns the session that closed an item of this one, among others that mention it, fork this one
// or begin with its prompt. An item that its person ticked was closed by them.
func (f Facts) ClosedBy(m ends.Mention, others []Facts) (by Facts, closed bool) {
	newest, taken := m, false
	for _, o := range others {
		if o.ID == f.ID && o.hasTicked(m) {
			return by, false
		}
		if o.ID == f.ID || o.Type != names.TypeSession || o.Project != f.Project {
			continue
		}
		if OlderFirst(f, o) < 0 && o.takesOver(f, m) {
			by, taken = o, true
		}
		for _, told := range o.Mentions() {
			if ends.OlderFirst(newest, told) < 0 && ends.Key(told.Text) == ends.Key(m.Text) && !o.isTakenOver(told, others) {
				newest, by = told, o
			}
		}
	}
	return by, newest.Done || newest.Ticked || taken && newest == m
}

// starts returns the first prompts of a session for comparison.
func (f Facts) starts() (starts []string) {
	for _, r := range f.Of(RowPrompt) {
		if from := strings.TrimSpace(r.From); from != "" {
			starts = append(starts, strings.Split(from, ",")...)
		}
	}
	return starts
}

// start returns the first of them.
func (f Facts) start() string { return append(f.starts(), "")[0] }

func (f Facts) beganWith(start string) bool {
	return slices.ContainsFunc(f.Of(RowPrompt), func(r Row) bool { return strings.Contains(r.From, start) })
}

// isTakenOver reports whether one of others continues an open end of a session.
func (f Facts) isTakenOver(m ends.Mention, others []Facts) bool {
	return !m.Done && slices.ContainsFunc(others, func(o Facts) bool { return OlderFirst(f, o) < 0 && o.takesOver(f, m) })
}

// takesOver reports whether a later session continues an open item of another: a fork, or a session in the
// same folder whose first prompts include the other's first or unanswered one.
func (f Facts) takesOver(s Facts, m ends.Mention) bool {
	start := s.start()
	if m.Kind == ends.Prompt {
		start = ends.StartOf(m.Text)
	}
	if isFork := f.Parent != "" && f.Parent == s.Session(); !isFork && (start == "" || !f.beganWith(start) || f.folder() != s.folder()) {
		return false
	}
	return m.Kind == ends.Prompt || m.Kind == ends.List
}

func (f Facts) folder() (folder string) {
	for _, r := range f.Of(RowCwd) {
		folder = r.Text
	}
	return folder
}

// Matters reports whether a session left something: a commit, pull request or issue, a changed file, a
// person's decision, or an open item that is more than a prompt without an answer.
func (f Facts) Matters() bool {
	return len(f.Files)+f.MoreFiles > 0 || len(f.Of(RowRef)) > 0 ||
		slices.ContainsFunc(f.Of(RowDecision), IsDecision) ||
		slices.ContainsFunc(f.Mentions(), func(m ends.Mention) bool { return !m.Done && !m.Ticked && m.Kind != ends.Prompt })
}

// OpenCount counts the open items of a session that its person did not tick.
func (f Facts) OpenCount() (n int) {
	for _, m := range f.Mentions() {
		if !m.Done && !m.Ticked {
			n++
		}
	}
	return n
}
