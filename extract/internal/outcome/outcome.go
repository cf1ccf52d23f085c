// Package outcome describes what a session achieved and how it ended in words of its log: the subjects of its
// commits, the stored summary, the last words. It looks up no words in lists, so it reads all languages the
// same. It is pure.
package outcome

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sign"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// Outcome is what a session achieved.
type Outcome struct {
	Text  string // about one line at most
	Prose string // in up to three sentences, if somebody wrote them
	From  From
	// Turn is the index of its turn, Checkpoint the number of its checkpoint; -1 and 0 if there is none.
	Turn, Checkpoint int
	BySummary        bool // the prose is a summary of the client
	ProseTurn        int  // index of the turn with the prose, or -1
}

// From is the basis of an outcome.
type From string

// The bases, in order of preference.
const (
	Commits    From = "commits"
	Ref        From = "ref" // a pull request
	Checkpoint From = "checkpoint"
	Summary    From = "summary"
	Answer     From = "answer"
	Files      From = "files" // those that it changed
	Prompt     From = "prompt"
)

const (
	maxText      = 200          // letters of a text
	maxProse     = 600          // letters of its prose
	sentences    = 3            // limit for the prose
	subjects     = 2            // limit of named commits, and of files
	shortAnswer  = 64           // most letters of a sentence that a longer one completes
	shortSummary = maxText - 40 // the same of a summary, which may begin with the request
	maxFirst     = 130          // letters of the work, if the session's end is added
)

// Of returns the outcome of a session: its commits and pull requests, else a summary stored by its client,
// unless work came after it, else the answer of the turn with most work, else the plan that its person accepted. If
// the session went on after that, the first sentence of its last answer follows, else its last prompt.
func Of(s *sources.Session) Outcome {
	if out, ok := summarized(s); ok {
		return out.before(unanswered(s)).after(s)
	}
	last, changes := len(s.Turns)-1, changesIn(s)
	for last >= 0 && len(s.Turns[last].Tools) == 0 && content.IsNod(s.Turns[last]) && !answers(s, changes, last) {
		last-- // the agent was sent on, without an answer
	}
	worked := mostWorked(s, changes, last)
	out := Outcome{From: Prompt, Turn: -1, ProseTurn: -1, Text: asked(s)}
	if answers(s, changes, last) {
		out.says(s, changes, last)
	} else if worked < 0 {
		if out, ok := unfinished(s); ok {
			return out.after(s)
		}
		for worked = last - 1; worked >= 0 && !answers(s, changes, worked); {
			worked--
		}
	}
	if worked >= 0 && worked < last {
		ended := out.Text
		if !answers(s, changes, last) && isComplete(s.Turns[last]) && content.ClosingText(s.Turns[last]) != "" {
			ended = "" // it was answered, by a word
		}
		out.Prose = "" // How it ended quotes the last answer
		out.says(s, changes, worked)
		out = out.before(ended)
	} else if plan := acceptedPlan(s, last); plan != "" && worked < 0 {
		out.Text = and("plan accepted: "+escape.Cut(plan, maxFirst), out.Text)
	}
	return out.after(s)
}

// unfinished returns what a session did that ended without an answer: an earlier summary, else the files it changed.
func unfinished(s *sources.Session) (Outcome, bool) {
	out, names := told(stored(s), Summary), stillChanged(s)
	if out.Text == "" && names != "" {
		out = Outcome{Text: "changed " + names, From: Files, Turn: -1, ProseTurn: -1}
	}
	ended := unanswered(s)
	if n := len(s.Turns) - 1; ended == "" && n >= 0 && len(s.Turns[n].Tools) > 0 && content.ClosingText(s.Turns[n]) == "" {
		ended = "no last answer"
	}
	return out.before(ended), out.Text != ""
}

// acceptedPlan returns the title of the last plan that a person accepted before a turn.
func acceptedPlan(s *sources.Session, turn int) string {
	for _, a := range slices.Backward(s.Acts) {
		if a.Kind == sources.ActPlanned && a.Verdict == sources.Accepted && !a.Unasked && a.Turn < turn {
			return texts.OneLine(a.Text)
		}
	}
	return ""
}

// mostWorked returns the last of the answered turns, up to one, with about as much work as any, or -1: work on files,
// or all calls if there is none. Turns with a meaningful answer come before others.
func mostWorked(s *sources.Session, changes map[int]int, last int) int {
	work := changes
	if len(work) == 0 {
		work = map[int]int{}
		for t := range s.Turns {
			if n := len(s.Turns[t].Tools); n > 0 {
				work[t] = n
			}
		}
	}
	for _, fits := range []func(turn int) bool{
		func(t int) bool { return isAnswered(s, t) && len(search(content.ClosingText(s.Turns[t]), 1).out) > 0 },
		func(t int) bool { return answers(s, changes, t) },
	} {
		most, turn := 0, -1
		for t, n := range work {
			if t <= last && n > most && fits(t) {
				most = n
			}
		}
		for t, n := range work {
			if t <= last && t > turn && 2*n >= most && fits(t) {
				turn = t
			}
		}
		if turn >= 0 {
			return turn
		}
	}
	return -1
}

