package ends

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Event is something that was done, and may be what a thread speaks of.
type Event struct {
	Kind    EventKind
	Text    string // a commit's subject, the text of a box, a sentence of an answer
	Session string
	Project string // its key
	At      time.Time
	Place   int    // its order in the session
	From    string // what says it: id of a turn's block, "plan", "cp3"
	What    string // "commit:63eee27"
	words   Words
}

// EventKind tells what was done.
type EventKind string

// The kinds of events.
const (
	OfCommit EventKind = "commit"
	OfBox    EventKind = "box"
	OfTodo   EventKind = "todo"
	OfIssue  EventKind = "issue"
	OfAnswer EventKind = "answer"
)

// maxEvidence is the most that is shown for one thread.
const maxEvidence = 3

// Project is a project as a text names it.
type Project struct{ key, words string }

// ProjectOf is a project by its key and its name.
func ProjectOf(key, name string) Project { return Project{key, spaced(name)} }

// Events are events by their words.
type Events struct {
	list   []Event
	byWord map[string][]int
}

// NewEvents prepares events for being compared with many threads.
func NewEvents(list []Event) *Events {
	e := &Events{list: list, byWord: map[string][]int{}}
	for i := range list {
		list[i].words = WordsOf(list[i].Text)
		for _, w := range list[i].words {
			e.byWord[w] = append(e.byWord[w], i)
		}
	}
	return e
}

// Evidence finds what may have done a thread of a project, whose name has the words project: events
// after its newest wording that share its words, the latest first. events are those of the project
// and of those that the thread names. Nothing is decided by it: the reader decides.
func Evidence(t Thread, project Words, events ...*Events) []Event {
	newest := t.Newest()
	words, key := WordsOf(newest.Text), Key(newest.Text)
	var out []Event
	for _, of := range events {
		for _, i := range candidates(of.byWord, words) {
			e, own := &of.list[i], project
			if e.Session == newest.Session {
				own = nil
			}
			if e.isAfter(newest) && words.Alike(e.words, own) > 0 && !e.isPartOf(newest.Session, key) {
				out = append(out, *e)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Event) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Place, b.Place))
	})
	return out[:min(len(out), maxEvidence)]
}

func (e *Event) isAfter(m Mention) bool {
	if e.Session == m.Session && e.At.Equal(m.At) {
		return e.Place > m.Place
	}
	return e.At.After(m.At)
}

// isPartOf says that an event is what an end of a session itself says.
func (e *Event) isPartOf(session, key string) bool {
	own := Key(e.Text)
	return own == key || e.Session == session && strings.Contains(key, own)
}

// Named are the keys of the projects but its own that a thread of a project, whose key is given, names
// in any of its wordings: "docs site" is the project docs-site.
func Named(t Thread, key string, projects []Project) []string {
	text := ""
	for _, m := range t.Mentions {
		text += " " + spaced(m.Text) + " \n"
	}
	var keys []string
	for _, p := range projects {
		if p.key != key && p.words != "" && strings.Contains(text, " "+p.words+" ") {
			keys = append(keys, p.key)
		}
	}
	return keys
}

// spaced is a text with single blanks between its words.
func spaced(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(plain(text)), func(r rune) bool { return !isWordRune(r) }), " ")
}
