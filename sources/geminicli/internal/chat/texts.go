package chat

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// all are the parts of a content.
func (c content) all() []part {
	if c.List != nil || c.part == (part{}) {
		return c.List
	}
	return []part{c.part}
}

// text joins the texts of a content, but for thoughts.
func (c content) text() string {
	var b strings.Builder
	for _, p := range c.all() {
		if !p.Thought {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// isResult tells whether a content is what calls gave.
func (c content) isResult() bool {
	return slices.ContainsFunc(c.all(), func(p part) bool { return p.Gave != nil })
}

// The texts that the program puts in the place of a prompt.
const contextMark, snapshotMark = "<session_context>", "<state_snapshot>"

// injected are how these begin. Versions of 2025 begin a session with "This is the Gemini CLI".
var injected = []string{contextMark, snapshotMark, "This is the Gemini CLI.", "System: Please continue.", "Here is the user's editor context", "Here is a summary of changes in the user's editor context"}

// isInjected tells whether nobody typed a text. Where the model has not finished, the program has
// it go on, and shows the prompt.
func (m *message) isInjected(text string) bool {
	text = strings.TrimSpace(text)
	return text == "Please continue." && m.Display.text() != "" || slices.ContainsFunc(injected, func(begin string) bool { return strings.HasPrefix(text, begin) })
}

// ran is the command of a text by which the program tells the model what the user ran with "!",
// and what it gave. Empty: the text is none.
func ran(text string) string {
	told, begins := strings.CutPrefix(text, "I ran the following shell command:\n```sh\n")
	command, gave, both := strings.Cut(told, "\n```\n\nThis produced the following result:\n```\n")
	if !begins || !both || !strings.HasSuffix(gave, "```") {
		return ""
	}
	return command
}

// thanks are how the program has the model take notice of such a text: no answers.
var thanks = []string{"Got it. Thanks for the context!", "Got it. Thanks for the additional context!"}

// filesMark begins what the program puts behind a prompt that names files with @.
const filesMark = "\n--- Content from referenced files ---"

var fileMark = regexp.MustCompile(`(?m)^Content from @(.+):$`)

// typed is what a person typed of a prompt, without what hooks did, and what they added to it.
func (m *message) typed(whole string) (text string, added []sources.Attachment) {
	text, files, _ := strings.Cut(words.WithoutBlocks(whole, []string{"hook_context"}), filesMark)
	for _, found := range fileMark.FindAllStringSubmatch(files, -1) {
		added = append(added, sources.Attachment{Kind: sources.File, Name: words.OneLine(found[1], 2048)})
	}
	if shown := m.Display.text(); shown != "" {
		text = shown
	}
	for _, p := range m.Content.all() {
		for _, a := range []*attached{p.Inline, p.File} {
			if a == nil {
				continue
			}
			kind := sources.File
			if strings.HasPrefix(a.Type, "image/") {
				kind = "image"
			}
			added = append(added, sources.Attachment{Kind: kind, Name: words.OneLine(max(a.Name, a.URI), 2048)})
		}
	}
	return text, added
}

// section is where a section of a snapshot goes; nil: there is none of that name.
func section(c *sources.Checkpoint, name string) *string {
	switch name {
	case "overall_goal":
		return &c.Overview
	case "recent_actions":
		return &c.WorkDone
	case "key_knowledge", "active_constraints":
		return &c.Technical
	case "file_system_state", "artifact_trail":
		return &c.Important
	case "current_plan", "task_state":
		return &c.NextSteps
	}
	return nil
}

var sectionMark = regexp.MustCompile(`^\s*<([a-z_]{1,40})>`)

// checkpoint reads the snapshot that the model made of the session. One with anything but the
// sections it was asked for stays as it is.
func checkpoint(text string) (c sources.Checkpoint, ok bool) {
	text = strings.TrimSpace(text)
	body, ok := strings.CutPrefix(text, snapshotMark)
	if !ok {
		return c, false
	}
	body, _, _ = strings.Cut(body, "</state_snapshot>")
	whole := sources.Checkpoint{Raw: strings.TrimSpace(body)}
	for rest := body; strings.TrimSpace(rest) != ""; {
		m := sectionMark.FindStringSubmatch(rest)
		if m == nil {
			return whole, whole.Raw != ""
		}
		to := section(&c, m[1])
		inner, after, closed := strings.Cut(rest[len(m[0]):], "</"+m[1]+">")
		if to == nil || !closed {
			return whole, true
		}
		*to = strings.TrimSpace(*to + "\n\n" + strings.TrimSpace(inner))
		rest = after
	}
	return c, c != sources.Checkpoint{}
}

// folderMarks stand before the folder that the session works in.
var folderMarks = []string{"- **Workspace Directories:**\n  - ", "I'm currently working in the directory: ", "I'm currently working in the following directories:\n  - "}

// folderIn is the first folder that the context of a session names.
func folderIn(text string) string {
	for _, mark := range folderMarks {
		if _, rest, ok := strings.Cut(text, mark); ok {
			line, _, _ := strings.Cut(rest, "\n")
			return strings.TrimSpace(line)
		}
	}
	return ""
}
