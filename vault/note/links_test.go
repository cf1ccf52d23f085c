package note

import (
	"fmt"
	"strings"
	"testing"
)

func TestLinks(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"wikilink":             {"see [[Agents/a|A]] and [[b]]", "Agents/a b"},
		"embed with part":      {"![[x.base#Latest]] [[n#One#Two|t]] [[n#^block]]", "x.base#Latest n#One#Two n#^block"},
		"own heading":          {"[[#Above]]", "#Above"},
		"bar in a table":       {`| [[Agents/a\|A]] | [[b\|B]] |`, "Agents/a b"},
		"escaped":              {`\[\[a]] \[[a]] \!\[\[a]]`, ""},
		"escaped backslash":    {`\\[[a]]`, "a"},
		"code span":            {"`[[a]]` ``x ` [[a]]`` [[b]] `[[c]]", "b c"},
		"fence":                {"```go\n[[a]]\n```\n[[b]]\n~~~~\n[[a]]\n~~~\n[[a]]\n~~~~\n[[c]]", "b c"},
		"fence in a quote":     {"> ```\n> [[a]]\n> ```\n> [[b]]", "b"},
		"quote ends its fence": {"> ```\n> [[a]]\n[[b]]", "b"},
		"fence in a list":      {"- ```\n  [[a]]\n  ```\n- [[b]]", "b"},
		"no fence":             {"``` not `a` fence\n[[b]]", "b"},
		"comment":              {"%% [[a]] %% [[b]]", "b"},
		"not closed":           {"[[a\n]] [[b]]", "b"},
		"shell test":           {"if [[ -f x ]]; then", "-f x"},
		"nested":               {"[[a [[b]] ]]", "b"},
		"markdown link":        {"[t](b%20c.md) [t](<d e.md>) [t](sub/f.md \"title\") [t](g(1).md)", "Agents/b c.md Agents/d e.md Agents/sub/f.md Agents/g(1).md"},
		"picture":              {"![t](../pic.png)", "pic.png"},
		"heading by markdown":  {"[t](#one%20two) [t](b.md#x)", "#one two Agents/b.md#x"},
		"out of the vault":     {"[t](https://example.com/a) [t](mailto:a@example.com) [t](//example.com) <https://example.com>", ""},
		"from the root":        {"[t](/b.md)", "b.md"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			eachLink(tt.text, "Agents/note.md", 1, func(l Link) {
				to := l.To
				if l.Near != "" {
					to = l.Near
				}
				if l.Part != "" {
					to += "#" + l.Part
				}
				got = append(got, to)
			})
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
		})
	}
}

func TestLinkLines(t *testing.T) {
	var got []string
	eachLink("a\n[[b]]\n```\n[[c]]\n```\n[[d]] [[e]]\n", "n.md", 10, func(l Link) { got = append(got, fmt.Sprint(l.To, " ", l.Line)) })
	if s := strings.Join(got, ", "); s != "b 11, d 15, e 15" {
		t.Error(s)
	}
}

func FuzzLinks(f *testing.F) {
	f.Add("[[a|b]] `x` ](y) %% \\[[z]]")
	f.Fuzz(func(t *testing.T, s string) {
		eachLink(s, "n.md", 1, func(l Link) {
			if l.Line < 1 || l.Line > 1+strings.Count(s, "\n") {
				t.Errorf("line %d", l.Line)
			}
		})
	})
}
