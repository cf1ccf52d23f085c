// Package pages builds the notes of a vault: frontmatter, body and navigation. It reads the state only
// through the interfaces of builder.go.
//
// The session notes decide what is open. Open threads and the pages of projects show the same items with
// boxes of the same ids: a tick there is copied to the session notes. Links to memory are in the nav region,
// which is made from notes: a saved file may vanish from its source while its note stays. The page of a file
// exists while hot_files.min_sessions sessions edited it, that of an issue or pull request while two name it;
// if a rewind takes that away, an unedited page is removed, so that no page depends on the history of its
// vault.
package pages

import (
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// Builder makes the pages of a vault. It is safe for concurrent use.
type Builder struct {
	Templates  *templates.Set
	Notes      Notes
	Files      Files
	Zone       *time.Location // zone of days and clock times
	NamesZone  *time.Location // zone of the times in the names of notes
	HotFiles   facts.HotFiles
	Transcript string // the part of a conversation that is shown: full, digest, none
	Tokens     bool   // show tokens of sessions, weeks and projects
	HomeCount  int    // latest sessions on Home
	StaleDays  int    // days after which an unmentioned open thread is old; 0: never
}

// Page is a note to be written.
type Page struct {
	Facts facts.Facts // facts with masks
	Path  string      // planned path in LayoutAgents
	Gone  bool        // without content now
	// Body makes its text. For a page made only of notes it is called with nil.
	Body func(*OpenSession) (string, error)
}

// OpenSession is a session whose notes are being rendered, one after the other.
type OpenSession struct {
	session.Merged
	parts [][]templates.Turn // parts of its note, set once the first one is rendered
}

// Place is path and title of a note; an empty path means that there is no such note.
type Place struct {
	Path  string // relative to the vault's root, without ".md"
	Title string
}

// Notes queries the notes that are in the vault, or planned. If the state cannot be read it finds none:
// callers check the state for errors before they use the result.
type Notes interface {
	// Note finds a note.
	Note(id string) Place
	// Project returns the index of a project, by its key.
	Project(key string) *facts.ProjectIndex
	// WithKey returns the notes that carry a key, oldest first.
	WithKey(key string) []facts.Facts
	// CountWithKeys counts the notes that carry one of some keys.
	CountWithKeys(keys ...string) int
	// Latest returns the last updated notes of a type, newest first, at most n; all if n is negative.
	Latest(typ string, n int) []facts.Facts
	// Memory returns agents' memory about a project, or about the person if it is empty, oldest first.
	Memory(project string) []facts.Facts
	// MemoryBetween returns memory that was first written between two times.
	MemoryBetween(project string, from, to time.Time) []facts.Facts
	// Neighbours returns the ids of the journal pages of the same kind before and after one, or "".
	Neighbours(id string) (before, after string)
	// Totals returns the number of sessions, with their first and last times.
	Totals() (n int, first, last time.Time)
	// Threads returns the open threads of all projects, last mentioned first, at most n.
	Threads(n int) []Thread
	// ThreadsOf returns the open threads of one project.
	ThreadsOf(project string) []Thread
	// CountThreads counts the open threads of all projects, and as old those last mentioned before a time.
	CountThreads(before time.Time) (all, old int)
	// ActiveDays returns the days with work, last first, at most n.
	ActiveDays(n int) []string
	// TickedOn returns the ids of the ticked boxes on a page.
	TickedOn(page string) []string
}

// Thread is an open item of a project.
type Thread struct {
	Project string // key
	ends.Thread
}

// ThreadsIn returns the open threads of a project, latest first.
func ThreadsIn(key string, x *facts.ProjectIndex) []Thread {
	var out []Thread
	for _, t := range x.Threads() {
		out = append(out, Thread{key, t})
	}
	return out
}

// Files returns the targets of links to generated files that are not notes.
type Files interface {
	// Link returns the target for a file at a path in the folder of a project, or in the managed folder
	// without one; "" if its user deleted it.
	Link(id, project, path string) string
	// Picture returns the target for a picture at a path in the folder of a project, or "" if its user
	// deleted it.
	Picture(project, path string) string
}

// local converts a time to the vault's zone; the zero time stays.
func (b *Builder) local(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.In(b.Zone)
}

func (b *Builder) spans(s *sources.Session) []templates.Span {
	// pause is the idle time after which the next prompt of a session counts as a return.
	const pause = 90 * time.Minute
	var out []templates.Span
	for _, t := range s.Turns {
		if t.At.IsZero() {
			continue
		}
		start, end := b.local(t.At), b.local(t.At)
		if t.End.After(t.At) {
			end = b.local(t.End)
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

// listPage returns a page made only of notes, as they are when it is rendered.
func (b *Builder) listPage(f facts.Facts, path string, gone bool, view func() templates.View) *Page {
	return &Page{Facts: f, Path: path, Gone: gone, Body: func(*OpenSession) (string, error) { return b.Templates.Page(view()) }}
}
