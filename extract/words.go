package extract

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// artifactTitle is the first heading of a text, else its name.
func artifactTitle(a sources.Artifact, session string) string {
	head, _, _ := strings.Cut(strings.TrimSpace(a.Text), "\n")
	if isMarkdown(a.Name) && strings.HasPrefix(head, "# ") {
		return texts.Cut(texts.OneLine(head[2:]), 120)
	}
	if (a.Kind == sources.Plan || a.Kind == sources.Summary) && session != "" {
		return titleOfSession(a, session)
	}
	return texts.Cut(texts.OneLine(cmp.Or(a.Name, a.Kind)), 120)
}

// titleOfSession names a plan or summary that has no heading by its session, and
// says which one it is: "plan-review.md" is "Plan review", "summary-2.md" is
// "Summary 2".
func titleOfSession(a sources.Artifact, session string) string {
	label := strings.ToUpper(a.Kind[:1]) + a.Kind[1:]
	stem := strings.TrimSuffix(path.Base(a.Name), path.Ext(a.Name))
	if rest, ok := strings.CutPrefix(stem, a.Kind+"-"); ok {
		label += " " + strings.ReplaceAll(rest, "-", " ")
	}
	session, _ = strings.CutPrefix(session, "Plan: ")
	return label + ": " + session
}

// withoutTitle leaves out the first heading of a text where the note shows it as
// its own.
func withoutTitle(text, title string) string {
	head, rest, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	if t, ok := strings.CutPrefix(head, "# "); ok && texts.OneLine(t) == title {
		return rest
	}
	return text
}

func isMarkdown(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == "" || ext == ".md" || ext == ".markdown" || ext == ".mdx"
}

// local turns a time into the vault's zone; the zero time stays.
func (p *pass) local(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.In(p.zone)
}

// days are the days on which a session was at work, in the vault's zone.
func (p *pass) days(s *sources.Session) []string {
	var out []string
	add := func(t time.Time) {
		if !t.IsZero() {
			out = append(out, t.In(p.zone).Format(time.DateOnly))
		}
	}
	for _, t := range s.Turns {
		add(t.At)
		add(t.End)
	}
	for _, c := range s.Checkpoints {
		add(c.At)
	}
	if len(out) == 0 {
		add(s.Created)
	}
	slices.Sort(out)
	return slices.Compact(out)
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
