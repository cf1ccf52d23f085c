package pages

import (
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/sources"
)

// Period is a range of days of the journal, in a zone.
type Period struct {
	Days []string
	Zone *time.Location
}

// Holds reports whether a time is in the period. The zero time belongs to the last day of its session.
func (p Period) Holds(of facts.Facts, at time.Time) bool {
	day := of.LastDay()
	if !at.IsZero() {
		day = at.In(p.Zone).Format(time.DateOnly)
	}
	return slices.Contains(p.Days, day)
}

// Rows returns the rows of a session with a key in the period.
func (p Period) Rows(of facts.Facts, key string) (out []facts.Row) {
	for _, r := range of.Of(key) {
		if p.Holds(of, r.At) {
			out = append(out, r)
		}
	}
	return out
}

func (p Period) continues(s facts.Facts) bool { return !s.Created.IsZero() && !p.Holds(s, s.Created) }

// Outcome returns the outcome of a session in the period: as a whole if it has all of its turns there, else
// its commits there, else its last answer there.
func (p Period) Outcome(s facts.Facts) (out string) {
	refs, answers := slices.DeleteFunc(p.Rows(s, facts.RowRef), isIssue), p.Rows(s, facts.RowDay)
	switch {
	case slices.Contains(p.Days, s.LastDay()) && !p.continues(s):
		return s.Summary
	case len(refs) > 0:
		return refsIn(refs)
	case len(answers) > 0:
		return answers[len(answers)-1].Text
	}
	return ""
}

func isIssue(r facts.Row) bool { return strings.HasPrefix(r.What, sources.Issue+":") }

func refsIn(rows []facts.Row) string {
	var parts []string
	for _, r := range rows {
		kind, value, _ := strings.Cut(r.What, ":")
		if kind == sources.Commit && value != "" {
			value = "`" + value + "`"
		}
		parts = append(parts, strings.TrimSpace(refWord(r)+strings.TrimPrefix(value, "github.com/")+" "+r.Text))
	}
	return strings.Join(parts, "; ")
}

// refWord returns the kind of a ref if its value does not show it.
func refWord(r facts.Row) string {
	switch {
	case strings.HasPrefix(r.What, sources.PR+":"):
		return "PR "
	case strings.HasPrefix(r.What, sources.Issue+":"):
		return "issue "
	}
	return ""
}
