package templates

import (
	"encoding/json"
	"path"
	"strings"
)

// maxName is the most bytes of a name of a branch, model, agent or attachment.
const maxName = 200

// The phrases of the pages are made of several fields; each passes an escaper
// here.

// dots joins what is not empty: a line of facts.
func dots(parts ...string) string {
	var list []string
	for _, p := range parts {
		if p != "" {
			list = append(list, p)
		}
	}
	return strings.Join(list, " · ")
}

// short keeps a name from filling a line.
func short(name string) string { return cut(oneLine(name), maxName) }

// agent names the program that held the session.
func agent(name string) string {
	switch name {
	case "copilot-cli":
		return "Copilot CLI"
	case "vscode-copilot":
		return "VS Code Copilot"
	}
	return inline(short(name))
}

// branch prints "branch `key-rotation` (from `main`)".
func branch(name, base string) string {
	s := code(short(name))
	if s == "" {
		return ""
	}
	if b := code(short(base)); b != "" && b != s {
		s += " (from " + b + ")"
	}
	return "branch " + s
}

// models prints the models of a session.
func models(names []string) string {
	if s := codes(names); s != "" {
		return "with " + s
	}
	return ""
}

// codes prints code spans with commas between.
func codes(list []string) string {
	var spans []string
	for _, s := range list {
		if s = code(short(s)); s != "" {
			spans = append(spans, s)
		}
	}
	return strings.Join(spans, ", ")
}

// forked links the parent of a session.
func forked(parent Link) string {
	if parent == (Link{}) {
		return ""
	}
	return "forked from " + Wikilink(parent)
}

// about links what a page belongs to; no link gives nothing.
func about(words string, l Link) string {
	if l == (Link{}) {
		return ""
	}
	return words + Wikilink(l)
}

// links joins links to notes.
func links(list []Link) string {
	texts := make([]string, 0, len(list))
	for _, l := range list {
		texts = append(texts, Wikilink(l))
	}
	return strings.Join(texts, " · ")
}

// waiting says how an open task stands; of one without text it says nothing.
func waiting(b Box) string {
	if b.State == "open" && len(b.After) == 0 || oneLine(b.Text) == "" {
		return ""
	}
	var state string
	switch b.State {
	case "in_progress":
		state = "in progress"
	case "blocked":
		state = "blocked"
	}
	var after []string
	for _, s := range b.After {
		if s = inline(s); s != "" {
			after = append(after, s)
		}
	}
	if len(after) == 0 {
		return state
	}
	if b.State == "blocked" {
		state = "" // what it waits for says so
	}
	return dots(state, "waits for: "+strings.Join(after, "; "))
}

// reference prints a commit, pull request or issue, linked where its address is
// known.
func reference(r Ref) string {
	words := ""
	switch r.Type {
	case "commit":
		words = "Commit " + linked(code(r.Value), r.URL)
	case "pr":
		words = webLink("Pull request "+r.Value, r.URL)
	case "issue":
		words = webLink("Issue "+r.Value, r.URL)
	default:
		words = webLink(r.Type+" "+r.Value, r.URL)
	}
	text := inline(r.Text)
	switch {
	case text == "":
		return words
	case strings.HasSuffix(words, ":"): // two colons would make a field
		return words + " " + text
	}
	return words + ": " + text
}

// references joins pull requests and issues on one line.
func references(list []Ref) string {
	var words []string
	for _, r := range list {
		r.Text = ""
		words = append(words, reference(r))
	}
	return strings.Join(words, ", ")
}

// address links words of a page to a web address; without one it says nothing.
func address(words, url string) string {
	if s := linked(words, url); s != words {
		return s
	}
	return ""
}

// document shows a kept file: markdown as markdown, anything else in one fence.
// What is called JSON and is none was put into words by its reader.
func document(name, text string) string {
	ext := strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	if ext == "json" && !json.Valid([]byte(text)) {
		return block(text)
	}
	switch ext {
	case "", "md", "markdown", "mdx":
		return block(text)
	case "txt":
		return fence("text", text)
	default:
		return fence(ext, text)
	}
}

// kind names a kind of memory.
func kind(name string) string {
	switch name {
	case "plan":
		return "Plan"
	case "memory":
		return "Memory"
	case "research":
		return "Research"
	case "file":
		return "Saved file"
	case "summary":
		return "Summary"
	}
	return inline(name)
}

// scope says for whom a memory holds; that of a session says it by its link.
func scope(name string) string {
	switch name {
	case "repo":
		return "for the whole repository"
	case "user":
		return "for all projects"
	}
	return ""
}

// before and after link the neighbours of a note.
func before(l Link) string { return about("← ", l) }

func after(l Link) string {
	if l == (Link{}) {
		return ""
	}
	return Wikilink(l) + " →"
}

// model and mode say what a turn ran with.
func model(name string) string {
	if name = code(short(name)); name != "" {
		name = "with " + name
	}
	return name
}

func mode(name string) string {
	if name = inline(short(name)); name != "" {
		name += " mode"
	}
	return name
}

// checkpoint says which checkpoint of which session a page is.
func checkpoint(n int, session Link) string {
	return strings.TrimSpace("Checkpoint " + number(n) + about(" of ", session))
}
