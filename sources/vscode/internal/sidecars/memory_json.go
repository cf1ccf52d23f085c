package sidecars

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// readable makes markdown of a memory: entries as the memory tool writes them
// become paragraphs, other JSON a block of code, the rest is markdown already.
func readable(text, ext string) string {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "{") && !strings.HasPrefix(trimmed, "[") {
		return text
	}
	if entries, ok := entriesOf(trimmed); ok {
		var out []string
		for _, e := range entries {
			out = append(out, entry(e))
		}
		return strings.Join(out, "\n\n") + "\n"
	}
	switch strings.ToLower(ext) {
	case ".json", ".jsonl":
		return fenced(trimmed)
	}
	return text
}

// entriesOf reads {subject, fact, citations, reason, category}, one or several,
// in an array or one after the other. ok is false for anything else.
func entriesOf(text string) (entries []*tree.Node, ok bool) {
	d := tree.NewDecoder(strings.NewReader(text))
	for {
		n, err := tree.Read(d, nil)
		if errors.Is(err, io.EOF) {
			return entries, len(entries) > 0
		}
		if err != nil {
			return nil, false
		}
		list := []*tree.Node{n}
		if n.Kind() == tree.Array {
			list = n.Items()
		}
		for _, e := range list {
			if !isEntry(e) {
				return nil, false
			}
		}
		entries = append(entries, list...)
	}
}

// isEntry tells whether all of a value can be shown as an entry.
func isEntry(n *tree.Node) bool {
	if n.Get("fact").Text() == "" {
		return false
	}
	for _, value := range n.Members() {
		if _, ok := words(value); !ok {
			return false
		}
	}
	return true
}

// entry writes one entry: its subject, the fact, and what else is told of it.
func entry(n *tree.Node) string {
	var b strings.Builder
	if subject, _ := words(n.Get("subject")); subject != "" {
		b.WriteString("**" + subject + "**\n\n")
	}
	b.WriteString(strings.TrimSpace(n.Get("fact").Text()))
	lead := "\n\n"
	for name, value := range n.Members() {
		text, _ := words(value)
		if text == "" || name == "subject" || name == "fact" {
			continue
		}
		b.WriteString(lead + "- " + strings.Join(strings.Fields(name), " ") + ": " + text)
		lead = "\n"
	}
	return b.String()
}

// words writes a simple value, or a list of such, in one line; ok is false for an
// object.
func words(n *tree.Node) (text string, ok bool) {
	switch n.Kind() {
	case tree.String:
		return strings.Join(strings.Fields(n.Text()), " "), true
	case tree.Number:
		v, ok := n.Int()
		return strconv.FormatInt(v, 10), ok
	case tree.True, tree.False:
		v, _ := n.Bool()
		return strconv.FormatBool(v), true
	case tree.Array:
		var all []string
		for _, item := range n.Items() {
			one, ok := words(item)
			if !ok || item.Kind() == tree.Array {
				return "", false
			}
			all = append(all, one)
		}
		return strings.Join(all, ", "), true
	case tree.Object:
		return "", false
	}
	return "", true
}

// fenced wraps text into a block of code that nothing in it can end.
func fenced(text string) string {
	longest, run := 0, 0
	for i := range len(text) {
		if run++; text[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", max(3, longest+1))
	return fence + "json\n" + text + "\n" + fence + "\n"
}
