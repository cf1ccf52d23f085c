package content

import (
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

func checkpointOrigin(number int) string { return "checkpoint " + strconv.Itoa(number) }

// boxLines finds the task boxes of a text, code blocks apart.
func boxLines(text string) []Task {
	var out []Task
	for line := range proseLines(text) {
		if item, _, ok := listItem(line); ok {
			if t, isBox := parseBox(item); isBox {
				out = append(out, t)
			}
		}
	}
	return out
}

// parseBox reads "[ ] text" and "[x] text".
func parseBox(item string) (Task, bool) {
	if len(item) < 4 || item[0] != '[' || item[2] != ']' || item[3] != ' ' {
		return Task{}, false
	}
	t := Task{Text: item[4:]}
	switch item[1] {
	case ' ':
		t.State = sources.TodoOpen
	case 'x', 'X', '-':
		t.State = sources.TodoDone // "-" is cancelled
	case '/', '~':
		t.State = sources.TodoInProgress
	case '!':
		t.State = sources.TodoBlocked
	default:
		return Task{}, false
	}
	return t, strings.TrimSpace(t.Text) != ""
}

// NextSteps reads a checkpoint's next steps: the entries of its lists, what is
// nested below an entry that ends in a colon, and plain lines below a heading.
// Text without any list or heading is one step a line.
func NextSteps(text string) []Task {
	r := stepReader{state: sources.TodoOpen}
	r.plain = !hasStructure(text)
	for line := range proseLines(text) {
		r.line(line)
	}
	return r.steps
}

// hasStructure tells whether a text has list entries or headings.
func hasStructure(text string) bool {
	for line := range proseLines(text) {
		if _, _, ok := listItem(line); ok || isStepHeading(line) {
			return true
		}
	}
	return false
}

// stepReader goes through the lines of next steps.
type stepReader struct {
	steps []Task
	state string // of what stands below the heading
	plain bool   // plain lines are steps
	group bool   // the entry above only introduces those below it
}

func (r *stepReader) line(line string) {
	if strings.TrimSpace(line) == "" {
		return
	}
	item, indent, isItem := listItem(line)
	switch {
	case isItem && (indent < 2 || r.group):
		if indent < 2 {
			r.group = strings.HasSuffix(item, ":")
		}
		if !strings.HasSuffix(item, ":") {
			r.step(item)
		}
	case isItem || indentOf(line) > 1:
		// says more of the entry above
	case isStepHeading(line):
		r.state, r.plain, r.group = stateOfHeading(line), true, false
	case r.plain:
		r.step(strings.TrimSpace(line))
	}
}

func (r *stepReader) step(text string) {
	t, isBox := parseBox(text)
	if !isBox {
		t = Task{Text: text, State: r.state}
		for _, mark := range []string{"✅", "☑", "✔️", "✔"} {
			if rest, ok := strings.CutPrefix(text, mark); ok {
				t = Task{Text: strings.TrimSpace(rest), State: sources.TodoDone}
			}
		}
		if len(text) > 4 && strings.HasPrefix(text, "~~") && strings.HasSuffix(text, "~~") {
			t = Task{Text: strings.Trim(text, "~"), State: sources.TodoDone}
		}
	}
	if !saysNothing(t.Text) {
		r.steps = append(r.steps, t)
	}
}

// saysNothing tells the ways of writing that nothing is left.
func saysNothing(text string) bool {
	switch TaskKey(text) {
	case "", "nothing", "none", "n a", "na", "nothing left", "nothing open", "nothing pending", "none remaining",
		"nothing remaining", "no next steps", "no open questions", "no further steps", "no remaining work", "all done", "done":
		return true
	}
	return false
}

func stateOfHeading(line string) string {
	words := TaskKey(line)
	switch {
	case strings.HasPrefix(words, "blocked") || strings.HasPrefix(words, "waiting"):
		return sources.TodoBlocked
	case strings.HasPrefix(words, "done") || strings.HasPrefix(words, "completed"):
		return sources.TodoDone
	case strings.HasPrefix(words, "in progress") || strings.HasPrefix(words, "currently"):
		return sources.TodoInProgress
	}
	return sources.TodoOpen
}

// isStepHeading tells a line that introduces others: markdown's headings, bold
// lines, and plain ones that end in a colon.
func isStepHeading(line string) bool {
	if indentOf(line) > 1 {
		return false
	}
	s := strings.TrimSpace(line)
	if strings.HasPrefix(s, "#") {
		return true
	}
	bold := strings.HasPrefix(s, "**") && strings.HasSuffix(strings.TrimSuffix(s, ":"), "**")
	return bold || strings.HasSuffix(s, ":") || strings.HasSuffix(s, ":**")
}

// listItem reads "- text", "* text", "+ text", "• text" and "1. text". indent
// counts the blanks before it, a tab as four.
func listItem(line string) (item string, indent int, ok bool) {
	indent = indentOf(line)
	s := strings.TrimSpace(line)
	for _, mark := range []string{"- ", "* ", "+ ", "• "} {
		if rest, found := strings.CutPrefix(s, mark); found {
			return strings.TrimSpace(rest), indent, true
		}
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 && digits < 4 && len(s) > digits+1 && (s[digits] == '.' || s[digits] == ')') && s[digits+1] == ' ' {
		return strings.TrimSpace(s[digits+2:]), indent, true
	}
	return "", indent, false
}

func indentOf(line string) (n int) {
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 4
		default:
			return n
		}
	}
	return n
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
