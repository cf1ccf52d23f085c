// Package ends finds what sessions left open, and tells what of it nobody closed. An end rests on
// an act that the log records: the last state of a task list, a box of a plan, a question that a
// tool asked, a prompt that ended in an error. Prose counts nowhere. The package is pure: the same
// sessions give the same threads.
package ends

import (
	"cmp"
	"html"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// Kind is the act that an end rests on.
type Kind string

// The kinds of ends.
const (
	List     Kind = "list"     // an item of the agent's task list
	Box      Kind = "box"      // a box of a plan
	Question Kind = "question" // that a tool asked
	Plan     Kind = "plan"     // that the agent showed
	Prompt   Kind = "prompt"   // that an error left without an answer
)

// Mention is one end of a session: open, or done.
type Mention struct {
	Text    string
	Kind    Kind
	Done    bool
	Turn    int // index of the turn that it stands in, -1: none
	Session string
	At      time.Time
	Place   int    // its order in the session
	ID      string // of its block
	Todo    string // id of the item in the task list
	Plan    string // name of the plan that a box stands in
	Block   string // of its turn, where only the note is known
	Ticked  bool   // the person ticked its box
}

// Shown is the text as pages and lists have it.
func (m Mention) Shown() string {
	if m.Kind == Prompt {
		return "not answered: " + m.Text
	}
	return m.Text
}

// Thread is one thing that was left open, as all sessions of a project tell it, newest first.
type Thread struct{ Mentions []Mention }

// Newest is the mention of the thread that counts.
func (t Thread) Newest() Mention { return t.Mentions[0] }

// Since is when it was first told of.
func (t Thread) Since() time.Time { return t.Mentions[len(t.Mentions)-1].At }

// ID is that of the thread in the session that told of it first.
func (t Thread) ID() string { return t.Mentions[len(t.Mentions)-1].ID }

// OlderFirst orders mentions by when they were told.
func OlderFirst(a, b Mention) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Place, b.Place))
}

// Fold returns the open threads of a project. Mentions of the same text are one thread, and the newest
// one reports whether it is open. Threads come in the order in which they began.
func Fold(mentions []Mention) []Thread {
	mentions = slices.Clone(mentions)
	slices.SortStableFunc(mentions, OlderFirst)
	var all []Thread
	at := map[string]int{}
	for _, m := range mentions {
		key := Key(m.Text)
		i, known := at[key]
		switch {
		case known:
			all[i].Mentions = slices.Insert(all[i].Mentions, 0, m)
		case !m.Done: // what was never open is no thread
			at[key] = len(all)
			all = append(all, Thread{[]Mention{m}})
		}
	}
	return slices.DeleteFunc(all, func(t Thread) bool { return t.Newest().Done || t.Newest().Ticked })
}

// Key is what texts of ends are compared by: without regard to case, white space, the marks of
// markdown and final punctuation.
func Key(text string) string {
	text = texts.OneLine(marks.Replace(strings.ToLower(withoutTargets(text))))
	bare := strings.TrimSpace(strings.TrimRight(text, ".!?:;,…。！？：；、"))
	return cmp.Or(bare, text)
}

var (
	marks      = strings.NewReplacer("*", "", "_", "", "`", "", "~~", "")
	linkTarget = pattern.Lazy(`\[([^\[\]]*)\]\([^()\s]*\)`)
	masked     = pattern.Lazy("\ue000[^\ue001]*\ue001|\\[redacted(:[^\\]]*)?\\]")
)

// withoutTargets takes away what markdown and masks add to a text.
func withoutTargets(text string) string {
	text = html.UnescapeString(text)
	if strings.Contains(text, "[redacted") || strings.Contains(text, "\ue000") {
		text = masked().ReplaceAllString(text, " redacted ")
	}
	if strings.Contains(text, "](") {
		text = linkTarget().ReplaceAllString(text, "$1")
	}
	if texts.IsASCII(text) {
		return text
	}
	return norm.NFKC.String(text)
}

// wordsKey gives the id of an end. It knows letters, digits and signs of mathematics alone, as the
// ids of earlier builds do, so that what was ticked in their notes stays ticked.
func wordsKey(text string) string {
	words := strings.FieldsFunc(strings.ToLower(withoutTargets(text)), func(r rune) bool {
		return !texts.IsWordRune(r) && !unicode.Is(unicode.Sm, r)
	})
	if len(words) == 0 {
		return texts.OneLine(text)
	}
	return strings.Join(words, " ")
}

const maxStart = 120 // how much of a prompt is compared, in bytes

// StartOf is what the beginnings of two prompts are compared by.
func StartOf(prompt string) string {
	return texts.Digest(Key(texts.CutRunes(texts.OneLine(prompt), maxStart)), 8)
}
