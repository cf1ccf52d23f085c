// Package outcome tells what came of a session and how it ended, in words that its log holds: the
// subjects of its commits, the summary that its agent stored, what was said last. No word is
// looked up in a list, so it reads every language alike. It is pure.
package outcome

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// Outcome is what came of a session.
type Outcome struct {
	Text  string // at most about a line
	Prose string // the same in up to three sentences, where somebody wrote any
	From  From
	// Turn is the index of the turn that says it, Checkpoint the number of the
	// checkpoint; -1 and 0 where it is none.
	Turn, Checkpoint int
	BySummary        bool // a summary of the client says the prose
	ProseTurn        int  // index of the turn that says the prose, -1: none
}

// From tells what an outcome is made of.
type From string

// What an outcome is made of, in the order in which it is looked for.
const (
	Commits    From = "commits"
	Ref        From = "ref" // a pull request
	Checkpoint From = "checkpoint"
	Summary    From = "summary"
	Answer     From = "answer"
	Prompt     From = "prompt"
)

const (
	maxText   = 160 // letters of a text
	maxProse  = 600 // and of its prose
	sentences = 3   // at most in the prose
	subjects  = 2   // of commits that are named
	maxFirst  = 90  // letters of what was done where it is told how the session ended, too
)

// Of says what came of a session: its commits and pull requests, else a summary that its client
// stored, unless work came after it, else what was said when files were changed. How the session
// ended follows where it went on after that: the first sentence of its last answer, else its last
// prompt.
func Of(s *sources.Session) Outcome {
	if out, ok := summarized(s); ok {
		return out.after(s)
	}
	last, worked := len(s.Turns)-1, -1
	for last >= 0 && len(s.Turns[last].Tools) == 0 && content.IsNod(s.Turns[last]) && !answers(s, last) {
		last-- // it was to go on, and did not
	}
	for _, f := range s.Files {
		if !content.IsWeakTouch(f.Kind) && f.Turn > worked && answers(s, f.Turn) {
			worked = f.Turn
		}
	}
	out := Outcome{From: Prompt, Turn: -1, ProseTurn: -1, Text: asked(s)}
	if answers(s, last) {
		out.says(s, last)
	}
	if worked >= 0 && worked < last {
		ended := out.Text
		out.says(s, worked)
		out.Text = and(cut(out.Text, maxFirst), ended)
	}
	return out.after(s)
}

// says makes the answer of a turn the outcome.
func (out *Outcome) says(s *sources.Session, turn int) {
	text := content.ClosingText(s.Turns[turn])
	prose := Sentences(text, sentences)
	out.Text, out.From, out.Turn = withNext(text, prose), Answer, turn
	if !changedIn(s, turn) || len(search(text, 1).out) == 0 {
		out.Text = withPrompt(s.Title, s.Turns[:turn+1], out.Text)
	}
	if out.Prose == "" {
		out.Prose, out.ProseTurn = cut(strings.Join(prose, " "), maxProse), turn
	}
}

// after puts the commits and pull requests before what else is told, which stays where files were
// changed after them.
func (out Outcome) after(s *sources.Session) Outcome {
	if text, by, at := references(s, maxText); text != "" {
		if changedAfter(s, at) {
			text, _, _ = references(s, maxFirst)
			text = and(text, out.Text)
		}
		out.Text, out.From, out.Turn = text, by, at
	}
	out.Text = cut(texts.OneLine(out.Text), maxText)
	return out
}

// and joins what was done and how it ended.
func and(done, ended string) string {
	return strings.TrimRight(done, ".。 ") + strings.TrimRight(" · "+ended, " ·")
}

// summarized is what a summary or the newest checkpoint says that its client stored, where no turn
// came after it.
func summarized(s *sources.Session) (Outcome, bool) {
	if s.SummaryFrom >= sources.TrustNamed || !s.SummaryAt.IsZero() {
		prose := summarySentences(s.Summary)
		if len(prose) > 0 && !saysTitle(s, prose[0]) && !turnAfter(s, s.SummaryAt) {
			return Outcome{Text: filled(prose), Prose: cut(strings.Join(prose, " "), maxProse), From: Summary, Turn: -1, ProseTurn: -1, BySummary: true}, true
		}
	}
	if c := newestCheckpoint(s); c != nil && !turnAfter(s, c.At) && !answerAfter(s, c.At) && !changedIn(s, len(s.Turns)-1) {
		if prose := summarySentences(overview(c)); len(prose) > 0 && !saysTitle(s, prose[0]) {
			return Outcome{Text: filled(prose), Prose: cut(strings.Join(prose, " "), maxProse), From: Checkpoint, Turn: -1, ProseTurn: -1, Checkpoint: c.Number}, true
		}
	}
	return Outcome{}, false
}

// answers reports whether the last message of a turn says something.
func answers(s *sources.Session, turn int) bool {
	if turn < 0 || turn >= len(s.Turns) || s.Turns[turn].Inherited || !isComplete(s.Turns[turn]) {
		return false
	}
	f := search(content.ClosingText(s.Turns[turn]), 1)
	return len(f.out) > 0 || len(f.others) > 0 && (changedIn(s, turn) || isQuestion(texts.FirstLine(s.Turns[turn].User)))
}

func changedIn(s *sources.Session, turn int) bool {
	return slices.ContainsFunc(s.Files, func(f sources.FileTouch) bool { return f.Turn == turn && !content.IsWeakTouch(f.Kind) })
}