// unanswered returns the last prompt if its answer failed or was stopped, and it is more than a nod.
func unanswered(s *sources.Session) string {
	if n := len(s.Turns) - 1; n < 0 || s.Turns[n].Status != sources.Failed && s.Turns[n].Status != sources.Cancelled || content.IsNod(s.Turns[n]) {
		return ""
	}
	return asked(s)
}

// before puts the outcome before the end of the session.
func (out Outcome) before(ended string) Outcome {
	if ended != "" {
		out.Text = and(escape.Cut(out.Text, maxFirst), ended)
	}
	return out
}

// says sets the outcome to the answer of a turn.
func (out *Outcome) says(s *sources.Session, changes map[int]int, turn int) {
	text := content.ClosingText(s.Turns[turn])
	prose := Sentences(text, sentences)
	out.Text, out.From, out.Turn = line(prose, shortAnswer), Answer, turn
	if changes[turn] == 0 || len(search(text, 1).out) == 0 {
		out.Text = withPrompt(s.Title, s.Turns[:turn+1], prose[0], out.Text)
	}
	if names := changedFiles(s, turn, out.Text); len(names) > 0 && isEmpty(out.Text) {
		out.Text = strings.TrimRight(out.Text, ".:!。：！ ") + ": `" + strings.Join(names, "`, `") + "`"
	}
	if out.Prose == "" {
		out.Prose, out.ProseTurn = escape.Cut(together(prose...), maxProse), turn
	}
}

// stillChanged names the first files whose changes stayed, without the agent's own, and counts the others; "" if
// there are none.
func stillChanged(s *sources.Session) string {
	var names []string
	seen := map[string]bool{}
	for _, f := range slices.Concat(content.Files(s), content.FilesElsewhere(s)) {
		if name := "`" + path.Base(f.Path) + "`"; !f.Undone && !seen[name] {
			seen[name], names = true, append(names, name)
		}
	}
	if rest := len(names) - subjects; rest > 0 {
		names = append(names[:subjects], "+"+texts.Count(rest, "more file", "more files"))
	}
	return strings.Join(names, ", ")
}

// after puts the commits and pull requests first. The rest stays only if files were changed after them.
func (out Outcome) after(s *sources.Session) Outcome {
	if text, by, at := references(s, maxText); text != "" {
		if changedAfter(s, at) {
			text, _, _ = references(s, maxFirst)
			text = and(text, out.Text)
		}
		out.Text, out.From, out.Turn = text, by, at
	}
	out.Text = escape.Cut(texts.OneLine(out.Text), maxText)
	return out
}

// and joins the work done and the end of the session.
func and(done, ended string) string {
	return strings.TrimRight(done, ".。 ") + strings.TrimRight(" · "+ended, " ·")
}

// summarized returns the outcome in a summary or the newest checkpoint of the client, unless the session moved on.
func summarized(s *sources.Session) (Outcome, bool) {
	if said, ok := answerAfterwards(s, s.SummaryAt); ok {
		if out := told(stored(s), Summary); out.Text != "" {
			return out.before(said), true
		}
	}
	if c := newestCheckpoint(s); c != nil && !isFollowed(s, c.At) && changesIn(s)[len(s.Turns)-1] == 0 {
		if prose := summarySentences(overview(c)); len(prose) > 0 && !saysTitle(s, prose[0]) {
			out := told(prose, Checkpoint)
			out.Checkpoint = c.Number
			return out, true
		}
	}
	return Outcome{}, false
}

// stored returns the first sentences of a summary that somebody stored and that says more than the title.
func stored(s *sources.Session) []string {
	prose := summarySentences(s.Summary)
	if s.SummaryFrom < sources.TrustNamed && s.SummaryAt.IsZero() || len(prose) == 0 || saysTitle(s, prose[0]) {
		return nil
	}
	return prose
}

// told returns the outcome in the sentences of a summary or a checkpoint.
func told(prose []string, from From) (out Outcome) {
	if len(prose) > 0 {
		out = Outcome{Text: line(prose, shortSummary), Prose: escape.Cut(together(prose...), maxProse), From: from, Turn: -1, ProseTurn: -1, BySummary: from == Summary}
	}
	return out
}

// answerAfterwards returns what was said last after a summary; ok is false if the session moved on: a file was changed,
// or more than two prompts followed.
func answerAfterwards(s *sources.Session, at time.Time) (said string, ok bool) {
	later, changes := 0, changesIn(s)
	for i, t := range s.Turns {
		if !at.IsZero() && t.At.After(at) && isComplete(t) {
			if later++; changes[i] > 0 || later > maxLater {
				return "", false
			}
			said = cmp.Or(Said(t), said)
		}
	}
	return said, true
}

