package texts

import (
	"regexp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

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

// Checkpoint reads the sections of a compaction that the model was asked for. A text without
// them, or with anything in front of them, stays as it is.
func Checkpoint(text string) (c sources.Checkpoint) {
	text = summaryOf(text)
	marks := heading.FindAllStringSubmatchIndex(text, -1)
	if len(marks) == 0 || marks[0][0] != 0 {
		c.Raw = text
		return c
	}
	sections := map[*string][]string{}
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		name, body := text[m[2]:m[3]], dedent(text[m[1]:end])
		to := map[string]*string{
			"Primary Request and Intent": &c.Overview, "All user messages": &c.History, "All User Messages": &c.History,
			"Files and Code Sections": &c.Important, "Current Work": &c.WorkDone, "Pending Tasks": &c.NextSteps, "Optional Next Step": &c.NextSteps,
		}[name]
		switch {
		case body == "":
		case to != nil:
			sections[to] = append(sections[to], body)
		default:
			sections[&c.Technical] = append(sections[&c.Technical], "**"+name+"**\n\n"+body)
		}
	}
	for to, parts := range sections {
		*to = strings.Join(parts, "\n\n")
	}
	return c
}

// dedent takes off the blanks before the lines of a section.
func dedent(text string) string {
	return strings.TrimSpace(strings.ReplaceAll("\n"+strings.Trim(text, "\n"), "\n   ", "\n"))
}
