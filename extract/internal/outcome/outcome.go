// Package outcome says what came of a session, out of what the session itself tells. It
// is pure: the same session gives the same words.
package outcome

import (
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// Outcome is what came of a session.
type Outcome struct {
	Text  string // at most about a line
	Prose string // the same in up to three sentences, where somebody wrote any
	From  From
	// Turn is the index of the turn that says it, Checkpoint the number of the
	// checkpoint; -1 and 0 where it is none.
	Turn, Checkpoint int
}

// From tells what an outcome is made of.
type From string

// What an outcome is made of, in the order in which it is looked for.
const (
	Checkpoint From = "checkpoint"
	Summary    From = "summary"
	Commits    From = "commits"
	Ref        From = "ref"
	Answer     From = "answer"
	Files      From = "files"
	Prompt     From = "prompt"
)

const (
	maxText   = 160 // bytes of a text
	maxProse  = 600 // and of its prose
	sentences = 3   // at most in the prose
	subjects  = 2   // of commits that are named
)

// Of says what came of a session that changed these files. The first that exists counts: the
// overview of the newest checkpoint, unless work came after it; a summary of the agent, unless
// a turn came after it; commits; pull requests and issues; the last answer; the files; what was asked.
func Of(s *sources.Session, files []content.FileUse) Outcome {
	prose, from, turn, number := said(s)
	out := Outcome{From: from, Turn: turn, Checkpoint: number, Prose: escape.Cut(strings.Join(prose, " "), maxProse)}
	switch {
	case from == Checkpoint || from == Summary:
		out.Text = prose[0]
	case len(s.Refs) > 0:
		out.Text, out.From, out.Turn = references(s.Refs)
	case from == Answer:
		out.Text = withPrompt(s.Turns[turn], prose[0])
	case len(files) > 0:
		out.Text, out.From = filesChanged(files), Files
	default:
		out.Text, out.From = asked(s), Prompt
	}
	out.Text = escape.Cut(texts.OneLine(out.Text), maxText)
	return out
}

// said finds what was written of the session: by a checkpoint, a summary, or the last answer.
func said(s *sources.Session) (prose []string, from From, turn, checkpoint int) {
	if c := newestCheckpoint(s); c != nil && !workAfter(s, c.At) {
		if prose = contentSentences(overview(c), sentences); len(prose) > 0 {
			return prose, Checkpoint, -1, c.Number
		}
	}
	if s.SummaryFrom >= sources.TrustNamed || !s.SummaryAt.IsZero() {
		if prose = contentSentences(s.Summary, sentences); len(prose) > 0 && !turnAfter(s, s.SummaryAt) {
			return prose, Summary, -1, 0
		}
	}
	for i := len(s.Turns) - 1; i >= 0; i-- {
		t := s.Turns[i]
		if t.Inherited || t.Status != sources.Complete && t.Status != "" {
			continue
		}
		if prose = contentSentences(content.LastMessage(t), sentences); len(prose) > 0 {
			return prose, Answer, i, 0
		}
	}
	return nil, Prompt, -1, 0
}

// Said is the first sentence with content of the last message of a turn, empty where it has none.
func Said(t sources.Turn) string {
	if t.Status != sources.Complete && t.Status != "" {
		return ""
	}
	prose := contentSentences(content.LastMessage(t), 1)
	if len(prose) == 0 {
		return ""
	}
	return escape.Cut(texts.OneLine(withPrompt(t, prose[0])), maxText)
}

// shortPrompt is the length in bytes below which a prompt tells of nothing: "write it".
const shortPrompt = 12

// Asked is what a turn was asked, in a line; empty where that says nothing without the turns
// before it.
func Asked(t sources.Turn) string {
	line := escape.Cut(texts.FirstLine(t.User), maxText/2)
	if len(line) < shortPrompt || begins(folded(line), goingOn) {
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

// workAfter says that a commit, a pull request or a change of a file came after a time. What
// has no time came before.
func workAfter(s *sources.Session, at time.Time) bool {
	if at.IsZero() {
		return false
	}
	began := func(turn int) time.Time {
		if turn < 0 || turn >= len(s.Turns) {
			return time.Time{}
		}
		return s.Turns[turn].At
	}
	for _, r := range s.Refs {
		if r.Type != sources.Issue && began(r.Turn).After(at) {
			return true
		}
	}
	for _, f := range s.Files {
		when := f.At
		if when.IsZero() {
			when = began(f.Turn)
		}
		if !content.IsWeakTouch(f.Kind) && when.After(at) {
			return true
		}
	}
	return false
}

func turnAfter(s *sources.Session, at time.Time) bool {
	if at.IsZero() {
		return false
	}
	for _, t := range s.Turns {
		if t.At.After(at) && (t.Status == sources.Complete || t.Status == "") {
			return true
		}
	}
	return false
}

// references names what was committed and opened.
func references(refs []sources.Ref) (text string, from From, turn int) {
	var parts, others []string
	commits := 0
	for _, r := range refs {
		if r.Type != sources.Commit {
			others = append(others, strings.TrimSpace(name(r)+" "+r.Text))
			continue
		}
		if commits++; commits <= subjects {
			parts = append(parts, r.Line())
		}
	}
	if commits > subjects {
		parts = append(parts, "+"+texts.Count(commits-subjects, "more commit", "more commits"))
	}
	from = Commits
	if commits == 0 {
		from = Ref
	}
	return strings.Join(append(parts, others...), "; "), from, refs[len(refs)-1].Turn
}

func name(r sources.Ref) string {
	kind := "issue"
	if r.Type == sources.PR {
		kind = "PR"
	}
	if r.Repo != "" {
		return kind + " " + strings.TrimPrefix(r.Repo, "github.com/") + "#" + r.Value
	}
	return kind + " " + r.Value
}

// shortAnswer is how long an answer must be to be understood without its question, in bytes.
const shortAnswer = 40

// withPrompt puts the question before an answer that says little alone.
func withPrompt(t sources.Turn, sentence string) string {
	question := escape.Cut(texts.FirstLine(t.User), maxText/2)
	if question == "" || len(sentence) >= shortAnswer && !leans(sentence) {
		return sentence
	}
	if !strings.HasSuffix(question, "?") && !strings.HasSuffix(question, "？") {
		question = strings.TrimRight(question, ".:!。 ") + ":"
	}
	return question + " " + sentence
}

// filesChanged names what was changed.
func filesChanged(files []content.FileUse) string {
	var names []string
	for _, f := range files[:min(len(files), 3)] {
		names = append(names, "`"+f.Path+"`")
	}
	if more := len(files) - len(names); more > 0 {
		names = append(names, texts.Count(more, "more file", "more files"))
	}
	return "changed " + strings.Join(names, ", ")
}

func asked(s *sources.Session) string {
	if line := texts.FirstLine(content.FirstPrompt(s.Turns)); line != "" {
		return "asked: " + line
	}
	return ""
}
