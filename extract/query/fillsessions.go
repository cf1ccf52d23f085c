package query

import (
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/sources"
)

type counts struct {
	calls, failed, commands int
	in, out                 any // tokens; nil: none are stored
}

func countsOf(s *sources.Session) (c counts) {
	for _, t := range s.Turns {
		c.calls += len(t.Tools)
		for _, one := range t.Tools {
			if hasFailed(one) {
				c.failed++
			}
			if one.Command != "" {
				c.commands++
			}
		}
		c.tokens(t.Tokens)
	}
	for _, d := range s.Delegated {
		c.tokens(d.Tokens)
	}
	return c
}

func (c *counts) tokens(t *sources.Tokens) {
	if t == nil {
		return
	}
	in, _ := c.in.(int64)
	out, _ := c.out.(int64)
	c.in, c.out = in+t.In, out+t.Out
}

func hasFailed(t sources.Tool) bool { return t.Exit != nil && *t.Exit != 0 || t.OK != nil && !*t.OK }

// succeeded tells whether a call did what it was to do, nothing where that is unknown.
func succeeded(t sources.Tool) any {
	switch {
	case hasFailed(t):
		return false
	case t.Exit != nil || t.OK != nil:
		return true
	}
	return nil
}

func (f *filler) session(k *extract.Kept) {
	s, c, day := k.Session, countsOf(k.Session), f.day(k.Session.Created)
	var came extract.ExportedOutcome
	if f.wants("sessions", "outcome") || f.wants("sessions", "outcome_from") {
		came = k.Outcome()
	}
	changed := 0
	if f.wants("sessions", "files") {
		changed = len(content.Files(s))
	}
	first := ""
	if len(s.Models) > 0 {
		first = s.Models[0]
	}
	f.put("sessions", s.ID, s.Agent, s.Title, s.Summary, k.Project.Key, k.Project.Name, k.Repository(), s.Place.Branch, s.Place.Cwd,
		first, strings.Join(s.Models, ","), s.Created, s.Updated, day, week(day), minutes(s.Created, s.Updated),
		len(s.Turns), c.calls, c.failed, c.commands, len(s.Checkpoints), changed, c.in, c.out, len(s.Delegated), s.Parent,
		s.Class == sources.Automatic, s.Headless, s.Archived, s.Pinned, len(s.Damage) > 0, s.Label, came.Text, came.From)
}

func minutes(from, to time.Time) any {
	if from.IsZero() || to.Before(from) {
		return nil
	}
	return int(to.Sub(from).Minutes())
}

func (f *filler) turns(k *extract.Kept) {
	s := k.Session
	for i, t := range s.Turns {
		var in, out, seconds any
		if t.Tokens != nil {
			in, out = t.Tokens.In, t.Tokens.Out
		}
		if !t.At.IsZero() && !t.End.Before(t.At) {
			seconds = int(t.End.Sub(t.At).Seconds())
		}
		day := f.day(t.At)
		f.put("turns", s.ID, k.Project.Key, i+1, s.Agent, t.At, day, week(day), seconds, t.User, t.Assistant, t.Model, t.Mode, t.Agent,
			string(t.Status), t.Error, in, out, len(t.Tools), len(t.Attachments), t.Inherited)
	}
}

func (f *filler) calls(k *extract.Kept) {
	s := k.Session
	for i, t := range s.Turns {
		for n, c := range t.Tools {
			var within any
			if c.Within > 0 {
				within = c.Within
			}
			f.put("tool_calls", s.ID, k.Project.Key, i+1, n+1, t.At, c.Name, c.Kind, c.Detail, succeeded(c), within)
		}
	}
}
