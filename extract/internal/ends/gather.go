package ends

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// maxMentions bounds what is taken of one session.
const maxMentions = 600

// maxText is the length of the text of an end, in bytes.
const maxText = 300

// Of lists what a session leaves open and shows as done: its todos, its plan as it stands at the
// end, its newest checkpoint, and its last complete answer. What older checkpoints ticked is
// done, what they left open stands in the newest again.
func Of(s *sources.Session) []Mention {
	g := gatherer{session: s}
	g.todos()
	for _, a := range s.Artifacts {
		if a.Kind == sources.Plan {
			g.text(a.Text, "plan", a.At, -1)
		}
	}
	g.checkpoints()
	g.answer()
	return g.out
}

// gatherer collects the mentions of a session.
type gatherer struct {
	session *sources.Session
	out     []Mention
	list    int
}

func (g *gatherer) add(m Mention) {
	if len(g.out) == maxMentions {
		return
	}
	m.Text = strings.Clone(texts.CutWords(texts.OneLine(m.Text), maxText)) // the text it is cut from is not kept
	if m.Text == "" {
		return
	}
	m.Session, m.Place, m.List = g.session.ID, len(g.out), g.list
	m.At = cmp.Or(m.At, g.session.Updated)
	g.out = append(g.out, m)
}

// text adds what a text leaves open.
func (g *gatherer) text(text, origin string, at time.Time, turn int) {
	g.list++
	for _, f := range Find(text) {
		m := Mention{Text: f.Text, Origin: origin, At: at, Turn: turn, Todo: g.todoNamed(f.Text)}
		switch {
		case f.Done:
			m.State = Done
		case f.How == Passed && turn < 0: // plans and checkpoints tell much in passing
			continue
		case f.How == Passed:
			m.State = Unclear
		}
		g.add(m)
	}
}

// todos adds the todos. One that is not done is unclear where work came after the list was
// last written.
func (g *gatherer) todos() {
	written := time.Time{}
	for _, t := range g.session.Todos {
		if t.At.After(written) {
			written = t.At
		}
	}
	stale := workAfter(g.session, written) || workAfterTodos(g.session)
	for _, t := range g.session.Todos {
		m := Mention{Text: cmp.Or(t.Title, t.Description, t.ID), Origin: "todo", At: t.At, Turn: -1, Todo: t.ID}
		switch {
		case t.Status == sources.TodoDone:
			m.State = Done
		case stale && t.Status != sources.TodoBlocked:
			m.State = Unclear
		}
		g.add(m)
	}
}

var todoName = pattern.Lazy("\\btodo:? `?([A-Za-z0-9._-]+)`?")

// todoNamed is the id of the todo that a text names.
func (g *gatherer) todoNamed(text string) string {
	if len(g.session.Todos) == 0 {
		return ""
	}
	m := todoName().FindStringSubmatch(text)
	if m == nil || !slices.ContainsFunc(g.session.Todos, func(t sources.Todo) bool { return t.ID == m[1] }) {
		return ""
	}
	return m[1]
}

// checkpoints adds what the newest checkpoint leaves open, and what all have done.
func (g *gatherer) checkpoints() {
	all := g.session.Checkpoints
	for i, c := range all {
		if c.Inherited {
			continue
		}
		origin := "checkpoint " + strconv.Itoa(c.Number)
		newest := i == len(all)-1
		for _, text := range []string{c.WorkDone, c.NextSteps} {
			g.list++
			for _, t := range checkpointEnds(text, text == c.NextSteps) {
				if newest || t.Done {
					m := Mention{Text: t.Text, Origin: origin, At: c.At, Turn: -1}
					if t.Done {
						m.State = Done
					}
					g.add(m)
				}
			}
		}
	}
}

// checkpointEnds reads a section of a checkpoint; next steps are ends whatever they say.
func checkpointEnds(text string, steps bool) []Found {
	if !steps {
		return slices.DeleteFunc(Find(text), func(f Found) bool { return f.How == Passed })
	}
	return nextSteps(text)
}

// answer adds what the last complete answer leaves open.
func (g *gatherer) answer() {
	turns := g.session.Turns
	for i := len(turns) - 1; i >= 0; i-- {
		t := turns[i]
		if t.Inherited || t.Status != sources.Complete && t.Status != "" || strings.TrimSpace(t.Assistant) == "" {
			continue
		}
		at := t.End
		if at.IsZero() {
			at = t.At
		}
		g.text(content.LastMessage(t), "last answer", at, i)
		return
	}
}

// workAfter says that a command ran, or a file was changed, in a turn after a time.
func workAfter(s *sources.Session, at time.Time) bool {
	if at.IsZero() {
		return false
	}
	for _, t := range s.Turns {
		end := t.End
		if end.IsZero() {
			end = t.At
		}
		if !end.After(at) {
			continue
		}
		if slices.ContainsFunc(t.Tools, func(c sources.Tool) bool {
			return slices.Contains([]string{sources.ToolRun, sources.ToolEdit, sources.ToolCreate}, c.Kind)
		}) {
			return true
		}
	}
	return false
}
