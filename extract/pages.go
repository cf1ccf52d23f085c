package extract

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// planPages plans the pages that are due: those that list notes and are made of
// facts alone.
func (p *pass) planPages(ctx context.Context, planned map[string]bool) ([]*draft, error) {
	var out []*draft
	due := p.due.list(ledger.DuePage)
	slices.SortFunc(due, func(a, b string) int {
		if c := pageOrder(a) - pageOrder(b); c != 0 {
			return c
		}
		return strings.Compare(a, b)
	})
	for _, id := range due {
		if planned[ledger.DuePage+id] || p.failed[ledger.DuePage+id] {
			continue
		}
		planned[ledger.DuePage+id] = true
		d, err := p.planOnePage(ctx, id)
		if err != nil {
			return nil, err
		}
		switch {
		case d != nil:
			planned[noteDrafted+id] = true
			out = append(out, d)
		case !p.failed[ledger.DuePage+id]:
			if err := p.due.done(ledger.DuePage, id); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// pageOrder puts pages before those that show their facts.
func pageOrder(id string) int {
	kind, _, _ := strings.Cut(id, ":")
	return slices.Index(listPages, kind)
}

// listPages are the types of pages that list notes, each before those that show
// its facts.
var listPages = []string{names.TypeFile, names.TypeDay, names.TypeWeek, names.TypeProject, names.TypeThreads, names.TypeHome}

// buildPage drafts a page of what is known; nil where it has nothing to say.
func (p *pass) buildPage(id string) (*draft, error) {
	kind, rest, _ := strings.Cut(id, ":")
	build := map[string]func(string) (*draft, error){
		names.TypeFile: p.filePage, names.TypeDay: p.dayPage, names.TypeWeek: p.weekPage, names.TypeProject: p.projectPage,
		names.ThreadsID: p.threadsPage, names.HomeID: p.homePage,
	}[kind]
	if build == nil {
		return nil, nil
	}
	return build(rest)
}

// planOnePage plans a page. One that cannot be planned stays due, and the others
// are planned all the same.
func (p *pass) planOnePage(ctx context.Context, id string) (d *draft, err error) {
	var failed error
	err = p.alone(ctx, func() (err error) {
		if d, err = p.planPage(id); err != nil {
			err = fmt.Errorf("plan page %q: %w", id, err)
		}
		return err
	}, func(err error) {
		p.failDue(ledger.DuePage, id, err)
		d, failed = nil, p.dropUnwritten(id)
	})
	return d, errors.Join(err, failed)
}

// planPage plans one page; nil means that nothing is to be written.
func (p *pass) planPage(id string) (*draft, error) {
	d, err := p.buildPage(id)
	if err != nil || d == nil {
		return nil, err
	}
	d.kind, d.owner = ledger.DuePage, id
	d.long = names.TrimMD(d.path) + names.PageTaken
	plan := p.plan
	if d.remove {
		plan = p.planRemoval
	}
	ok, err := plan(d, nil)
	if err != nil || !ok {
		return nil, err
	}
	return d, nil
}

// planRemoval plans that a page which lists nothing any more goes, if it is
// wholly ours.
func (p *pass) planRemoval(d *draft, _ *openSession) (bool, error) {
	row, known, err := p.Ledger.Note(d.facts.ID)
	if err != nil || !known {
		return false, err
	}
	if row.State == ledger.Planned {
		return false, p.dropNote(row)
	}
	if !row.State.Stands() || p.absent[row.ID] || !ours(row) {
		return false, nil
	}
	d.shown, d.row, d.path = d.facts.Normalized(), row, row.Path
	if d.planned, err = facts.Decode(row.Facts); err != nil {
		return false, err
	}
	return true, p.Ledger.SetState(row.ID, ledger.Leaving)
}

// planNavs plans the notes of which only the navigation is due.
func (p *pass) planNavs(ctx context.Context, planned map[string]bool) ([]*draft, error) {
	var out []*draft
	for _, id := range p.due.list(ledger.DueNav) {
		if p.failed[ledger.DueNav+id] {
			continue
		}
		err := p.alone(ctx, func() error {
			d, err := p.planNav(id, planned[noteDrafted+id])
			if err == nil && d != nil {
				out = append(out, d)
			}
			return err
		}, func(err error) { p.failDue(ledger.DueNav, id, err) })
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// planNav plans the navigation of one note, nil where nothing is to be written.
// whole says that all of the note is drafted.
func (p *pass) planNav(id string, whole bool) (*draft, error) {
	row, known, err := p.Ledger.Note(id)
	if err != nil || known && p.leftOut(row) {
		return nil, err
	}
	if known && p.forgottenNote(row) {
		if d, err := p.planForgotten(row); err != nil || d != nil {
			return d, err
		}
		known = false
	}
	if !known || !p.writable(row) || whole || p.Vault.Buried(id) {
		return nil, p.due.done(ledger.DueNav, id)
	}
	f, err := facts.Decode(row.Facts)
	return &draft{facts: f, shown: f, planned: f, row: row, path: row.Path, kind: ledger.DueNav, owner: id, session: row.Session}, err
}

// noteDrafted marks the ids of notes that are drafted whole, with their navigation.
const noteDrafted = "note "

// leftOut tells that the scope leaves a note of a session out.
func (p *pass) leftOut(row ledger.NoteRow) bool {
	return row.Session != "" && !p.inScope(row.Session, identity.ProjectFromKey(row.Project), row.Updated)
}

// What is listed on pages.
const (
	projectSessions = 25
	projectOpen     = 30
	projectMemory   = 60
	projectRefs     = 30
	projectWeeks    = 26
	projectHot      = 10 // in the chart
	homeOpen        = 12
	homeWeeks       = 6
	weekRefs        = 8
	periodOpen      = 20 // of a day or week
	homeMemory      = 60
	threadsShown    = 300
	fileSessions    = 60
	fileTogether    = 5
)

// sessionRow lists a session; open is the number of its open ends.
func (p *pass) sessionRow(f facts.Facts, open int, withProject bool) templates.SessionRow {
	row := templates.SessionRow{At: p.local(f.Created), Link: p.sessionLink(f), What: whatCame(f), Prompts: f.Turns, Open: open}
	if withProject {
		row.Project = p.projectLink(f.Project)
	}
	return row
}

// whatCame says in a few words what came of a session.
func whatCame(f facts.Facts) string {
	var parts, issues []string
	commits := 0
	for _, r := range f.Refs {
		kind, value, _ := strings.Cut(r, " ")
		switch kind {
		case sources.Commit:
			commits++
		case sources.PR:
			parts = append(parts, "PR "+value)
		case sources.Issue:
			issues = append(issues, "issue "+value)
		}
	}
	parts = append(parts, issues...)
	if len(parts) > 4 {
		parts = append(parts[:4], "…")
	}
	if commits == 1 {
		parts = append(parts, "1 commit")
	} else if commits > 1 {
		parts = append(parts, fmt.Sprintf("%d commits", commits))
	}
	refs := strings.Join(parts, ", ")
	summary := texts.Cut(texts.FirstSentence(f.Summary), 140)
	if refs == "" && summary == "" {
		return facts.FilesChanged(f)
	}
	if refs == "" || summary == "" {
		return refs + summary
	}
	return refs + ": " + summary
}

// weeks counts sessions by ISO week, oldest first, with empty weeks between.
func (p *pass) weeks(sessions []facts.Facts) []templates.Week {
	if len(sessions) == 0 {
		return nil
	}
	monday := func(t time.Time) time.Time {
		t = p.local(t)
		t = time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, time.UTC)
		return t.AddDate(0, 0, -(int(t.Weekday())+6)%7)
	}
	counts := map[time.Time]int{}
	first, last := monday(sessions[0].Created), monday(sessions[0].Created)
	for _, s := range sessions {
		w := monday(s.Created)
		counts[w]++
		if w.Before(first) {
			first = w
		}
		if w.After(last) {
			last = w
		}
	}
	var out []templates.Week
	for w := last; !w.Before(first) && len(out) < projectWeeks; w = w.AddDate(0, 0, -7) {
		_, n := w.ISOWeek()
		out = append(out, templates.Week{Label: fmt.Sprintf("W%02d", n), Count: counts[w]})
	}
	slices.Reverse(out)
	return out
}
