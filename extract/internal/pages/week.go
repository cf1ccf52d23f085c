package pages

import (
	"cmp"
	"github.com/sessionloom/sessionloom/extract/internal/decisions"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

func (b *Builder) weekPage(week string) *Page {
	monday, ok := names.MondayOf(week)
	if !ok {
		return nil
	}
	n := b.Notes.CountWithKeys(daysOf(monday)...)
	f := facts.Facts{ID: names.WeekID(week), Type: names.TypeWeek, Title: names.WeekTitle(monday), Created: b.midnight(monday), Updated: b.midnight(monday.AddDate(0, 0, 6)), Sessions: n}
	return b.listPage(f, names.WeekPath(week), n == 0, func() templates.View { return b.weekView(monday) })
}

func (b *Builder) midnight(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, b.Zone)
}

func mondayOf(t time.Time) time.Time {
	monday, _ := names.MondayOf(names.WeekOf(t.Format(time.DateOnly)))
	return monday
}

// weekLink links to the page of a week; within a year by its number.
func (b *Builder) weekLink(week string) templates.Link {
	monday, _ := names.MondayOf(week)
	return b.link(names.WeekID(week), names.WeekTitle(monday))
}

func daysOf(monday time.Time) (keys []string) {
	for _, day := range names.DaysOf(monday) {
		keys = append(keys, "day:"+day)
	}
	return keys
}

func (b *Builder) sessionsOfWeek(monday time.Time) []facts.Facts {
	var out []facts.Facts
	for _, key := range daysOf(monday) {
		out = append(out, b.Notes.WithKey(key)...)
	}
	slices.SortFunc(out, byProject)
	return slices.CompactFunc(out, func(a, b facts.Facts) bool { return a.ID == b.ID })
}

// byProject orders projects by their displayed names.
func byProject(a, b facts.Facts) int {
	if a.Project == b.Project {
		return facts.OlderFirst(a, b)
	}
	name := func(f facts.Facts) string { return strings.ToLower(identity.ShortName(f.Project)) }
	return cmp.Or(strings.Compare(name(a), name(b)), strings.Compare(a.Project, b.Project))
}

func (b *Builder) weekView(monday time.Time) templates.View {
	sessions := b.sessionsOfWeek(monday)
	p := Period{names.DaysOf(monday), b.Zone}
	year, number := monday.ISOWeek()
	v := templates.WeekSummary{Year: year, Number: number, First: monday, Last: monday.AddDate(0, 0, 6)}
	for _, day := range p.Days {
		if slices.ContainsFunc(sessions, func(s facts.Facts) bool { return slices.Contains(s.Days, day) }) {
			v.Days = append(v.Days, b.weekDayLink(day))
		}
	}
	var tokens []facts.Row
	for _, s := range sessions {
		tokens = append(tokens, p.Rows(s, facts.RowTokens)...)
	}
	v.Usage = usage(sessions, tokens)
	for rest := sessions; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(f facts.Facts) bool { return f.Project != rest[0].Project })
		if n < 0 {
			n = len(rest)
		}
		v.Projects = append(v.Projects, b.weekProject(rest[:n], p))
		rest = rest[n:]
	}
	return v
}

func (b *Builder) weekDayLink(day string) templates.Link {
	l := b.dayLink(day)
	if t, err := time.Parse(time.DateOnly, day); err == nil {
		l.Text = templates.Text(t.Format("Mon"))
	}
	return l
}

// Limits of a session on a day.
const (
	periodFiles = 6
	periodOpen  = 10 // limit for a project in a week
	weekRefs    = 8
	weekDecided = 8
)

func (b *Builder) periodRow(s facts.Facts, p Period) templates.PeriodRow {
	v := templates.PeriodRow{At: b.local(s.Created), Link: b.sessionLink(s)}
	v.Continued = p.continues(s)
	for _, r := range p.Rows(s, facts.RowRef) {
		_, value, _ := strings.Cut(r.What, ":")
		ref := templates.PeriodRef{Link: b.rowLink(s, r, cmp.Or(refWord(r)+value, "commit")), Text: templates.Text(r.Text)}
		if issue, ok := facts.IssueOf(s, r); ok {
			if at := b.Notes.Note(issue.ID()).Path; at != "" {
				ref.Link.Path = templates.Path(at)
			}
		}
		v.Refs = append(v.Refs, ref)
	}
	for _, r := range p.Rows(s, facts.RowDay) {
		if v.Continued {
			v.At = b.local(r.At)
		}
		v.What = templates.Text(r.Text)
	}
	seen := map[string]bool{}
	for _, r := range p.Rows(s, facts.RowFile) {
		switch {
		case seen[r.Text]:
		case len(v.Files) == periodFiles:
			v.MoreFiles++
		default:
			v.Files = append(v.Files, templates.Code(r.Text))
		}
		seen[r.Text] = true
	}
	return v
}