// answers reports whether the last message of a turn has a meaningful sentence.
func answers(s *sources.Session, changes map[int]int, turn int) bool {
	if !isAnswered(s, turn) {
		return false
	}
	f := search(content.ClosingText(s.Turns[turn]), 1)
	return len(f.out) > 0 || len(f.others) > 0 && (f.shows || changes[turn] > 0 || isQuestion(texts.FirstLine(s.Turns[turn].User)))
}

func isAnswered(s *sources.Session, turn int) bool {
	return turn >= 0 && turn < len(s.Turns) && !s.Turns[turn].Inherited && isComplete(s.Turns[turn])
}

// changedFiles returns the names of the first files that a turn changed and that a text does not have.
func changedFiles(s *sources.Session, turn int, text string) (out []string) {
	for _, f := range s.Files {
		name := path.Base(strings.ReplaceAll(f.Path, `\`, "/"))
		if len(out) < subjects && f.Turn == turn && !content.IsWeakTouch(f.Kind) && !slices.Contains(out, name) && !strings.Contains(text, name) {
			out = append(out, name)
		}
	}
	return out
}

// changesIn counts the work of the turns that changed files: the changes, and all calls.
func changesIn(s *sources.Session) map[int]int {
	turns := map[int]int{}
	for _, f := range s.Files {
		if !content.IsWeakTouch(f.Kind) {
			turns[f.Turn]++
		}
	}
	for t := range turns {
		if t >= 0 && t < len(s.Turns) {
			turns[t] += len(s.Turns[t].Tools)
		}
	}
	return turns
}

func changedAfter(s *sources.Session, turn int) bool {
	return turn >= 0 && slices.ContainsFunc(s.Files, func(f sources.FileTouch) bool { return f.Turn > turn && !content.IsWeakTouch(f.Kind) })
}

// summarySentences returns the first sentences of a summary. A title that is one counts.
func summarySentences(text string) []string {
	const titleWords = 4 // least number of words of a title that states a result
	all := texts.Blocks(text)
	if len(all) > 0 && all[0].Heading == 1 && texts.HasWords(all[0].Text, titleWords) {
		_, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
		return append([]string{strings.TrimRight(plainBold(all[0].Text), ".。")}, Sentences(rest, sentences-1)...)
	}
	return Sentences(text, sentences)
}

func isComplete(t sources.Turn) bool { return t.Status == sources.Complete || t.Status == "" }

func saysTitle(s *sources.Session, sentence string) bool {
	bare := func(text string) string { return strings.ToLower(strings.Trim(texts.OneLine(text), " .…*\"")) }
	return bare(sentence) == bare(s.Title)
}

// Said returns the first meaningful sentence of the last message of a turn, or "".
func Said(t sources.Turn) string {
	if !isComplete(t) {
		return ""
	}
	prose := Sentences(content.ClosingText(t), 2)
	if len(prose) == 0 {
		return ""
	}
	return escape.Cut(texts.OneLine(withPrompt("", []sources.Turn{t}, prose[0], line(prose, shortAnswer))), maxText)
}

func newestCheckpoint(s *sources.Session) *sources.Checkpoint {
	for i := len(s.Checkpoints) - 1; i >= 0; i-- {
		if c := &s.Checkpoints[i]; !c.Inherited {
			return c
		}
	}
	return nil
}

// overview returns a checkpoint's overview, or its first paragraph if it has no sections.
func overview(c *sources.Checkpoint) string {
	if strings.TrimSpace(c.Overview) != "" {
		return c.Overview
	}
	first, _, _ := strings.Cut(strings.TrimSpace(c.Raw), "\n\n")
	return first
}

// isFollowed reports whether a prompt or an answer came after a checkpoint.
func isFollowed(s *sources.Session, at time.Time) bool {
	return !at.IsZero() && slices.ContainsFunc(s.Turns, func(t sources.Turn) bool {
		return isComplete(t) && (t.At.After(at) || t.End.After(at) && content.ClosingText(t) != "")
	})
}

// line returns the first sentence, with the next one if both fit into a line, if the first has at most short
// letters, or if it only names the section of the next.
func line(prose []string, short int) string {
	if len(prose) < 2 {
		return prose[0]
	}
	both := together(prose[:2]...)
	label, _, below := strings.Cut(prose[1], ": ")
	switch isNamed := strings.Contains(prose[0], label); {
	case isNamed && below && strings.Contains(prose[0]+"; ", label+"; ") && !strings.Contains(prose[0], "1. "):
		return escape.Cut(both, maxText) // headings say little without what stands below them
	case !isNamed && (sign.Letters(both) <= maxText || endsSentence(prose[0]) && sign.Letters(prose[0]) <= short && !isEmpty(prose[1])):
		return escape.Cut(both, maxText)
	}
	return prose[0]
}

// together joins sentences. One that ends without punctuation, as a list does, gets a full stop.
func together(prose ...string) string {
	var all strings.Builder
	for i, sentence := range prose {
		if all.WriteString(sentence); i < len(prose)-1 {
			all.WriteString(map[bool]string{true: " ", false: ". "}[endsSentence(sentence)])
		}
	}
	return all.String()
}
