// Package decisions lists the decisions in a session that its log records: answers to questions of tools,
// plans that a person accepted or refused, calls refused with words, and work taken back. It is pure.
package decisions

import (
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sign"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// Kind is the act behind a decision.
type Kind string

// The kinds of decisions.
const (
	Answer  Kind = "answer"  // a person answered a question of a tool
	Plan    Kind = "plan"    // a person accepted a plan
	Refused Kind = "refused" // a person refused a plan or a call with words
	Undone  Kind = "undone"  // a commit or edits were taken back: a dead end
)

// Words returns a reader's words for a kind.
func (k Kind) Words() string {
	return map[Kind]string{Answer: "answered", Plan: "plan accepted", Refused: "refused", Undone: "taken back"}[k]
}

// Decision is a decision of a session.
type Decision struct {
	Text string // one line
	Kind Kind
	Turn int // index of its turn, or -1
	At   time.Time
}

// Arrow separates a question or plan from the person's words.
const Arrow = " → "

// Limits in letters: before the arrow, and of the whole.
const (
	maxPart = 160
	maxText = 380
)

// Of lists the decisions of a session, in its order.
func Of(s *sources.Session) []Decision {
	var w walker
	for _, a := range s.Acts {
		if a.Turn >= 0 && a.Turn < len(s.Turns) && s.Turns[a.Turn].Inherited {
			continue
		}
		w.take(a)
	}
	out := w.out
	for _, r := range w.refused {
		out = append(out, r.Decision)
	}
	slices.SortStableFunc(out, func(a, b Decision) int { return a.Turn - b.Turn })
	return out
}

type walker struct {
	out     []Decision
	refused []refusal // plans, which an accepted one may follow
}

// refusal is a refused plan, with a person's words about it.
type refusal struct {
	Decision
	about, words string
}

func (w *walker) take(a sources.Act) {
	about := short(a.Text)
	answer := escape.Cut(texts.OneLine(a.Answer), maxText-sign.Letters(about))
	refused := answer != "" && (a.Verdict == sources.Rejected || a.Kind == sources.ActRefused) &&
		(!strings.HasPrefix(answer, "/") || strings.ContainsAny(answer[1:], " /")) // not a command of the client, typed into the box
	switch {
	case strings.TrimSpace(a.Text) == "": // the question is unknown
	case a.Kind != sources.ActPlanned && (strings.HasSuffix(answer, "?") || strings.HasSuffix(answer, "？")): // the person asked back
	case a.Kind == sources.ActAsked && answer != "" && a.Verdict != sources.Rejected:
		w.add(a, Answer, about+Arrow+answer)
	case a.Kind == sources.ActPlanned && a.Verdict == sources.Accepted && !a.Unasked:
		var first []string
		for _, r := range w.refused {
			first = append(first, r.words)
		}
		if w.refused = nil; len(first) > 0 {
			about += "; changed first: " + strings.Join(first, "; ")
		}
		w.add(a, Plan, escape.Cut(about, maxText))
	case a.Kind == sources.ActPlanned && refused:
		w.refuse(a, about, answer)
	case a.Kind == sources.ActRefused && refused:
		w.add(a, Refused, about+Arrow+answer)
	case a.Kind == sources.ActUndone:
		w.add(a, Undone, about)
	}
}

// refuse records a refused plan, with the words about earlier ones of the same title.
func (w *walker) refuse(a sources.Act, about, words string) {
	if i := slices.IndexFunc(w.refused, func(was refusal) bool { return was.about == about }); i >= 0 {
		words += "; " + w.refused[i].words
		w.refused = slices.Delete(w.refused, i, i+1)
	}
	w.refused = append(w.refused, refusal{Decision{escape.Cut(about+Arrow+words, maxText), Refused, a.Turn, a.At}, about, words})
}

// add adds a decision. The last one counts if a plan is shown or a question asked again.
func (w *walker) add(a sources.Act, kind Kind, text string) {
	about, _, _ := strings.Cut(text, Arrow)
	w.out = slices.DeleteFunc(w.out, func(d Decision) bool {
		was, _, _ := strings.Cut(d.Text, Arrow)
		return d.Kind == kind && (d.Text == text || kind == Answer && was == about)
	})
	if strings.TrimSpace(text) != "" && text != Arrow {
		w.out = append(w.out, Decision{text, kind, a.Turn, a.At})
	}
}

func short(text string) string { return escape.Cut(texts.OneLine(text), maxPart) }

// Memory is a memory that a session stored.
type Memory struct {
	Subject, Fact string
	Turn          int
}

// Remembered lists the memories that a session stored.
func Remembered(s *sources.Session) (out []Memory) {
	for _, a := range s.Acts {
		if a.Kind == sources.ActRemembered {
			out = append(out, Memory{short(a.Text), short(a.Answer), a.Turn})
		}
	}
	return out
}
