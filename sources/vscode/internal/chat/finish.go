package chat

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// finish puts the session together.
func (c *converter) finish(state *chatlog.Session) Result {
	s := c.session
	c.endTurn()
	c.header(state)
	for _, t := range s.Turns {
		s.Updated = latest(s.Updated, t.At, t.End)
	}
	for _, t := range s.Todos {
		s.Updated = latest(s.Updated, t.At)
	}
	s.Artifacts = c.summaries
	if c.plan != nil {
		s.Artifacts = append(slices.Clip(s.Artifacts), *c.plan)
	}
	switch n := c.shapes; {
	case n == 1:
		s.Damage = []string{"1 request has an unknown shape"}
	case n > 1:
		s.Damage = []string{fmt.Sprintf("%d requests have an unknown shape", n)}
	}
	c.hints.EditedRoot = editedRoot(s.Files)
	out := Result{Session: s, Hints: c.hints}
	if len(c.unknown) > 0 {
		out.Unknown = c.unknown
	}
	return out
}

// header reads title and date.
func (c *converter) header(state *chatlog.Session) {
	s := c.session
	if t := strings.TrimSpace(state.CustomTitle); t != "" {
		s.Title, s.TitleFrom = t, sources.TrustCustom
	}
	if t := strings.TrimSpace(state.ComputedTitle); t != "" && s.TitleFrom < sources.TrustCustom {
		s.Title, s.TitleFrom = t, sources.TrustDerived
	}
	if at := chatlog.When(state.CreationDate); !at.IsZero() {
		s.Created = at
	}
}

// The compaction summaries of a session, oldest first, become artifacts; the
// newest is the summary of the session.
func (c *converter) summarize(texts []string, at time.Time) {
	for _, text := range texts {
		c.summaries = append(c.summaries, sources.Artifact{Kind: sources.Summary,
			Name: fmt.Sprintf("summary-%d.md", len(c.summaries)+1), At: at, Text: text})
		c.session.Summary, c.session.SummaryFrom = shortSummary(text), sources.TrustDerived
	}
}

// maxSummary is how long a compaction summary may be to stand whole as the
// summary of its session, in bytes.
const maxSummary = 2000

// shortSummary is a summary, or the first paragraph of a long one.
func shortSummary(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= maxSummary {
		return text
	}
	first, _, _ := strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
	return words.OneLine(first, maxSummary)
}

// summariesOf reads the compaction summaries of a result: a list, formerly one.
func summariesOf(m chatlog.Metadata) []string {
	list := m.Summaries
	if len(list) == 0 {
		list = []chatlog.Summary{m.Summary}
	}
	var out []string
	for _, s := range list {
		if strings.TrimSpace(s.Text) != "" {
			out = append(out, s.Text)
		}
	}
	return out
}

func (c *converter) useModel(model string) {
	if model != "" && len(c.session.Models) < maxNames && !slices.Contains(c.session.Models, model) {
		c.session.Models = append(c.session.Models, model)
	}
}

func latest(times ...time.Time) time.Time {
	var out time.Time
	for _, t := range times {
		if t.After(out) {
			out = t
		}
	}
	return out
}
