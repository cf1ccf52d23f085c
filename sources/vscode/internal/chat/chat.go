// Package chat turns the session VS Code Copilot Chat keeps into turns, request
// by request.
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

// agentName is the Agent of every session.
const agentName = "vscode-copilot"

// Convert makes a session of its requests; nil: nothing was read. workspace is where
// it worked as far as that is known otherwise. Damage and Rewound are those found
// here, Whole is for the caller to tell. Without an id the session gets that of the
// file if it is a UUID, else that of an export. Nothing fails: what is not known is
// counted.
func Convert(state *chatlog.Session, id string, workspace sources.Place) (s *sources.Session, unknown map[string]int) {
	if state == nil {
		state = &chatlog.Session{}
	}
	c := &converter{session: &sources.Session{ID: id, Agent: agentName}, unknown: map[string]int{}}
	c.identify(state)
	for _, r := range state.Requests {
		if r != nil { // a place that was never filled
			c.request(r)
		}
	}
	c.finish(state)
	c.session.Place = c.place(state, workspace)
	return c.session, c.unknown
}

// converter is a conversion at work.
type converter struct {
	session *sources.Session
	plan    *sources.Artifact // the newest one
	told    sources.Place     // what the model was told of the place
	unknown map[string]int
	shapes  int              // requests of an unknown shape
	joining *strings.Builder // answer of the last turn once requests joined it, else nil
}

// request takes in one request.
func (c *converter) request(r *chatlog.Request) {
	if bool(r.ShouldBeRemovedOnSend) || r.IsHidden { // the user went back to before it
		c.session.Rewound = true
		return
	}
	if r.HiddenFromTranscript {
		return
	}
	a := readAnswer(r.Response, callsOf(r))
	for kind, n := range a.Unknown {
		c.unknown[kind] += n
	}
	turn := turnOf(r, a)
	if r.Message == nil && turn.Assistant == "" && len(turn.Tools) == 0 {
		c.shapes++
		c.unknown["request shape"]++
		return
	}
	metadata := &resultOf(r).Metadata
	c.noteContext(metadata)
	c.alias(metadata.SessionID)
	var attached []string
	turn.Attachments, attached = c.attachments(r.VariableData.Variables)
	at := len(c.session.Turns)
	if lead, own := leadOf(r); own || at == 0 {
		if !own {
			turn.User = ""
		}
		turn.Index = at
		c.endTurn()
		c.session.Turns = append(c.session.Turns, turn)
	} else {
		at--
		c.joinTurn(&c.session.Turns[at], turn, lead)
	}
	if turn.End.IsZero() {
		turn.End = turn.At
	}
	a.Files = filesOf(r, a.Files, attached)
	c.take(at, turn, a)
	c.summarize(*metadata, turn.End)
}

// take adds what an answer brought beside its turn.
func (c *converter) take(at int, turn sources.Turn, a answer) {
	s := c.session
	for _, f := range a.Files {
		f.Turn, f.At = at, turn.End
		s.Files = append(s.Files, f)
	}
	for _, r := range a.Refs {
		r.Turn, r.At = at, s.Turns[at].At
		s.Refs = append(s.Refs, r)
	}
	if m := turn.Model; m != "" && len(s.Models) < maxNames && !slices.Contains(s.Models, m) {
		s.Models = append(s.Models, m)
	}
	if a.HasTodos {
		s.Todos = a.Todos
		for i := range s.Todos {
			s.Todos[i].At = turn.End
		}
	}
	if a.Plan != nil {
		c.plan = a.Plan
		c.plan.At = turn.End
	}
}

// finish puts the session together.
func (c *converter) finish(state *chatlog.Session) {
	s := c.session
	c.endTurn()
	if t := strings.TrimSpace(state.ComputedTitle); t != "" {
		s.Title, s.TitleFrom = t, sources.TrustDerived
	}
	if t := strings.TrimSpace(state.CustomTitle); t != "" {
		s.Title, s.TitleFrom = t, sources.TrustCustom
	}
	s.Created = chatlog.When(state.CreationDate)
	if c.plan != nil {
		s.Artifacts = append(s.Artifacts, *c.plan)
	}
	switch {
	case c.shapes == 1:
		s.Damage = []string{"1 request has an unknown shape"}
	case c.shapes > 1:
		s.Damage = []string{fmt.Sprintf("%d requests have an unknown shape", c.shapes)}
	}
}

// maxSummary is how long a compaction summary may be to stand whole as the
// summary of its session, in bytes.
const maxSummary = 2000

// summarize takes in the compaction summaries of a result: a list, formerly one.
// They become artifacts; the newest, or the first paragraph of a long one, is the
// summary of the session.
func (c *converter) summarize(m chatlog.Metadata, at time.Time) {
	if len(m.Summaries) == 0 {
		m.Summaries = []chatlog.Summary{m.Summary}
	}
	s := c.session
	for _, n := range m.Summaries {
		text := strings.TrimSpace(n.Text)
		if text == "" {
			continue
		}
		name := fmt.Sprintf("summary-%d.md", len(s.Artifacts)+1)
		s.Artifacts = append(s.Artifacts, sources.Artifact{Kind: sources.Summary, Name: name, At: at, Text: n.Text})
		if len(text) > maxSummary {
			text, _, _ = strings.Cut(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n")
			text = words.OneLine(text, maxSummary)
		}
		s.Summary, s.SummaryFrom, s.SummaryAt = text, sources.TrustDerived, at
	}
}
