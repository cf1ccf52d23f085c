package pages

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// An issue or pull request has a page while at least this many sessions name it, one of them for sure.
const issueSessions = 2

// Limits of its lists.
const (
	issueListed = 20 // sessions, days, commits, files
	issueAsked  = 3  // prompts of a session
)

// naming is a session that names an issue, with its rows.
type naming struct {
	session facts.Facts
	rows    []facts.Row // rows by time, not empty
}

// namings returns the sessions that name an issue, oldest first; none if all of them may mean another one.
func (b *Builder) namings(issue names.Issue) (out []naming) {
	sure := false
	for _, s := range b.Notes.WithKey(issue.Key()) {
		n := naming{session: s}
		for _, i := range s.Issues() {
			if i.ID() == issue.ID() {
				n.rows, sure = append(n.rows, i.Row), sure || !i.Guessed
			}
		}
		slices.SortStableFunc(n.rows, func(a, b facts.Row) int { return a.At.Compare(b.At) })
		out = append(out, n)
	}
	if !sure {
		return nil
	}
	return out
}

// at returns when a row names the issue, as far as known.
func (n naming) at(r facts.Row) time.Time { return cmp.Or(r.At, n.session.LastChange()) }

// did returns the rows of a session's work on an issue by key: all if it opened the issue or worked on it,
// else those from the prompt on that names it.
func (n naming) did(key string) (out []facts.Row) {
	first := n.rows[0]
	for _, r := range n.session.Of(key) {
		if first.Key != facts.RowNamed || r.At.IsZero() || !r.At.Before(first.At) {
			out = append(out, r)
		}
	}
	return out
}

func (b *Builder) issuePage(issue names.Issue) *Page {
	in := b.namings(issue)
	f := facts.Facts{ID: issue.ID(), Type: issue.Type, Title: issueTitle(issue, in), Project: issue.Project, Sessions: len(in)}
	f.Created, f.Updated = issueSpan(in)
	return b.listPage(f, issue.Path(), len(in) < issueSessions, func() templates.View { return b.issueView(issue) })
}

func issueTitle(issue names.Issue, in []naming) string {
	title, told := strings.ToUpper(issue.Word()[:1])+issue.Word()[1:]+" "+issue.Number, facts.Row{}
	for _, n := range in {
		for _, r := range n.rows {
			if r.Key == facts.RowRef && r.Text != "" && !r.At.Before(told.At) {
				told = r
			}
		}
	}
	if told.Text != "" {
		title += ": " + told.Text
	}
	return title
}

func issueSpan(in []naming) (first, last time.Time) {
	for _, n := range in {
		for _, r := range n.rows {
			at := n.at(r)
			if first.IsZero() || !at.IsZero() && at.Before(first) {
				first = at
			}
			if at.After(last) {
				last = at
			}
		}
	}
	return first, last
}

func (b *Builder) issueView(issue names.Issue) templates.View {
	in := b.namings(issue)
	v := templates.Issue{Name: templates.Text(issueTitle(issue, in)), Where: templates.Text(issue.ValueIn("")), URL: templates.Address(issue.URL()),
		Project: b.projectLink(issue.Project), Count: len(in)}
	first, last := issueSpan(in)
	v.First, v.Last = b.local(first), b.local(last)
	for _, n := range in {
		v.Sessions = append(v.Sessions, b.issueSession(issue, n))
	}
	v.Sessions, v.MoreSessions = lastOf(v.Sessions)
	v.Days, v.MoreDays = lastOf(b.issueDays(in))
	v.Commits, v.MoreCommits = lastOf(b.issueCommits(in))
	v.Files = b.issueFiles(issue, in)
	v.MoreFiles = max(0, len(v.Files)-issueListed)
	v.Files = v.Files[:len(v.Files)-v.MoreFiles]
	return v
}

// lastOf returns the last elements of a list, and how many are before them.
func lastOf[T any](list []T) (last []T, more int) {
	more = max(0, len(list)-issueListed)
	return list[more:], more
}

func (b *Builder) issueSession(issue names.Issue, n naming) templates.IssueSession {
	first := n.rows[0]
	v := templates.IssueSession{At: b.local(n.at(first)), Link: b.rowLink(n.session, first, n.session.Title), What: templates.Text(n.session.Summary)}
	if n.session.Project != issue.Project {
		v.Project = b.projectLink(n.session.Project)
	}
	for _, r := range n.rows {
		if r.Key == facts.RowNamed && len(v.Asked) < issueAsked {
			v.Asked = append(v.Asked, templates.Entry{What: templates.Text(r.Text), Link: b.rowLink(n.session, r, dayText(b.local(n.at(r))))})
		}
	}
	return v
}

func (b *Builder) issueDays(in []naming) (out []templates.Link) {
	var days []string
	for _, n := range in {
		for _, r := range n.rows {
			day := n.session.LastDay()
			if !r.At.IsZero() {
				day = b.local(r.At).Format(time.DateOnly)
			}
			if day != "" {
				days = append(days, day)
			}
		}
	}
	slices.Sort(days)
	for _, day := range slices.Compact(days) {
		out = append(out, b.dayLink(day))
	}
	return out
}

func (b *Builder) issueCommits(in []naming) (out []templates.Entry) {
	seen := map[string]bool{}
	for _, n := range in {
		for _, r := range n.did(facts.RowRef) {
			hash, commit := strings.CutPrefix(r.What, sources.Commit+":")
			if commit && !seen[r.Ref()] {
				seen[r.Ref()] = true
				out = append(out, templates.Entry{At: b.local(n.at(r)), Link: b.rowLink(n.session, r, cmp.Or(hash, "commit")), What: templates.Text(r.Text)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b templates.Entry) int { return a.At.Compare(b.At) })
	return out
}

func (b *Builder) issueFiles(issue names.Issue, in []naming) (out []templates.FileRow) {
	at := map[string]int{}
	for _, n := range in {
		counted := map[string]bool{}
		for _, r := range n.did(facts.RowFile) {
			id := names.FileID(n.session.Project, r.Text)
			i, known := at[id]
			if !known {
				i, at[id] = len(out), len(out)
				text := r.Text
				if n.session.Project != issue.Project {
					text = identity.ShortName(n.session.Project) + ": " + text
				}
				out = append(out, templates.FileRow{Link: b.link(id, text)})
			}
			if !counted[id] {
				counted[id] = true
				out[i].Sessions++
			}
		}
	}
	slices.SortStableFunc(out, func(a, b templates.FileRow) int { return cmp.Compare(b.Sessions, a.Sessions) })
	return out
}
