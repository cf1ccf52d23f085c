package extract

import (
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// local turns a time into the vault's zone; the zero time stays.
func (p *pass) local(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.In(p.zone)
}

// pause is how long a session rests before its next prompt counts as coming
// back to it.
const pause = 90 * time.Minute

// spans are the stretches in which a session was at work.
func (p *pass) spans(s *sources.Session) []templates.Span {
	var out []templates.Span
	for _, t := range s.Turns {
		if t.At.IsZero() {
			continue
		}
		start, end := p.local(t.At), p.local(t.At)
		if t.End.After(t.At) {
			end = p.local(t.End)
		}
		if n := len(out); n > 0 && start.Sub(out[n-1].End) < pause {
			if end.After(out[n-1].End) {
				out[n-1].End = end
			}
			continue
		}
		out = append(out, templates.Span{Start: start, End: end})
	}
	return out
}

// inScope tells whether a run may touch the notes of a session. updated is a
// time as the ledger has it.
func (p *pass) inScope(session string, pr identity.Project, updated string) bool {
	if slices.ContainsFunc(p.Scope.Excluded, pr.Matches) {
		p.excluded[session] = true
		return false
	}
	if len(p.Scope.Projects) > 0 && !slices.ContainsFunc(p.Scope.Projects, pr.Matches) {
		return false
	}
	return p.Scope.Since.IsZero() || updated >= stamp(p.Scope.Since)
}

func boolCount(b bool) int {
	if b {
		return 1
	}
	return 0
}
