package ends

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
)

// nextSteps reads the next steps of a checkpoint: the entries of its lists, what is nested below
// an entry that ends in a colon, and plain lines below a heading. Text without any list or heading
// is one step a line.
func nextSteps(text string) []Found {
	r := stepReader{}
	r.plain = !hasStructure(text)
	for line := range proseLines(text) {
		r.line(line)
	}
	return r.steps
}

// hasStructure tells whether a text has list entries or headings.
func hasStructure(text string) bool {
	for line := range proseLines(text) {
		if _, isItem := texts.CutMark(strings.TrimSpace(line)); isItem || isStepHeading(line) {
			return true
		}
	}
	return false
}

// stepReader goes through the lines of next steps.
type stepReader struct {
	steps []Found
	done  bool // what stands below the heading is
	plain bool // plain lines are steps
	group bool // the entry above only introduces those below it
}

func (r *stepReader) line(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	item, isItem := texts.CutMark(strings.TrimSpace(line))
	indent := texts.Indent(line)
	switch {
	case isItem && (indent < 2 || r.group):
		if indent < 2 {
			r.group = strings.HasSuffix(item, ":")
		}
		if !strings.HasSuffix(item, ":") {
			r.take(item)
		}
	case isItem || indent > 1:
		// says more of the entry above
	case isStepHeading(line):
		words := Key(line)
		r.done, r.plain, r.group = strings.HasPrefix(words, "done") || strings.HasPrefix(words, "completed"), true, false
	case r.plain:
		r.take(strings.TrimSpace(line))
	}
}

func (r *stepReader) take(text string) {
	f := Found{Text: text, Done: r.done}
	if done, rest, isBox := cutBox(text); isBox {
		f = Found{Text: rest, Done: done}
	} else if len(text) > 4 && strings.HasPrefix(text, "~~") && strings.HasSuffix(text, "~~") {
		f = Found{Text: strings.Trim(text, "~"), Done: true}
	}
	if len(r.steps) < maxFound && !isNothing(f.Text) && Key(f.Text) != "" {
		r.steps = append(r.steps, f)
	}
}

// isStepHeading tells a line that introduces others: markdown's headings, bold
// lines, and plain ones that end in a colon.
func isStepHeading(line string) bool {
	if texts.Indent(line) > 1 {
		return false
	}
	s := strings.TrimSpace(line)
	if strings.HasPrefix(s, "#") {
		return true
	}
	bold := strings.HasPrefix(s, "**") && strings.HasSuffix(strings.TrimSuffix(s, ":"), "**")
	return bold || strings.HasSuffix(s, ":") || strings.HasSuffix(s, ":**")
}

// proseLines yields the lines that are not code.
func proseLines(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		fence := ""
		for line := range strings.Lines(text) {
			s := strings.TrimSpace(line)
			if fence != "" {
				if strings.HasPrefix(s, fence) && strings.Trim(s, fence[:1]) == "" {
					fence = ""
				}
				continue
			}
			if strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~") {
				fence = s[:len(s)-len(strings.TrimLeft(s, s[:1]))]
				if !strings.Contains(s[len(fence):], fence[:1]) {
					continue
				}
				fence = "" // ```code``` on one line
			}
			if !yield(line) {
				return
			}
		}
	}
}
