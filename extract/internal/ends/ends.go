// Package ends finds the open items of sessions that nobody closed. An item rests on an act in the log: the
// last state of a task list, a box of a plan, a question of a tool, a prompt that ended in an error. Prose
// does not count. The package is pure.
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

// Kind is the act behind an item.
type Kind string

// The kinds of ends.
const (
	List     Kind = "list"     // an item of the agent's task list
	Box      Kind = "box"      // a box of a plan
	Question Kind = "question" // asked by a tool
	Plan     Kind = "plan"     // shown by the agent
	Prompt   Kind = "prompt"   // left without an answer by an error
)

// Mention is an item of a session, open or done.
type Mention struct {
	Text    string
	Kind    Kind
	Done    bool
	Turn    int // index of its turn, or -1
	Session string
	At      time.Time
	Place   int    // its order in the session
	ID      string // id of its block
	Todo    string // id of the item in the task list
	Plan    string // name of the plan with the box
	Block   string // block of its turn, if only the note is known
	Ticked  bool   // the person ticked its box
}

// Shown returns the text for pages and lists.
func (m Mention) Shown() string {
	if m.Kind == Prompt {
		return "not answered: " + m.Text
	}
	return m.Text
}

// Thread is one item as mentioned by all sessions of a project, newest first.
type Thread struct{ Mentions []Mention }

// Newest returns the mention that counts.
func (t Thread) Newest() Mention { return t.Mentions[0] }

// Since returns when it was first mentioned.
func (t Thread) Since() time.Time { return t.Mentions[len(t.Mentions)-1].At }

// ID returns the id in the session that mentioned it first.
func (t Thread) ID() string { return t.Mentions[len(t.Mentions)-1].ID }

// OlderFirst orders mentions by time.
func OlderFirst(a, b Mention) int {
	return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Place, b.Place))
}

// Fold returns the open threads of a project, ordered by their start. Mentions of the same text are one
// thread, and the newest one decides whether it is open.
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
		case !m.Done: // it was never open
			at[key] = len(all)
			all = append(all, Thread{[]Mention{m}})
		}
	}
	return slices.DeleteFunc(all, func(t Thread) bool { return t.Newest().Done || t.Newest().Ticked })
}

// Key returns a text for comparison: without case, white space, the marks of markdown and final punctuation.
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

// withoutTargets removes the additions of markdown and masks from a text.
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

// wordsKey returns the key for the id of an item. As in earlier builds it has only letters, digits and signs
// of mathematics, so that boxes ticked in their notes stay ticked.
func wordsKey(text string) string {
	words := strings.FieldsFunc(strings.ToLower(withoutTargets(text)), func(r rune) bool {
		return !texts.IsWordRune(r) && !unicode.Is(unicode.Sm, r)
	})
	if len(words) == 0 {
		return texts.OneLine(text)
	}
	return strings.Join(words, " ")
}

const maxStart = 100 // compared bytes of a prompt

// StartOf returns the beginning of a prompt for comparison. A mask has other letters in a note than in a log.
func StartOf(prompt string) string {
	return texts.Digest(texts.CutRunes(Key(texts.CutRunes(texts.OneLine(prompt), 10*maxStart)), maxStart), 8)
}
