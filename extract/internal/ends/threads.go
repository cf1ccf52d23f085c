package ends

import (
	"cmp"
	"slices"
	"time"
)

// Mention is one place where a session leaves something open or shows it as done.
type Mention struct {
	Text    string
	State   State
	Origin  string // "plan", "todo", "checkpoint 3", "last answer"
	Todo    string // id of the todo it is, or names
	Turn    int    // index of the turn that says it, -1: none
	Session string
	At      time.Time
	Place   int       // its order in the session
	ID      string    // of its thread in the session, empty before that is known
	Ticked  bool      // the person ticked its box
	Before  []Mention // older wordings of the same session, newest first
	words   Words
}

// State is how a mention shows what it speaks of.
type State int

// The states of a mention.
const (
	Open    State = iota
	Unclear       // work came after it was last written, or it was said in passing
	Done          // a ticked box, a done todo
)

// Thread is one thing that was left open, in all words that were found for it, newest first.
type Thread struct{ Mentions []Mention }

// Newest is how the thread was put last.
func (t Thread) Newest() Mention { return t.Mentions[0] }

// Since is when it was first told of.
func (t Thread) Since() time.Time {
	oldest := t.Mentions[len(t.Mentions)-1]
	if n := len(oldest.Before); n > 0 {
		oldest = oldest.Before[n-1]
	}
	return oldest.At
}

// ID is that of the thread in the session that told of it first.
func (t Thread) ID() string { return t.Mentions[len(t.Mentions)-1].ID }

// Fold gathers mentions of one project into threads: what is the same in other words is one.
// Each joins the thread whose newest wording it shares the most words with, of equals the
// oldest. project is the name of the project, which tells nothing of what is open in it.
// Threads come in the order in which they began.
func Fold(mentions []Mention, project string) []Thread {
	own := WordsOf(project)
	mentions = slices.Clone(mentions)
	for i := range mentions {
		mentions[i].words = WordsOf(mentions[i].Text)
	}
	slices.SortStableFunc(mentions, func(a, b Mention) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Place, b.Place))
	})
	var out []Thread
	for _, m := range mentions {
		switch i := bestThread(out, m, own); {
		case i >= 0:
			out[i].Mentions = slices.Insert(out[i].Mentions, 0, m)
		case m.State != Done: // what was never open is no thread
			out = append(out, Thread{Mentions: []Mention{m}})
		}
	}
	return out
}

// bestThread is the thread that a mention goes on with, -1 where it begins one.
func bestThread(threads []Thread, m Mention, own Words) int {
	best, most := -1, 0.0
	for i, t := range threads {
		newest := t.Newest()
		like := 0.0
		switch {
		case Key(newest.Text) == Key(m.Text), m.Todo != "" && m.Todo == newest.Todo && m.Session == newest.Session:
			like = 2
		case m.State == Done: // in other words it may be evidence, and closes nothing
		case m.Session == newest.Session:
			like = m.words.Alike(newest.words, nil)
		default:
			like = m.words.Alike(newest.words, own)
		}
		if like > most {
			best, most = i, like
		}
	}
	return best
}

// IsClosed says that the last word on the thread is that it is done: a ticked box or a done
// todo of the same text, or a tick of its person. Overlap of words alone never closes.
func (t Thread) IsClosed() bool { return t.Newest().State == Done || t.Newest().Ticked }
