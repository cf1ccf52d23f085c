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
	maxMentions = 600 // limit for a session
	maxText     = 300 // bytes of the text of an item
	maxPrompt   = 160 // bytes of a prompt
)

// InSession returns the open and the closed items of a session.
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
	seen    map[string]bool // keys of texts
	out     []Mention
}

// add adds an item. The first with a text counts.
func (g *gatherer) add(m Mention) {
	m.Text = strings.Clone(texts.CutWords(texts.OneLine(m.Text), maxText)) // so that the long text is freed
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

// list adds the items of the task list. Open ones count only if the list is fresh.
func (g *gatherer) list() {
	fresh := g.isFresh(sources.ActListed, "")
	for _, t := range g.session.Todos {
		m := Mention{Text: cmp.Or(t.Title, t.Description, t.ID), Kind: List, At: t.At, Turn: -1, Todo: t.ID, Done: t.Status == sources.TodoDone}
		if m.Done || fresh {
			g.add(m)
		}
	}
}

// isFresh reports whether the last call of a kind was made for the last prompt, or for the one before an
// unanswered last one. It is false without a known call; one before the first prompt counts as made for it.
func (g *gatherer) isFresh(kind sources.ActKind, of string) bool {
	known, last := false, 0
	for _, a := range g.session.Acts {
		if a.Kind == kind && (of == "" || a.Text == of) {
			known, last = true, max(a.Turn, 0)
		}
	}
	isUntyped := func(t sources.Turn) bool { return strings.TrimSpace(t.User) == "" }
	later := slices.DeleteFunc(slices.Clone(g.session.Turns[min(last+1, len(g.session.Turns)):]), isUntyped)
	return known && (len(later) == 0 || len(later) == 1 && later[0].Status != sources.Complete && later[0].Status != "")
}

// plans adds the boxes of fresh plans that are ticked in part. A plan without any tick is a proposal.
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

// question adds the agent's last question by a tool, or the plan it showed, if nothing follows.
func (g *gatherer) question() {
	for _, a := range g.session.Acts {
		if a.Pending && (a.Kind == sources.ActAsked || a.Kind == sources.ActPlanned) {
			g.add(Mention{Text: a.Text, Kind: map[bool]Kind{true: Plan, false: Question}[a.Kind == sources.ActPlanned], At: a.At, Turn: a.Turn})
		}
	}
}

// prompt adds the newest prompt if only an error of the client follows it, in a session that did some work.
// Greetings and commands do not count: the one before them does, if it has no answer either.
func (g *gatherer) prompt() {
	for i, t := range slices.Backward(g.session.Turns) {
		switch {
		case strings.TrimSpace(t.User) == "" && t.Assistant == "" && len(t.Tools) == 0 && t.Error == "":
			continue
		case t.Status != sources.Failed || t.Error == "" || content.ClosingText(t) != "" || t.Inherited:
			return
		case content.IsNod(t) || strings.HasPrefix(t.User, "/"):
			continue
		case !slices.ContainsFunc(g.session.Turns, func(t sources.Turn) bool { return t.Assistant != "" || len(t.Tools) > 0 }):
			return // a client that could not start
		}
		said := texts.OneLine(t.User)
		text := texts.CutWords(said, maxPrompt)
		if len(text) < min(maxStart, len(said)) { // a session that repeats it is found by it
			text = texts.CutRunes(said, maxPrompt) + "…"
		}
		g.add(Mention{Text: text, Kind: Prompt, At: cmp.Or(t.End, t.At), Turn: i})
		return
	}
}
