package chat

import "strings"

const request = "userRequest"

// injected names the blocks VS Code puts around what a person typed
// (formats/vscode-copilot-chat.md, section 8).
func injected() []string {
	return []string{"environment_info", "workspace_info", "context", "editorContext", "repoContext", "reminderInstructions"}
}

// CleanPrompt takes off the blocks of context before and behind what a person typed
// and the wrapper around it. What stands between, tags of the same names
// included, is theirs and stays as it is. A prompt that is nothing but such
// blocks was typed so and stays too.
func CleanPrompt(text string) string {
	rest := text
	for was := -1; was != len(rest); {
		was = len(rest)
		for _, tag := range injected() {
			rest = stripFirst(rest, "<"+tag+">", "</"+tag+">")
			rest = stripLast(rest, "<"+tag+">", "</"+tag+">")
		}
	}
	if typed, ok := unwrap(rest, "<"+request+">", "</"+request+">"); ok {
		return typed
	}
	if strings.TrimSpace(rest) == "" {
		return text
	}
	return rest
}

// stripFirst takes off a block at the beginning and the line ends behind it.
func stripFirst(text, begin, end string) string {
	body, ok := strings.CutPrefix(strings.TrimLeft(text, space), begin)
	if !ok {
		return text
	}
	if i := strings.Index(body, end); i >= 0 {
		return strings.TrimLeft(body[i+len(end):], "\r\n")
	}
	return text
}

// stripLast takes off a block at the end and the white space before it.
func stripLast(text, begin, end string) string {
	body, ok := strings.CutSuffix(strings.TrimRight(text, space), end)
	if !ok {
		return text
	}
	if i := strings.LastIndex(body, begin); i >= 0 {
		return strings.TrimRight(body[:i], space)
	}
	return text
}

// unwrap takes off the wrapper, where text begins or ends with it. Text beside
// it stays, a paragraph apart.
func unwrap(text, begin, end string) (string, bool) {
	t := strings.Trim(text, space)
	if body, ok := strings.CutPrefix(t, begin); ok {
		if i := strings.LastIndex(body, end); i >= 0 {
			return paragraphs(body[:i], body[i+len(end):]), true
		}
	}
	if body, ok := strings.CutSuffix(t, end); ok {
		if i := strings.LastIndex(body, begin); i >= 0 {
			return paragraphs(body[:i], body[i+len(begin):]), true
		}
	}
	return "", false
}

func paragraphs(a, b string) string {
	return strings.Trim(strings.Trim(a, space)+"\n\n"+strings.Trim(b, space), space)
}

const space = " \t\r\n"
