// Package pages builds the notes of a vault: what their frontmatter, body and
// navigation say. It asks the state by the interfaces of builder.go alone.
//
// The session notes are the truth on what is open. Open threads and the pages of projects show the
// same ends with boxes of the same ids: a tick there is carried into the session notes. Links to
// memory are in the nav region, which is made of notes: a saved file may vanish from its source while its
// note stays. The page of a file exists while the file is edited in hot_files.min_sessions
// sessions, that of an issue or pull request while two name it; it goes, if untouched, when a
// rewind takes that away, so that no page depends on the history of its vault.
package pages

import (
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/ends"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// Builder makes the pages of a vault. It may be used by many goroutines at once.
type Builder struct {
	Templates  *templates.Set
	Notes      Notes
	Files      Files
	Zone       *time.Location // of days and clock times
	NamesZone  *time.Location // of the times in the names of notes
	HotFiles   facts.HotFiles
	Transcript string // how much of a conversation is shown: full, digest, none
	Tokens     bool   // sessions, weeks and projects tell how many tokens were used
	HomeCount  int    // latest sessions on Home
	StaleDays  int    // days after which an open thread that nobody told of is old; 0: never
}

// Page is a note to be written.
type Page struct {
	Facts facts.Facts // with masks
	Path  string      // where it is to lie, as LayoutAgents has it
	Gone  bool        // there is nothing to tell any more
	// Body makes its text. That of a page which is made of notes alone takes nil.
	Body func(*OpenSession) (string, error)
}

// OpenSession is a session while its notes are rendered, one after the other.
type OpenSession struct {
	session.Merged
	parts [][]templates.Turn // of its note, once the first one is rendered
}

// Place is where a note is and what it is called; an empty path means that there
// is no such note.
type Place struct {
	Path  string // from the vault's root, without ".md"
	Title string
}

// Notes is what pages ask of the notes that are in the vault, or are about to. Where
// the state cannot be read it finds none: whoever writes what was made of it, or believes
// it, asks the state first.
type Notes interface {
	// Note finds a note.
	Note(id string) Place
	// Project is the index of a project, by its key.
	Project(key string) *facts.ProjectIndex
	// WithKey are the notes that carry a key, oldest first.
	WithKey(key string) []facts.Facts
	// CountWithKeys counts the notes that carry one of some keys.
	CountWithKeys(keys ...string) int
	// Latest are the notes of a type that were updated last, newest first; at most n,
	// all of them where n is negative.
	Latest(typ string, n int) []facts.Facts
	// Memory is what agents keep of a project, or of the person where it is empty, oldest first.
	Memory(project string) []facts.Facts
	// MemoryBetween is what of it was first written between two times.
	MemoryBetween(project string, from, to time.Time) []facts.Facts
	// Neighbours are the ids of the pages before and after one of the journal, of the
	// same kind; empty at the ends.
	Neighbours(id string) (before, after string)
	// Totals counts the sessions and tells their first and last times.
	Totals() (n int, first, last time.Time)
	// Threads are the open threads of all projects, those told of last first; at most n.
	Threads(n int) []Thread
	// ThreadsOf are those of one project.
	ThreadsOf(project string) []Thread
	// CountThreads counts the open threads of all projects; old are those of them that were last
	// told of before a time.
	CountThreads(before time.Time) (all, old int)
	// ActiveDays are the days on which sessions were at work, the last first; at most n.
	ActiveDays(n int) []string
	// TickedOn are the ids of the boxes that are ticked on a page.
	TickedOn(page string) []string
}

// Thread is one thing that is open in a project.
type Thread struct {
	Project string // key
	ends.Thread
}

// ThreadsIn are the open ends of a project, the latest first.
func ThreadsIn(key string, x *facts.ProjectIndex) []Thread {
	var out []Thread
	for _, t := range x.Threads() {
		out = append(out, Thread{key, t})
	}
	return out
}

// Files tells pages about our files that are not notes.
type Files interface {
	// Link is where links to a file lead that is put at a path into the folder of a
	// project, empty if its user deleted it. Without a project the path is that of
	// the managed folder.
	Link(id, project, path string) string
	// Picture is where links to a picture lead that is put at a path into the folder
	// of a project, empty if its user deleted it.
	Picture(project, path string) string
}

// local turns a time into the vault's zone; the zero time stays.
func (b *Builder) local(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.In(b.Zone)
}

func (b *Builder) spans(s *sources.Session) []templates.Span {
	// pause is how long a session rests before its next prompt counts as coming back to it.
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

// listPage is a page that is made of notes alone, as they stand when it is rendered.
func (b *Builder) listPage(f facts.Facts, path string, gone bool, view func() templates.View) *Page {
	return &Page{Facts: f, Path: path, Gone: gone, Body: func(*OpenSession) (string, error) { return b.Templates.Page(view()) }}
}
