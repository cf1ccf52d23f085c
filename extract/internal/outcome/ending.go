package outcome

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/commands"
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sign"
	"github.com/sessionloom/sessionloom/templates/escape"
)

// Ending is how a session ended, only quoted.
type Ending struct {
	Prompt string // the last one, in a line
	Turn   int    // index of its turn, or -1
	// Broke says why it ended without an answer: an error of the client, a person who stopped it, or an
	// unknown reason. Empty: it was answered.
	Broke string
	// Words are the closing words of the last message: a paragraph, or the entries of a list.
	Words []string
	// Steps are the next steps of the newest checkpoint.
	Steps      []string
	Checkpoint int       // its number
	At         time.Time // when it was made
	Followed   int       // prompts after it
	Check      *Check
}

// Check is the last test, build or lint that ran by itself.
type Check struct {
	Line string
	Exit *int // nil: the code is from a filter after the command
	Turn int
}

const (
	maxWords    = 400 // letters of the closing words
	maxItems    = 5   // entries of a list
	maxStep     = 200 // letters of an entry
	minSentence = 40  // letters of a sentence that says what the list below it is of
	maxLater    = 2   // prompts after a checkpoint that make its next steps obsolete
)

// EndingOf returns how a session ended.
func EndingOf(s *sources.Session) Ending {
	e := Ending{Turn: -1}
	for i := len(s.Turns) - 1; i >= 0 && e.Turn < 0; i-- {
		if said := texts.OneLine(s.Turns[i].User); said != "" {
			e.Prompt, e.Turn, e.Broke = escape.Cut(said, maxStep), i, broke(s.Turns[len(s.Turns)-1])
		}
	}
	for i := len(s.Turns) - 1; i >= max(e.Turn, 0) && len(e.Words) == 0; i-- {
		e.Words = closing(content.LastMessage(s.Turns[i]))
	}
	if c := newestCheckpoint(s); c != nil {
		e.Steps = items(c.NextSteps)
		e.Checkpoint, e.At = c.Number, c.At
		for _, t := range s.Turns {
			if strings.TrimSpace(t.User) != "" && !t.Inherited && t.At.After(c.At) {
				e.Followed++
			}
		}
		if e.Followed > maxLater {
			e.Steps = nil
		}
	}
	e.Check = lastCheck(s)
	return e
}

func broke(t sources.Turn) string {
	switch t.Status {
	case sources.Failed:
		return escape.Cut("error: "+texts.OneLine(cmp.Or(t.Error, "none that the log names")), maxStep)
	case sources.Cancelled:
		return "stopped before it was answered"
	case sources.Pending:
		return "no answer yet"
	}
	return ""
}

// closing returns the last paragraph of a message, or the list that ends it with its introduction. Code's
// introduction and a short last paragraph follow what stands before them.
func closing(message string) []string {
	const shortEnd = 160 // letters
	all := texts.Blocks(message)
	if n := len(all) - 1; n > 0 && !all[n].Item && all[n].Cells == nil && all[n].Heading == 0 && all[n-1].Heading == 0 &&
		!isIntroduction(all[n].Text) && sign.Letters(all[n].Text) < shortEnd {
		last := texts.OneLine(all[n].Text)
		return append(ended(all[:n], maxWords-sign.Letters(last)), last)
	}
	return ended(all, maxWords)
}

// ended returns the last paragraph or list of a text in at most some letters.
func ended(all []texts.Block, limit int) (out []string) {
	from := len(all) - 1
	for from > 0 && all[from].Heading == 0 && (all[from].Item || all[from].Cells != nil || from == len(all)-1 && isIntroduction(all[from].Text)) {
		from--
	}
	size := 0
	for i := max(from, 0); i < len(all) && len(out) <= maxItems; i++ {
		b := all[i]
		if b.Indent > 1 && i > from {
			continue
		}
		text := strings.TrimSpace(b.Number + " " + b.Text)
		if rest, ticked, ok := texts.CutBox(b.Text); ok {
			text = map[bool]string{true: "☑ ", false: "☐ "}[ticked] + rest
		}
		if i > from && i+1 < len(all) && all[i+1].Indent > b.Indent && (isIntroduction(text) || isLabel(all[i:])) {
			text = strings.TrimRight(text, ":： ") + ": " + all[i+1].Text // a label needs its text
		}
		if b.Text == "" {
			continue
		}
		if text = cutSentence(texts.OneLine(text), limit-size); text == "" {
			break
		}
		size += sign.Letters(text)
		out = append(out, text)
	}
	return out
}

func cutSentence(text string, limit int) string {
	if sign.Letters(text) <= limit {
		return text
	}
	fits := ""
	for _, s := range texts.Sentences(text) {
		if sign.Letters(fits)+sign.Letters(s)+1 > limit {
			break
		}
		fits = strings.TrimSpace(fits + " " + s)
	}
	if fits == "" && limit > 1 {
		return escape.Cut(text, limit)
	}
	return fits
}

// items returns the first entries of the lists of a text, below the sentence that it begins with, else its
// first paragraphs.
func items(text string) (out []string) {
	all := texts.Blocks(text)
	listed := slices.ContainsFunc(all, func(b texts.Block) bool { return b.Item })
	for i, b := range all {
		begins := i == 0 && !b.Item && sign.Letters(b.Text) > minSentence
		if len(out) == maxItems || b.Heading > 0 || b.Item != listed && !begins || b.Indent > 1 || isIntroduction(b.Text) && !begins {
			continue
		}
		text := b.Text
		rest, ticked, ok := texts.CutBox(text)
		if ticked || strings.HasPrefix(text, "~~") {
			continue
		}
		if ok {
			text = rest
		}
		out = append(out, escape.Cut(texts.OneLine(text), maxStep))
	}
	return out
}

// Details returns the first entries of the technical details of the newest checkpoint, with its number.
func Details(s *sources.Session) ([]string, int) {
	if c := newestCheckpoint(s); c != nil {
		return items(c.Technical), c.Number
	}
	return nil, 0
}

func lastCheck(s *sources.Session) *Check {
	for i := len(s.Turns) - 1; i >= 0; i-- {
		for _, c := range slices.Backward(s.Turns[i].Tools) {
			if c.Command == "" || c.Exit == nil {
				continue
			}
			if line := commands.CheckIn(c.Command, s.Place); line != "" {
				if *c.Exit == 0 && strings.Contains(line, " | ") {
					return &Check{line, nil, i}
				}
				return &Check{line, c.Exit, i}
			}
		}
	}
	return nil
}