func (b *Builder) rowLink(s facts.Facts, r facts.Row, text string) templates.Link {
	l := b.link(s.ID, text)
	if block := r.Block(); block != "" && l.Path != "" {
		l.Path += "#^" + templates.Path(block)
	}
	return l
}

func (b *Builder) weekProject(sessions []facts.Facts, p Period) templates.WeekProject {
	key := sessions[0].Project
	v := templates.WeekProject{Project: b.projectLink(key)}
	seen := map[string]bool{}
	for _, s := range sessions {
		if s.Matters() {
			v.Sessions = append(v.Sessions, templates.Entry{Link: b.sessionLink(s), What: templates.Text(p.Outcome(s))})
		} else {
			v.Others++
			for _, day := range s.Days {
				if l := b.weekDayLink(day); slices.Contains(p.Days, day) && !slices.Contains(v.OtherDays, l) {
					v.OtherDays = append(v.OtherDays, l)
				}
			}
		}
		for _, r := range p.Rows(s, facts.RowRef) {
			kind, value, _ := strings.Cut(r.What, ":")
			switch {
			case seen[r.Ref()] || kind == sources.Commit:
			case len(v.Refs) == weekRefs:
				v.MoreRefs++
			default:
				ref := b.refOf(key, kind, value)
				ref.Text = templates.Text(r.Text)
				v.Refs = append(v.Refs, ref)
			}
			seen[r.Ref()] = true
		}
		for _, r := range p.Rows(s, facts.RowDecision) {
			if len(v.Decided) < weekDecided && facts.IsDecision(r) {
				v.Decided = append(v.Decided, templates.Entry{What: templates.Text(decisionText(r)), Link: b.rowLink(s, r, s.Title)})
			}
		}
	}
	v.Open, v.MoreOpen = b.leftOpen(sessions, p)
	v.Memory = b.newMemory(sessions, p)
	return v
}

// decisionText returns a decision in one line, with its verdict if it was not a choice.
func decisionText(r facts.Row) string {
	if kind := decisions.Kind(r.Act()); kind == decisions.Undone || kind == decisions.Refused {
		return kind.Words() + ": " + r.Text
	}
	return r.Text
}

// leftOpen lists the items that the sessions left open in a period and that nobody closed since.
func (b *Builder) leftOpen(sessions []facts.Facts, p Period) (out []templates.OpenLine, more int) {
	var told []ends.Mention
	for _, s := range sessions {
		left := slices.DeleteFunc(s.Mentions(), func(m ends.Mention) bool { return m.Done || !p.Holds(s, m.At) })
		open, _ := b.closedLater(s, left)
		told = append(told, open...)
	}
	all := ends.Fold(told)
	for _, t := range slices.Backward(all) {
		if len(out) == periodOpen {
			return out, len(all) - periodOpen
		}
		out = append(out, templates.OpenLine{Text: templates.Text(t.Newest().Shown()), From: b.linkTo(t.Newest().Session)})
	}
	return out, 0
}

// newMemory returns the plans, research, memories and files of sessions that were first written in a period.
func (b *Builder) newMemory(sessions []facts.Facts, p Period) (out []templates.Link) {
	written := map[string]bool{}
	for _, s := range sessions {
		written[s.Session()] = true
	}
	first, _ := time.Parse(time.DateOnly, p.Days[0])
	for _, m := range b.Notes.MemoryBetween(sessions[0].Project, first.AddDate(0, 0, -1), first.AddDate(0, 0, len(p.Days)+1)) { // in any zone
		if !m.Created.IsZero() && written[m.Session()] && slices.Contains(p.Days, b.local(m.Created).Format(time.DateOnly)) {
			out = append(out, b.link(m.ID, m.Title))
		}
	}
	return out
}
