package facts

import (
	"cmp"
	"reflect"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/names"
)

// A DueKey is something to render again: all notes of a session, a page, or the navigation of a note. It
// names one, or asks for several.
type DueKey struct {
	Kind    DueKind
	Find    Find
	ID      string
	Project string
	Created time.Time // time for Around
	But     string    // the note that UnderKey leaves out
}

// DueKind is the kind of note that is due.
type DueKind string

// The kinds of notes that are rendered.
const (
	DueSession DueKind = "session" // all notes of a session
	DuePage    DueKind = "page"    // a page built from facts
	DueNav     DueKind = "nav"     // the navigation of a note
)

// Find is a query to the index of all notes and sessions.
type Find int

// The queries. Around and IfHot wait until all changes are known.
const (
	One        Find = iota // ID itself
	UnderKey               // the notes under the key ID, their sessions, or the pages of their projects
	OfType                 // the notes of the type ID
	InProject              // the sessions of the project ID, the pages of its files and issues, or its memory
	ListsIn                // the days, weeks and issues of the sessions of the project ID
	Beside                 // the pages before and after the page ID
	DaysOf                 // the days and weeks of the session ID
	DaysUnder              // the days and weeks of the sessions with the key ID
	NamedUnder             // the pages of issues named by the sessions with the key ID
	EditedIn               // the sessions that edited the file of the page ID, or the pages of issues that these name
	EditedWith             // the pages of files that were edited together with the file of page ID
	Forks                  // the forks of the session ID, theirs, and so on
	SameStart              // the sessions that begin with the turn ID
	MemoryOf               // the memories of the scope ID in Project
	Around                 // the sessions before and after the session of note ID at the time Created in Project
	WithOpen               // the pages of the projects with open threads
	IfHot                  // the page of the file ID of Project, if it exists or is due
)

// Change is a change of a note or of the record of a session.
type Change struct {
	Before, After *Facts // facts of a note; nil if it did not or does not exist
	Moved         bool   // the note's path changed

	Was, Is Record // records of a session
}

// Record is the data about a session that other notes show.
type Record struct {
	ID        string
	IsMemory  bool
	Scope     string
	Project   string
	Joined    string // the project that it would have without joining
	FirstTurn string
	Linked    string // projects of its workspace, by line
	Content   bool   // the conversation changed
}

// Dependents returns the notes that show something of a change.
func Dependents(c Change) []DueKey {
	var d dependents
	d.record(c.Was, c.Is)
	if c.Before != nil && c.After != nil && !c.Moved && reflect.DeepEqual(*c.Before, *c.After) {
		return d.keys
	}
	stays := !c.Moved && c.Before != nil && c.After != nil &&
		c.Before.Type == c.After.Type && c.Before.Project == c.After.Project && c.Before.Title == c.After.Title
	for _, f := range []*Facts{c.Before, c.After} {
		if f == nil {
			continue
		}
		d.changed(*f)
		if !stays {
			d.relocated(f.Named()) // only the id of a broken note shows what links to it
		}
	}
	d.ends(c.Before, c.After)
	return d.keys
}

// ends marks the notes that depend on changed open items of a session, as others left the same ones open.
func (d *dependents) ends(before, after *Facts) {
	type told struct {
		key, project string
		done, ticked bool
		at           int64
	}
	session := cmp.Or(after, before)
	if session == nil || session.Type != names.TypeSession {
		return
	}
	differs := map[told]bool{}
	for _, f := range []*Facts{before, after} {
		if f == nil {
			continue
		}
		own := map[told]bool{}
		for _, start := range f.starts() {
			own[told{key: waitKey(start), project: f.Project}] = true
		}
		for _, m := range f.Mentions() {
			own[told{EndKey(m), f.Project, m.Done, m.Ticked, m.At.Unix()}] = true
		}
		for t := range own {
			differs[t] = !differs[t]
		}
	}
	keys := map[string]bool{}
	for t := range differs {
		if differs[t] {
			keys[t.key] = true
			for _, start := range session.starts() {
				keys[waitKey(start)] = true
			}
		}
	}
	for key := range keys {
		d.keys = append(d.keys, DueKey{Kind: DueSession, Find: UnderKey, ID: key, But: session.ID}, DueKey{Kind: DuePage, Find: DaysUnder, ID: key})
	}
	if session.Parent != "" && len(keys) > 0 { // its list continues in the fork
		d.one(DueSession, session.Parent)
		d.find(DuePage, DaysOf, session.Parent)
	}
}

// EarnedBy returns the pages that exist while several sessions share them with this one: of the files it
// edited and the issues it names.
func EarnedBy(f Facts) []DueKey {
	var keys []DueKey
	for _, i := range f.Issues() {
		keys = append(keys, DueKey{Kind: DuePage, ID: i.ID()})
	}
	for _, path := range f.Files {
		keys = append(keys, DueKey{Kind: DuePage, Find: IfHot, ID: path, Project: f.Project})
	}
	return keys
}

type dependents struct{ keys []DueKey }

func (d *dependents) one(kind DueKind, ids ...string) {
	for _, id := range ids {
		d.find(kind, One, id)
	}
}

func (d *dependents) find(kind DueKind, find Find, id string) {
	d.keys = append(d.keys, DueKey{Kind: kind, Find: find, ID: id})
}

