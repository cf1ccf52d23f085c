package content

import (
	"cmp"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// Task is one thing to do that a session left open or did.
type Task struct {
	Key    string   // see TaskKey
	Text   string   // one line, as the source says it
	State  string   // open, in_progress, blocked, done
	Origin string   // "plan", "todo", "checkpoint 3"
	After  []string // what it waits for and is not done
	At     time.Time
}

// taskLimit is the length of a task's text in bytes.
const taskLimit = 300

// Tasks gathers what a session left open and what it did: its todos, the
// boxes of its plan and of its checkpoints, and the next steps of the newest
// checkpoint. Of one text the latest word counts: todos and plan are how things
// stand now, the checkpoints before them in their order.
//
// A checkpoint sums up the session so far, so boxes left open by an older one
// are not taken: they stand in the newest again, or were put in other words.
func Tasks(s *sources.Session) (open, done []Task) {
	var b taskBook
	for _, state := range []string{sources.TodoInProgress, sources.TodoOpen, sources.TodoBlocked, sources.TodoDone} {
		b.addTodos(s.Todos, state)
	}
	for _, a := range s.Artifacts {
		if a.Kind == sources.Plan {
			for _, t := range boxLines(a.Text) {
				b.add(t, "plan", a.At)
			}
		}
	}
	b.addCheckpoints(s.Checkpoints)
	return b.split()
}

// taskBook keeps the first word on each text; callers speak latest first.
type taskBook struct {
	list []Task
	has  map[string]bool
}

func (b *taskBook) add(t Task, origin string, at time.Time) {
	t.Text = texts.CutWords(texts.OneLine(t.Text), taskLimit)
	t.Key, t.Origin, t.At = TaskKey(t.Text), origin, at
	if t.Text == "" || b.has[t.Key] {
		return
	}
	if b.has == nil {
		b.has = make(map[string]bool)
	}
	b.has[t.Key] = true
	b.list = append(b.list, t)
}

// addCheckpoints adds the boxes of the newest checkpoint, what older ones
// ticked, and the newest one's next steps. These have the last word, as a step
// that repeats something done is done, and yet stand before the boxes.
func (b *taskBook) addCheckpoints(checkpoints []sources.Checkpoint) {
	if len(checkpoints) == 0 {
		return
	}
	start := len(b.list)
	for i := len(checkpoints) - 1; i >= 0; i-- {
		c := checkpoints[i]
		for _, t := range boxLines(c.WorkDone) {
			if t.State == sources.TodoDone || i == len(checkpoints)-1 {
				b.add(t, checkpointOrigin(c.Number), c.At)
			}
		}
	}
	boxes, newest := len(b.list), checkpoints[len(checkpoints)-1]
	for _, t := range NextSteps(newest.NextSteps) {
		b.add(t, checkpointOrigin(newest.Number), newest.At)
	}
	b.list = slices.Concat(b.list[:start], b.list[boxes:], b.list[start:boxes])
}

func (b *taskBook) addTodos(todos []sources.Todo, state string) {
	titles, done := make(map[string]string, len(todos)), make(map[string]bool, len(todos))
	for _, t := range todos {
		titles[t.ID], done[t.ID] = t.Title, t.Status == sources.TodoDone
	}
	for _, t := range todos {
		if known := isTodoState(t.Status); known && t.Status != state || !known && state != sources.TodoOpen {
			continue
		}
		th := Task{Text: cmp.Or(t.Title, t.Description, t.ID), State: state}
		for _, id := range t.After {
			if done[id] {
				continue
			}
			th.After = append(th.After, texts.CutWords(texts.OneLine(cmp.Or(titles[id], id)), taskLimit))
		}
		b.add(th, "todo", t.At)
	}
}

func isTodoState(s string) bool {
	switch s {
	case sources.TodoOpen, sources.TodoInProgress, sources.TodoBlocked, sources.TodoDone:
		return true
	}
	return false
}

func (b *taskBook) split() (open, done []Task) {
	for _, t := range b.list {
		if t.State == sources.TodoDone {
			done = append(done, t)
		} else {
			open = append(open, t)
		}
	}
	return open, done
}

// TaskBox is a task box as it stands in a note of the vault.
type TaskBox struct {
	Key     string // see TaskKey
	Text    string
	Ticked  bool
	Session string
	At      time.Time
}

// OpenTasks gives what is open over all sessions of one project, newest
// first: a box ticked at the time of an open one or later closes it, and a text
// that is open in several sessions is shown once, for the newest.
func OpenTasks(facts []TaskBox) []TaskBox {
	closed := make(map[string]time.Time)
	for _, f := range facts {
		if at, ok := closed[f.Key]; f.Ticked && (!ok || f.At.After(at)) {
			closed[f.Key] = f.At
		}
	}
	newest := make(map[string]TaskBox)
	for _, f := range facts {
		if f.Ticked {
			continue
		}
		if at, ok := closed[f.Key]; ok && !at.Before(f.At) {
			continue
		}
		if have, ok := newest[f.Key]; !ok || compareBoxes(f, have) < 0 {
			newest[f.Key] = f
		}
	}
	return slices.SortedFunc(maps.Values(newest), compareBoxes)
}

func compareBoxes(a, b TaskBox) int {
	return cmp.Or(b.At.Compare(a.At), strings.Compare(a.Text, b.Text),
		strings.Compare(a.Session, b.Session), strings.Compare(a.Key, b.Key))
}

// linkTarget is the part of a link that is not read; secret is a mask, numbered
// or not. A box has one key in a session and in the note made of it.
var (
	linkTarget = regexp.MustCompile(`\]\([^()\s]*\)`)
	secret     = regexp.MustCompile("\ue000[^\ue001]*\ue001|\\[redacted(:[^\\]]*)?\\]")
)

// TaskKey is what texts of boxes are compared by: their words, without
// regard to markdown, punctuation, case and white space. A text without words
// is its own key.
func TaskKey(text string) string {
	plain := html.UnescapeString(text)
	if strings.ContainsAny(plain, "\ue000[]") {
		plain = linkTarget.ReplaceAllString(secret.ReplaceAllString(plain, " redacted "), "]")
	}
	plain = norm.NFKC.String(plain)
	words := strings.FieldsFunc(strings.ToLower(plain), func(r rune) bool {
		return !texts.IsWordRune(r) && !unicode.Is(unicode.Sm, r)
	})
	if len(words) == 0 {
		return texts.OneLine(text)
	}
	return strings.Join(words, " ")
}
