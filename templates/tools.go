package templates

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/templates/escape"
)

const (
	namedFiles = 4  // files named in a line of tools; more are counted
	maxDetail  = 80 // bytes of a detail
)

// tools prints what the agent did in a turn: "read `a.go` · ran 3 commands (1 failed)".
func tools(lines []ToolLine) *Markdown {
	var parts []string
	for _, t := range lines {
		if s := toolWords(t); s != "" {
			parts = append(parts, s+inside(t))
		}
	}
	return markdown(strings.Join(parts, " · "))
}

var fileVerbs = map[Text]string{"read": "read", "edit": "edited", "create": "created"}

// toolWords describes one group of calls. Kinds are those of package sources.
func toolWords(t ToolLine) string {
	switch t.Kind {
	case "read", "edit", "create":
		return onFiles(fileVerbs[t.Kind], t)
	case "search":
		return "searched" + times(calls(t)) + failures(t)
	case "list":
		return "listed " + count(calls(t), "folder", "folders") + failures(t)
	case "run":
		return "ran " + count(calls(t), "command", "commands") + failures(t)
	case "web":
		return "opened " + count(calls(t), "web page", "web pages") + failures(t)
	case "plan":
		return "updated its plan" + failures(t)
	case "ask":
		return "asked " + count(calls(t), "question", "questions") + failures(t)
	case "task":
		return "started " + count(calls(t), "sub-agent", "sub-agents") + failures(t)
	}
	if name := escape.Code(escape.Cut(escape.OneLine(string(t.Name)), maxDetail)); name != "" {
		return "used " + name + multiple(calls(t)) + failures(t)
	}
	return "used " + count(calls(t), "other tool", "other tools") + failures(t)
}

// inside prints what sub-agents did: ": audience check (read 2 files)".
func inside(t ToolLine) string {
	var parts []string
	for _, d := range t.Details {
		var did []string
		for _, line := range d.Within {
			did = append(did, brief(line))
		}
		if len(did) == 0 {
			continue
		}
		if len(parts) == namedFiles {
			parts = append(parts, "…")
			break
		}
		words := strings.Join(did, ", ")
		if name := escape.Inline(escape.Cut(escape.OneLine(string(d.Text)), maxDetail)); name != "" {
			words = name + " (" + words + ")"
		}
		parts = append(parts, words)
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, "; ")
}

func brief(t ToolLine) string {
	verb, ok := fileVerbs[t.Kind]
	if !ok {
		return toolWords(t)
	}
	return verb + " " + count(max(len(t.Details), 1), "file", "files") + failures(t)
}

// onFiles names the files of a group, or counts many.
func onFiles(verb string, t ToolLine) string {
	var names []string
	for _, d := range t.Details {
		if name := escape.Code(tail(string(d.Text))); name != "" {
			names = append(names, name+multiple(d.Times))
		}
	}
	if len(names) == 0 || len(names) > namedFiles {
		return verb + " " + count(max(len(names), 1), "file", "files") + failures(t)
	}
	return verb + " " + strings.Join(names, ", ") + failures(t)
}

func tail(s string) string {
	s = escape.OneLine(s)
	if len(s) <= maxDetail {
		return s
	}
	if i := strings.IndexByte(s[len(s)-maxDetail:], '/'); i >= 0 {
		return "…" + s[len(s)-maxDetail+i:]
	}
	return escape.Cut(s, maxDetail)
}

func calls(t ToolLine) int {
	n := 0
	for _, d := range t.Details {
		n += max(d.Times, 1)
	}
	return max(n, 1)
}

func failures(t ToolLine) string {
	n := 0
	for _, d := range t.Details {
		if d.Failed {
			n += max(d.Times, 1)
		}
	}
	switch {
	case n == 0:
		return ""
	case n == calls(t):
		return " (failed)"
	}
	return " (" + number(n) + " failed)"
}

func multiple(n int) string {
	if n <= 1 {
		return ""
	}
	return " ×" + number(n)
}

func times(n int) string {
	return cmp.Or(map[int]string{1: " once", 2: " twice"}[n], " "+number(n)+" times")
}
