package chat

import "strings"

// injected names the blocks VS Code puts around what a person typed
// (formats/vscode-copilot-chat.md, section 8), wrapper what it puts that in.
var injected = []string{
	"environment_info", "workspace_info", "context", "editorContext", "repoContext", "reminderInstructions",
}

const (
	wrapper = "userRequest"
	space   = " \t\r\n"
)

// CleanPrompt takes off the blocks of context before and behind what a person typed
// and the wrapper around it. What stands between, tags of the same names
// included, is theirs and stays as it is. A prompt that is nothing but such
// blocks was typed so and stays too.
func CleanPrompt(text string) string {
	rest := text
	for again := true; again; {
		again = false
		for _, tag := range injected {
			if _, before, after, ok := outer(rest, tag); ok {
				rest, again = strings.TrimRight(before, space)+strings.TrimLeft(after, "\r\n"), true
			}
		}
	}
	if typed, before, after, ok := outer(rest, wrapper); ok {
		before, typed, after = strings.Trim(before, space), strings.Trim(typed, space), strings.Trim(after, space)
		return strings.Trim(before+"\n\n"+typed+"\n\n"+after, space)
	}
	if strings.TrimSpace(rest) == "" {
		return text
	}
	return rest
}

// outer cuts a text around a block that it begins or ends with.
func outer(text, tag string) (inner, before, after string, ok bool) {
	begin, end := "<"+tag+">", "</"+tag+">"
	if body, found := strings.CutPrefix(strings.TrimLeft(text, space), begin); found {
		cut := strings.Index
		if tag == wrapper { // a person may name it
			cut = strings.LastIndex
		}
		if i := cut(body, end); i >= 0 {
			return body[:i], "", body[i+len(end):], true
		}
	}
	if body, found := strings.CutSuffix(strings.TrimRight(text, space), end); found {
		if i := strings.LastIndex(body, begin); i >= 0 {
			return body[i+len(begin):], body[:i], "", true
		}
	}
	return "", "", "", false
}
