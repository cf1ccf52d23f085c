package ends

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

const (
	maxMentions = 600 // of one session
	maxText     = 300 // bytes of the text of an end
	maxPrompt   = 160 // and of a prompt
	maxAhead    = 1   // prompts after which a list or plan that nobody touched counts as given up
)

// InSession returns what a session leaves open, and what it shows as done.
func InSession(s *sources.Session) (open, done []Mention) {
	g := gatherer{session: s, seen: map[string]bool{}}
	g.list()
	g.plans()
	g.question()
	g.prompt()
	for _, m := range g.out {
		if m.Done {
			done = append(done, m)
		} else {
			open = append(open, m)
		}
	}
	return open, done
}

type gatherer struct {
	session *sources.Session
	seen    map[string]bool // by the keys of their texts
	out     []Mention
}

// add adds an end. Of two with the same text the first counts.
func (g *gatherer) add(m Mention) {
	m.Text = strings.Clone(texts.CutWords(texts.OneLine(m.Text), maxText)) // the text it is cut from is not kept
	key := Key(m.Text)
	if m.Text == "" || g.seen[key] || len(g.out) == maxMentions {
		return
	}
	g.seen[key] = true
	m.Session, m.Place, m.At = g.session.ID, len(g.out), cmp.Or(m.At, g.session.Updated)
	if !m.Done {
		m.ID = "open-" + texts.Digest(m.Session+"\x00"+wordsKey(m.Text), 8)
		for n := 2; slices.ContainsFunc(g.out, func(o Mention) bool { return o.ID == m.ID }); n++ {
			m.ID = "open-" + texts.Digest(m.Session+"\x00"+wordsKey(m.Text), 8) + "-" + strconv.Itoa(n)
		}
	}
	g.out = append(g.out, m)
}

// list adds the items of the task list: those that are open while the list was touched of late and
// was begun.
func (g *gatherer) list() {
	fresh := g.isFresh(sources.ActListed, "") && !g.isStopped()
	for _, t := range g.session.Todos {
		m := Mention{Text: cmp.Or(t.Title, t.Description, t.ID), Kind: List, At: t.At, Turn: -1, Todo: t.ID, Done: t.Status == sources.TodoDone}
		if m.Done || fresh {
			g.add(m)
		}
	}
}

// isFresh says that the last call of a kind was made while the last prompt was worked on, or the last
// but one where the last was not answered. Where no call is known nothing is fresh.
func (g *gatherer) isFresh(kind sources.ActKind, of string) bool {
	last := -2
	for _, a := range g.session.Acts {
		if a.Kind == kind && (of == "" || a.Text == of) {
			last = a.Turn
		}
	}
	if last == -2 {
		return false
	}
	ahead := 0
	for i, t := range g.session.Turns {
		if i <= last || strings.TrimSpace(t.User) == "" {
			continue
		}
		if ahead++; t.Status == sources.Complete || t.Status == "" {
			return last < 0 && ahead == 1
		}
	}
	return ahead <= maxAhead
}

// isStopped says that a person stopped the session before a call that followed its list of tasks
// succeeded.
func (g *gatherer) isStopped() bool {
	turns := g.session.Turns
	if len(turns) == 0 || turns[len(turns)-1].Status != sources.Cancelled {
		return false
	}
	for _, t := range slices.Backward(turns) {
		for _, c := range slices.Backward(t.Tools) {
			if c.Kind == sources.ToolPlan {
				return true
			}
			if c.OK == nil || *c.OK {
				return false
			}
		}
	}
	return false
}

// plans adds the boxes of plans that the session wrote of late and ticked in part. A plan in which
// nothing was ever ticked is a proposal.
func (g *gatherer) plans() {
	for _, a := range g.session.Artifacts {
		if a.Kind != sources.Plan || !g.isFresh(sources.ActWrote, a.Name) {
			continue
		}
		found := boxesIn(a.Text)
		if !slices.ContainsFunc(found, func(b box) bool { return b.ticked }) {
			continue
		}
		for _, b := range found {
			g.add(Mention{Text: b.text, Kind: Box, At: a.At, Turn: -1, Plan: a.Name, Done: b.ticked})
		}
	}
}

type box struct {
	text   string
	ticked bool
}

func boxesIn(text string) (out []box) {
	heading := ""
	for _, b := range texts.Blocks(text) {
		if b.Heading > 0 {
			heading = b.Text
		}
		rest, ticked, ok := texts.CutBox(b.Text)
		if !ok || !b.Item {
			continue
		}
		if heading != "" && !texts.HasWords(rest, 2) && texts.IsASCII(rest) {
			rest = heading + ": " + rest
		}
		out = append(out, box{rest, ticked})
	}
	return out
}

// question adds what the agent asked last by a tool, or the plan it showed, where nothing follows.
func (g *gatherer) question() {
	for _, a := range g.session.Acts {
		if a.Pending && (a.Kind == sources.ActAsked || a.Kind == sources.ActPlanned) {
			g.add(Mention{Text: a.Text, Kind: map[bool]Kind{true: Plan, false: Question}[a.Kind == sources.ActPlanned], At: a.At, Turn: a.Turn})
		}
	}
}

// prompt adds the newest prompt where an error of the client is all that follows it. A greeting or
// a command is nothing that waits.
func (g *gatherer) prompt() {
	turns := g.session.Turns
	for i := len(turns) - 1; i >= 0; i-- {
		t := turns[i]
		if strings.TrimSpace(t.User) == "" && t.Assistant == "" && len(t.Tools) == 0 && t.Error == "" {
			continue
		}
		if t.Status == sources.Failed && t.Error != "" && content.ClosingText(t) == "" && !t.Inherited && !content.IsNod(t) && !strings.HasPrefix(t.User, "/") {
			said := texts.OneLine(t.User)
			text := texts.CutWords(said, maxPrompt)
			if len(text) < min(maxStart, len(said)) { // one who types it again is known by it
				text = texts.CutRunes(said, maxPrompt) + "…"
			}
			g.add(Mention{Text: text, Kind: Prompt, At: cmp.Or(t.End, t.At), Turn: i})
		}
		return
	}
}
