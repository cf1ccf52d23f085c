package brief

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/outcome"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// Standup is the work of some days, by project.
type Standup struct {
	Schema   int       `json:"schema"`
	Since    time.Time `json:"since"`
	Until    time.Time `json:"until"`
	Projects []Done    `json:"projects"`
	Last     string    `json:"last,omitempty"` // the last day of work, if nothing was done
	short    ids
}

// Done is the work in a project.
type Done struct {
	Project  string    `json:"project"` // key
	Name     string    `json:"project_name"`
	Outcomes []Outcome `json:"outcomes"`
	Others   int       `json:"others"`    // number of sessions that left nothing
	Refs     []Ref     `json:"refs"`      // commits, pull requests and issues
	OpenEnds []OpenEnd `json:"open_ends"` // not named before
}

// Standup returns the work on the days from Since to Until.
func (h *History) Standup() Standup {
	w, o := h.writer(), h.options
	out := Standup{Schema: schema, Since: w.at(o.Since), Until: w.at(o.Until), Projects: []Done{}, short: h.catalog.Short}
	p := pages.Period{Zone: o.Zone}
	for _, day := range h.ledger.LastKeys("day:", -1) {
		if day = strings.TrimPrefix(day, "day:"); day >= out.Since.Format(time.DateOnly) && day <= out.Until.Format(time.DateOnly) {
			p.Days = append(p.Days, day)
		}
	}
	for _, key := range h.atWork(p.Days) {
		if d := h.done(w, key, p); len(d.Outcomes)+d.Others+len(d.Refs)+len(d.OpenEnds) > 0 {
			out.Projects = append(out.Projects, d)
		}
	}
	for _, day := range h.ledger.LastKeys("day:", -1) { // latest first
		if day = strings.TrimPrefix(day, "day:"); len(out.Projects) == 0 && out.Last == "" && day < out.Since.Format(time.DateOnly) {
			out.Last = day
		}
	}
	return out
}

// atWork returns the keys of the projects with sessions on some days, by name.
func (h *History) atWork(days []string) []string {
	keys := map[string]bool{}
	for _, day := range days {
		for _, row := range h.ledger.NotesWithKey("day:" + day) {
			keys[facts.Decode(row.Facts, h.ledger.Harmed).Project] = true
		}
	}
	name := func(key string) string { return strings.ToLower(identity.ShortName(key)) }
	return slices.SortedFunc(maps.Keys(keys), func(a, b string) int { return cmp.Or(strings.Compare(name(a), name(b)), strings.Compare(a, b)) })
}

func (h *History) done(w writer, key string, p pages.Period) Done {
	d := Done{Project: w.text(key), Name: w.text(identity.ShortName(key)), Outcomes: []Outcome{}}
	var rows []facts.Told
	for i, s := range h.index(key).Sessions {
		if !slices.ContainsFunc(s.Days, func(day string) bool { return slices.Contains(p.Days, day) }) {
			continue
		}
		came, files := p.Outcome(s), len(s.Files)+s.MoreFiles
		if outcome.IsQuestion(came) && files > 0 {
			came = texts.Count(files, "file", "files") + " changed"
		}
		if s.Matters() && !outcome.IsQuestion(came) {
			d.Outcomes = append(d.Outcomes, w.outcome(s, came))
		} else {
			d.Others++
		}
		for _, r := range p.Rows(s, facts.RowRef) {
			rows = append(rows, facts.Told{Session: &h.index(key).Sessions[i], Row: r})
		}
	}
	d.Refs = w.refs(rows, func(string) bool { return true })
	d.OpenEnds = w.ends(slices.DeleteFunc(slices.Clone(h.index(key).Threads()), func(t ends.Thread) bool { return !p.Holds(facts.Facts{}, t.Since()) }))
	return d
}

// refOf returns what a row names, in the project's own terms.
func refOf(t facts.Told) (kind, value string) {
	kind, value, _ = strings.Cut(t.Row.What, ":")
	if issue, ok := names.IssueNamed(t.Session.Project, kind, value); ok {
		value = issue.ValueIn(t.Session.Project)
	}
	return kind, value
}

// Lines returns the standup as lines of markdown within a budget of tokens; 0: all.
func (s Standup) Lines(budget int) []string {
	title := "# Done from " + s.Since.Format(time.DateOnly) + " to " + s.Until.Format(time.DateOnly)
	if s.Since.Format(time.DateOnly) == s.Until.Format(time.DateOnly) {
		title = "# Done on " + s.Until.Format(time.DateOnly)
	}
	sections := []section{{lines: []string{title}}}
	for _, d := range s.Projects {
		sections = append(sections, section{heading: escape.Heading(d.Name), first: 1, step: 1, lines: d.lines(s.short)})
	}
	if len(s.Projects) == 0 {
		nothing := "Nothing."
		if s.Last != "" {
			nothing = "Nothing. The last session was on " + s.Last + ": sessionloom standup " + s.Last
		}
		sections = append(sections, section{first: 1, lines: []string{nothing}})
	}
	return fit(sections, budget)
}

func (d Done) lines(short ids) (out []string) {
	const mostOpened = 5 // limit of new open items of a project
	for _, o := range d.Outcomes {
		if !d.listed(o) {
			out = append(out, o.line(short))
		}
	}
	for i := 0; i < len(d.Refs); {
		r, more := d.Refs[i], 1
		for i+more < len(d.Refs) && d.Refs[i+more].Type == sources.Commit && r.Type == sources.Commit && d.Refs[i+more].Session == r.Session {
			more++
		}
		out = append(out, r.line(short, more))
		i += more
	}
	for i, e := range d.OpenEnds {
		if i == mostOpened {
			out = append(out, "- Open: "+strconv.Itoa(len(d.OpenEnds)-i)+" more")
			break
		}
		out = append(out, e.line(short, "Open: "))
	}
	if d.Others > 0 {
		and := "and "
		if len(out) == 0 {
			and = ""
		}
		out = append(out, "- "+and+texts.Count(d.Others, "session", "sessions")+" that changed nothing")
	}
	return out
}

// listed reports whether an outcome only names the commits and pull requests of its session.
func (d Done) listed(o Outcome) bool {
	return slices.ContainsFunc(d.Refs, func(r Ref) bool {
		return r.Session == o.Session && strings.Contains(o.Outcome, cmp.Or(r.Value, r.Text))
	})
}

// line returns the line of a commit, pull request or issue, which stands for that many commits of its session.
func (r Ref) line(short ids, many int) string {
	name := map[string]string{sources.PR: "Pull request ", sources.Issue: "Issue "}[r.Type] + escape.Inline(r.Value)
	if r.Type == sources.Commit {
		name = map[bool]string{true: "Commits", false: "Commit"}[many > 1]
		if r.Value != "" {
			name += " " + escape.Code(r.Value)
		}
	}
	if r.Text != "" {
		name += " " + escape.Inline(r.Text)
	}
	if many > 1 {
		name += ", and " + strconv.Itoa(many-1) + " more"
	}
	return "- " + name + short.id(r.Session, r.At)
}
