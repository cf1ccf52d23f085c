package opencode

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// checkpoint takes in what the agent summed up of the session so far.
func (p *parser) checkpoint(text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	s, at := p.session, p.cur.Time.Created.Time
	s.Checkpoints = append(s.Checkpoints, sources.Checkpoint{
		Number: len(s.Checkpoints) + 1, Title: titleOf(text), At: at, Raw: text, Inherited: p.origin != "" && p.isOlder(at),
	})
}

// titleOf is the first heading of a summary, else its first line.
func titleOf(text string) string {
	for line := range strings.Lines(text) {
		if heading := strings.TrimLeft(line, "#"); heading != line && strings.HasPrefix(heading, " ") {
			return words.OneLine(heading, 120)
		}
	}
	line, _, _ := strings.Cut(text, "\n")
	return words.OneLine(line, 120)
}

func (p *parser) setTodos(list []todo) {
	for n, t := range list {
		for _, made := range words.Todos([]words.Todo{t.Todo}, t.at) {
			if made.ID = cmp.Or(t.ID.Text, fmt.Sprint(n+1)); made.Raw == "cancelled" {
				made.Status = sources.TodoDone // it is not open
			}
			p.session.Todos = append(p.session.Todos, made)
		}
	}
}

// hasNoName tells the title that a session has until a model names it.
func hasNoName(title string) bool {
	return strings.HasPrefix(title, "New session - ") || strings.HasPrefix(title, "Child session - ")
}

// finish completes what follows from the whole.
func (p *parser) finish() {
	s, i := p.session, p.info
	p.decoder.Unknown(p.unknown)
	s.Created, s.Archived = i.Time.Created.Time, !i.Time.Archived.IsZero()
	s.Place.Cwd = cmp.Or(i.Directory, s.Place.Cwd)
	s.Place.Guessed = i.bad && i.Directory == ""
	if title := strings.TrimSpace(i.Title); title != "" && !hasNoName(title) {
		s.Title, s.TitleFrom = title, sources.TrustNamed
	}
	s.Headless = i.Parent == "" && i.isHeadless()
	s.Parent, s.Complete = cmp.Or(p.origin, i.ForkOf), true
	p.flush()
	if p.dead != nil {
		p.dead.flush()
		p.takeBack(p.dead.session.Turns)
	}
	for what, n := range map[string]int{" could not be read": p.bad, " of more than 16 MB was skipped": p.tooLarge} {
		if n > 0 {
			s.Damage = append(s.Damage, words.Count(n, "record")+what)
		}
	}
	slices.Sort(s.Damage)
	s.ShortenFiles()
	files.SetUpdated(s)
}

// flush writes what was said into the turns.
func (p *parser) flush() {
	for i, said := range p.said {
		p.session.Turns[i].Assistant = said.String()
	}
}

// takeBack takes in turns that were taken back: prompts and answers alone.
func (p *parser) takeBack(turns []sources.Turn) {
	p.session.Rewound = true
	slices.SortStableFunc(turns, func(a, b sources.Turn) int { return a.At.Compare(b.At) })
	for n, t := range turns {
		p.session.TakenBack = append(p.session.TakenBack, sources.Turn{
			Index: n, ID: t.ID, At: t.At, End: t.End, User: t.User, Assistant: t.Assistant, Model: t.Model, Status: t.Status,
		})
	}
}
