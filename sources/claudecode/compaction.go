package claudecode

import (
	"regexp"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// checkpoint is a compaction, and the turn in which it was made.
type checkpoint struct {
	sources.Checkpoint
	turn *turn
}

// compacted takes in the text of a compaction.
func (p *parser) compacted(r *record, text string, owner *turn) {
	c := checkpoint{Checkpoint: sectionsOf(summaryOf(text)), turn: owner}
	if c.At = r.Timestamp.Time; !p.boundary.IsZero() {
		c.At, p.boundary = p.boundary, time.Time{}
	}
	if c.Raw != "" || c.Overview != "" || c.Technical != "" {
		p.checks = append(p.checks, &c)
	}
}

var (
	// lead is how the program begins the text of a compaction.
	lead = regexp.MustCompile(`(?s)^This session is being continued from a previous conversation[^\n]*\n+`)
	// tail is how it ends it, since 2.1.
	tail = regexp.MustCompile(`(?s)\n+(?:If you need specific details from before compaction|(?:Please c|C)ontinue the conversation from where).*$`)
	// analysis goes before the summary that the model was asked for.
	analysis = regexp.MustCompile(`(?s)^(?:Analysis:\n.*?\n+|)Summary:\n+`)
)

// summaryOf is what the model wrote, without what the program put around it.
func summaryOf(text string) string {
	text = lead.ReplaceAllString(strings.ReplaceAll(text, "\r\n", "\n"), "")
	text = strings.TrimSpace(words.WithoutBlocks(text, injectedTags))
	text = tail.ReplaceAllString(text, "")
	return strings.TrimSpace(analysis.ReplaceAllString(text, ""))
}

var heading = regexp.MustCompile(`(?m)^\d{1,2}\. ([A-Z][A-Za-z ]+):[ \t]*$`)

// sectionsOf reads the sections that the model was asked for. A text without them, or with
// anything in front of them, stays as it is.
func sectionsOf(text string) (c sources.Checkpoint) {
	marks := heading.FindAllStringSubmatchIndex(text, -1)
	if len(marks) == 0 || marks[0][0] != 0 {
		c.Raw = text
		return c
	}
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		name, body := text[m[2]:m[3]], dedent(text[m[1]:end])
		if body == "" {
			continue
		}
		switch name {
		case "Primary Request and Intent":
			add(&c.Overview, body)
		case "All user messages", "All User Messages":
			add(&c.History, body)
		case "Files and Code Sections":
			add(&c.Important, body)
		case "Current Work":
			add(&c.WorkDone, body)
		case "Pending Tasks", "Optional Next Step":
			add(&c.NextSteps, body)
		default:
			add(&c.Technical, "**"+name+"**\n\n"+body)
		}
	}
	return c
}

func add(to *string, text string) {
	*to = strings.TrimSpace(*to + "\n\n" + text)
}

// dedent takes off the blanks before the lines of a section.
func dedent(text string) string {
	const indent = "   "
	var b strings.Builder
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		b.WriteString(strings.TrimPrefix(line, indent))
	}
	return strings.TrimSpace(b.String())
}