func (d *dependents) record(was, is Record) {
	if was == is {
		return
	}
	d.one(DueSession, is.ID)
	if is.Content {
		d.find(DueSession, Forks, is.ID)
		for _, first := range []string{is.FirstTurn, was.FirstTurn} {
			if first != "" {
				d.find(DueSession, SameStart, first)
			}
		}
	} else if is.IsMemory && was.Project != is.Project { // notes that it leaves get new names
		d.keys = append(d.keys, DueKey{Kind: DueSession, Find: MemoryOf, ID: was.Scope, Project: was.Project})
	}
}

func (d *dependents) changed(f Facts) {
	switch f.Type {
	case names.TypeSession:
		d.session(f)
	case names.TypeMemory:
		if names.IsOwnMemory(f.ID) {
			d.one(DuePage, names.HomeID)
			return
		}
		d.one(DuePage, names.ProjectID(f.Project))
		if s := f.Session(); s != "" {
			d.one(DueNav, names.SessionID(s))
			d.listedOf(f)
		}
	case names.TypeProject:
		d.one(DuePage, names.HomeID, names.ThreadsID)
	}
}

// listedOf marks the notes that link to a moved note of a session.
func (d *dependents) listedOf(f Facts) {
	d.one(DuePage, names.ThreadsID)
	d.find(DuePage, DaysOf, f.Session())
}

func (d *dependents) session(f Facts) {
	d.keys = append(d.keys, DueKey{Kind: DueNav, Find: Around, ID: f.ID, Project: f.Project, Created: f.Created})
	d.keys = append(d.keys, EarnedBy(f)...)
	d.one(DuePage, names.ProjectID(f.Project), names.HomeID, names.ThreadsID)
	for _, day := range f.Days {
		if day != "" {
			d.one(DuePage, names.DayID(day), names.WeekID(names.WeekOf(day)))
		}
	}
	if f.Parent != "" {
		d.one(DueNav, names.SessionID(f.Parent))
	}
}

func (d *dependents) relocated(f Facts) {
	switch f.Type {
	case names.TypeSession:
		d.one(DueSession, f.Session())
		d.find(DueSession, UnderKey, "fork:"+f.Session())
		d.closers(f)
	case names.TypeCheckpoint:
		d.one(DueSession, f.Session())
		d.one(DuePage, names.ProjectID(f.Project))
		d.listedOf(f)
	case names.TypePart, names.TypeMemory:
		d.one(DueSession, f.Session())
	case names.TypeProject:
		d.project(f.Project)
	case names.TypeHome:
		for _, typ := range []string{names.TypeProject, names.TypeDay, names.TypeWeek, names.TypeThreads} {
			d.find(DueNav, OfType, typ)
		}
		d.find(DueNav, InProject, "")
	case names.TypeDay:
		day := strings.TrimPrefix(f.ID, names.DayID(""))
		d.find(DueNav, UnderKey, "day:"+day)
		d.find(DuePage, NamedUnder, "day:"+day)
		d.find(DuePage, Beside, f.ID)
		d.one(DuePage, names.WeekID(names.WeekOf(day)))
	case names.TypeWeek:
		d.find(DueNav, Beside, f.ID)
		d.one(DuePage, names.HomeID)
		if monday, ok := names.MondayOf(strings.TrimPrefix(f.ID, names.WeekID(""))); ok {
			for _, day := range names.DaysOf(monday) {
				d.one(DueNav, names.DayID(day))
			}
		}
	case names.TypeThreads:
		d.one(DuePage, names.HomeID)
		d.find(DuePage, WithOpen, "")
	case names.TypeFile:
		d.file(f)
	case names.TypeIssue, names.TypePR:
		d.issue(f)
	}
}

// closers marks the sessions that link to the one that closed their open items.
func (d *dependents) closers(f Facts) {
	var keys []string
	for _, start := range f.starts() {
		keys = append(keys, waitKey(start))
	}
	for _, m := range f.Mentions() {
		keys = append(keys, EndKey(m))
	}
	for _, key := range keys {
		d.keys = append(d.keys, DueKey{Kind: DueSession, Find: UnderKey, ID: key, But: f.ID})
	}
	if f.Parent != "" {
		d.one(DueSession, f.Parent)
	}
}

func (d *dependents) project(key string) {
	d.one(DuePage, names.ProjectID(key), names.HomeID, names.ThreadsID) // its canvas shows it
	d.find(DueSession, InProject, key)
	d.find(DuePage, InProject, key)
	d.find(DueNav, InProject, key)
	d.find(DuePage, ListsIn, key)
	d.find(DueSession, UnderKey, "folder:"+key) // workspaces with its folder
	d.find(DuePage, UnderKey, "folder:"+key)
}

func (d *dependents) file(f Facts) {
	d.one(DuePage, names.ProjectID(f.Project))
	d.keys = append(d.keys,
		DueKey{Kind: DueNav, Find: EditedIn, ID: f.ID, Project: f.Project},
		DueKey{Kind: DuePage, Find: EditedIn, ID: f.ID, Project: f.Project},
		DueKey{Kind: DuePage, Find: EditedWith, ID: f.ID, Project: f.Project})
}

func (d *dependents) issue(f Facts) {
	if issue, ok := names.IssueFromID(f.ID); ok {
		d.find(DueNav, UnderKey, issue.Key())
		d.find(DuePage, UnderKey, issue.Key())
		d.find(DuePage, DaysUnder, issue.Key())
	}
}