func changedAfter(s *sources.Session, turn int) bool {
	return turn >= 0 && slices.ContainsFunc(s.Files, func(f sources.FileTouch) bool { return f.Turn > turn && !content.IsWeakTouch(f.Kind) })
}

// summarySentences are the first sentences of a summary. Its title counts where it is one.
func summarySentences(text string) []string {
	const titleWords = 4 // how many words a title has at least that says what was done
	all := texts.Blocks(text)
	if len(all) > 0 && all[0].Heading == 1 && texts.HasWords(all[0].Text, titleWords) {
		_, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
		return append([]string{plainBold(all[0].Text)}, Sentences(rest, sentences-1)...)
	}
	return Sentences(text, sentences)
}

func isComplete(t sources.Turn) bool { return t.Status == sources.Complete || t.Status == "" }

func saysTitle(s *sources.Session, sentence string) bool {
	bare := func(text string) string { return strings.ToLower(strings.Trim(texts.OneLine(text), " .…*\"")) }
	return bare(sentence) == bare(s.Title)
}

// Said is the first sentence that says something of the last message of a turn, empty where there
// is none.
func Said(t sources.Turn) string {
	if !isComplete(t) {
		return ""
	}
	prose := Sentences(content.ClosingText(t), 2)
	if len(prose) == 0 {
		return ""
	}
	return cut(texts.OneLine(withPrompt("", []sources.Turn{t}, withNext(content.ClosingText(t), prose))), maxText)
}

// Asked is what a turn was asked, in a line; empty where that says nothing without the turns
// before it.
func Asked(t sources.Turn) string {
	// shortPrompt is how many letters a prompt has at least that tells of something: not "write it".
	const shortPrompt = 12
	line := cut(texts.FirstLine(t.User), maxText/2)
	if width(line) < shortPrompt || content.IsNod(t) {
		return ""
	}
	return line
}

func newestCheckpoint(s *sources.Session) *sources.Checkpoint {
	for i := len(s.Checkpoints) - 1; i >= 0; i-- {
		if c := &s.Checkpoints[i]; !c.Inherited {
			return c
		}
	}
	return nil
}

// overview is what a checkpoint says of the whole; one without sections says it in its
// first paragraph.
func overview(c *sources.Checkpoint) string {
	if strings.TrimSpace(c.Overview) != "" {
		return c.Overview
	}
	first, _, _ := strings.Cut(strings.TrimSpace(c.Raw), "\n\n")
	return first
}

func turnAfter(s *sources.Session, at time.Time) bool {
	return !at.IsZero() && slices.ContainsFunc(s.Turns, func(t sources.Turn) bool { return t.At.After(at) && isComplete(t) })
}

func answerAfter(s *sources.Session, at time.Time) bool {
	return !at.IsZero() && slices.ContainsFunc(s.Turns, func(t sources.Turn) bool {
		return t.End.After(at) && isComplete(t) && content.ClosingText(t) != ""
	})
}

// withNext is the first sentence, with the one that follows it in its paragraph where both fit
// into a line.
func withNext(text string, prose []string) string {
	if len(prose) < 2 || width(prose[0])+width(prose[1]) >= maxText {
		return prose[0]
	}
	both := prose[0] + " " + prose[1]
	if slices.ContainsFunc(texts.Blocks(text), func(b texts.Block) bool { return strings.Contains(plainBold(texts.OneLine(b.Text)), both) }) {
		return both
	}
	return prose[0]
}

// filled is as much of a summary as a line takes: it begins with what was wanted.
func filled(prose []string) string {
	const least = 40 // how many letters more are worth it
	if !endsSentence(prose[0]) || width(prose[0])+least > maxText {
		return prose[0]
	}
	return cut(strings.Join(prose, " "), maxText)
}

// withPrompt puts the question before an answer that says little alone: the last one that is more
// than a nod, which sends the agent on with what was asked before. A task that is longer than half
// a line is left to the title, and so is what that says.
func withPrompt(title string, turns []sources.Turn, sentence string) string {
	// shortAnswer is how many letters an answer has that is understood without its question.
	const shortAnswer = 40
	question := ""
	for _, t := range slices.Backward(turns) {
		if question = texts.FirstLine(t.User); question != "" && (!content.IsNod(t) || isQuestion(question)) {
			break
		}
	}
	half := cut(question, maxText/2)
	switch {
	case question == "" || question == title || width(sentence) >= shortAnswer, half != question && !isQuestion(question):
		return sentence
	case !isQuestion(question):
		half = strings.TrimRight(half, ".:!。 ") + ":"
	}
	return half + " " + sentence
}

// askedMark begins what is said of a session that nothing came of but a prompt.
const askedMark = "asked: "

// IsQuestion tells whether an outcome is nothing but what was asked.
func IsQuestion(text string) bool { return text == "" || strings.HasPrefix(text, askedMark) }

func asked(s *sources.Session) string {
	if line := lastPrompt(s); line != "" {
		return askedMark + line
	}
	return ""
}

// lastPrompt is the last prompt in one line: of those that are more than a nod or a place where
// there is one, else a place.
func lastPrompt(s *sources.Session) string {
	place, nod := "", ""
	for _, t := range slices.Backward(s.Turns) {
		switch said := texts.OneLine(t.User); {
		case said == "":
		case isPlace().MatchString(said):
			place = cmp.Or(place, said)
		case content.IsNod(t):
			nod = cmp.Or(nod, said)
		default:
			return said
		}
	}
	return cmp.Or(place, nod)
}

// isPlace knows an address or a path that stands alone.
var isPlace = pattern.Lazy(`^(?:https?://|~?/|[A-Za-z]:[/\\])\S*$`)
