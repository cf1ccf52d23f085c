// Package texts tells what stands in the place of a prompt: what a person typed, a command, or
// what a program put there.
package texts

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Typed is what a person added of their own to the content of a message.
type Typed struct {
	Text  string
	Added []sources.Attachment
}

// IsEmpty tells whether there is nothing of a person's.
func (t Typed) IsEmpty() bool { return t.Text == "" && len(t.Added) == 0 }

// injectedTags are the blocks that the program, an editor or a hook puts around a prompt.
var injectedTags = []string{
	"system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics", "session-start-hook", "user-prompt-submit-hook",
}

// PromptOf takes what was typed out of a content.
func PromptOf(c lines.Content) (out Typed) {
	blocks := c.Blocks
	if blocks == nil {
		blocks = []lines.Block{{Type: "text", Text: c.Text}}
	}
	var texts []string
	images := 0
	for _, b := range blocks {
		switch b.Type {
		case "text":
			if text := strings.Trim(unpasted(words.WithoutBlocks(b.Text, injectedTags)), "\r\n"); strings.TrimSpace(text) != "" {
				texts = append(texts, text)
			}
		case "image":
			images++
			out.Added = append(out.Added, sources.Attachment{Kind: "image", Name: fmt.Sprintf("Image #%d", images)})
		case "tool_result", "tool_use", "thinking", "redacted_thinking", "":
		default: // a document, or what nobody knows yet
			out.Added = append(out.Added, sources.Attachment{Kind: words.OneLine(b.Type, 64), Name: words.OneLine(cmp.Or(b.Title, b.Name, b.Type), 200)})
		}
	}
	out.Text = imageMarks.ReplaceAllString(strings.Join(texts, "\n"), "")
	return out
}

// imageMarks stand in front of a prompt for the pictures that were pasted before it was typed.
var imageMarks = regexp.MustCompile(`^(?:\[Image #\d+\]\s*)+`)

var pasted = regexp.MustCompile(`\n*<pasted_content id="([0-9A-Za-z_-]{1,32})">\n?`)

// unpasted takes off the tags around what was pasted. The closing one repeats the id.
func unpasted(text string) string {
	var out strings.Builder
	unended := map[string]bool{} // ids that are not closed any more
	for {
		m := pasted.FindStringSubmatchIndex(text)
		if m == nil {
			out.WriteString(text)
			return out.String()
		}
		id, inner, n := text[m[2]:m[3]], text[m[1]:], -1
		shut := `</pasted_content id="` + id + `">`
		if !unended[id] {
			n = strings.Index(inner, shut)
		}
		if n < 0 {
			unended[id] = true
			out.WriteString(text[:m[1]])
			text = inner
			continue
		}
		if out.WriteString(text[:m[0]]); out.Len() > 0 {
			out.WriteString("\n\n")
		}
		out.WriteString(strings.TrimSuffix(inner[:n], "\n"))
		text = inner[n+len(shut):]
	}
}
