package note

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestBoxes(t *testing.T) {
	md := "- [ ] before any heading\n# One #\n* [x] done\n  + [X] deep `code`\n\n## Two ^^\n1. [-] numbered\n12) [/] half\n" +
		"```go\n- [ ] code\n# no heading\n```\n~~~\n```\n- [ ] code\n~~~\n> - [ ] quoted\n- [] none\n- [ ]none\n-[ ] none\n" +
		"- [ ] \n- [link](x) none\n#tag\n- [ ]  last  \n- text [ ] none\n2026 [ ] none\n"
	want := []Box{
		{"", "before any heading", false, ""},
		{"One", "done", true, ""},
		{"One", "deep `code`", true, ""},
		{"Two ^^", "numbered", true, ""},
		{"Two ^^", "half", true, ""},
		{"Two ^^", "last", false, ""},
	}
	md += "- [x] a [[b#^t-0a|c]] ✅ 2026-11-22 ^open-0a1b2c3d\n- [ ] mine ^open-x\n"
	want = append(want, Box{"Two ^^", "a [[b#^t-0a|c]]", true, "open-0a1b2c3d"}, Box{"Two ^^", "mine ^open-x", false, ""})
	expect.Deep(t, Boxes(md), want)
}

func TestParseReadsWhatRenderWrote(t *testing.T) {
	d := someContent()
	n := Parse("p.md", Render(d))
	if n.ID != d.ID || n.Path != "p.md" || n.Broken != "" || n.Touched || !reflect.DeepEqual(n.Props, d.Props) {
		t.Errorf("note %+v", n)
	}
	expect.Deep(t, n.Boxes, []Box{{"One", "a box", false, ""}}, "boxes")
	crlf := Parse("p.md", []byte("\uFEFF"+strings.ReplaceAll(string(Render(d)), "\n", "\r\n")))
	if crlf.Hash != n.Hash || !reflect.DeepEqual(crlf.Props, n.Props) || crlf.Touched {
		t.Errorf("with other line ends: %+v", crlf)
	}
}

// TestValuesOfUsers: every spelling of a property is read, whatever wrote it.
func TestValuesOfUsers(t *testing.T) {
	n := Parse("", []byte("---\na: plain\nb: 'it''s'\nc: 3\nd: 2.5\ne: true\nf:\ng: ~\nh: [x, 1]\ni:\n  - y\nj: 2026-01-02\n"+
		"k: 2026-01-02 03:04:05\nl: |\n  two\n  lines\nm: \"\\x41\"\nn: {a: 1}\n\"o p\": 1\n---\n"))
	want := []Property{
		{"a", "plain"}, {"b", "it's"}, {"c", 3}, {"d", "2.5"}, {"e", true}, {"f", nil}, {"g", nil}, {"h", []string{"x", "1"}},
		{"i", []string{"y"}}, {"j", "2026-01-02"}, {"k", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, {"l", "two\nlines\n"},
		{"m", "A"}, {"n", "{a: 1}"}, {"o p", 1},
	}
	if !reflect.DeepEqual(n.Props, want) || n.Broken != "" || n.ID != "" {
		t.Errorf("got %#v %q", n.Props, n.Broken)
	}
	for _, foreign := range []string{"", "text", "# a\n---\n", " ---\nid: x\n---\n", "\n---\nid: x\n---\n", "---\n---\n", "---\n# c\n---\n"} {
		if n := Parse("", []byte(foreign)); n.ID != "" || n.Broken != "" || len(n.Props) != 0 {
			t.Errorf("%q: %+v", foreign, n)
		}
	}
}

// FuzzFrontmatter: any text comes back from a property as it was, by our own
// reader and by YAML's, and stays within its line.
func FuzzFrontmatter(f *testing.F) {
	for _, s := range []string{"---", "a\n---\nowned: x", "[[x]]: #y", "- !!binary &a *b", "\u2028\u2029\u0085\uFEFF\x00", "\xff\xfe", `\"`, "\U0001F600",
		"%% /sessionloom body 0123456789abcdef %%", "'", "yes", "2026-01-02T03:04:05", "\r\n", "\uFFFF", "\ud7ff"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		d := Content{ID: "session:1", Props: []Property{{"id", "session:1"}, {"title", a}, {"files", []string{a, b}}, {"last", 7}}, Body: str("")}
		raw := Render(d)
		valid := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
		a, b = valid(a), valid(b)
		want := []Property{{"id", "session:1"}, {"title", a}, {"files", []string{a, b}}, {"last", 7}}
		doc := ParseDocument(raw)
		if n := doc.Note(""); n.Broken != "" || n.ID != "session:1" || !reflect.DeepEqual(n.Props, want) || n.Touched {
			t.Errorf("read back %q %+v", n.Broken, n.Props)
		}
		slow := Frontmatter{open: doc.Front.open, Start: doc.Front.Start, end: doc.Front.end, After: doc.Front.After}
		if broken := slow.readYAML(raw); broken != "" || len(slow.Fields) != 4 || slow.Rigid {
			t.Fatalf("YAML: %q %+v", broken, slow)
		}
		for i, fld := range slow.Fields {
			fast := doc.Front.Fields[i]
			if !reflect.DeepEqual(fld.Entries, fast.Entries) || fld.Start != fast.Start || fld.End != fast.End || fld.Fixed {
				t.Errorf("YAML reads %+v, we %+v", fld, fast)
			}
		}
		expect.Is(t, bytes.Count(raw[:doc.Front.After], []byte("\n")), 8, "a value left its line", raw)
	})
}

// TestQuotingIsYAML holds our quoting against the library for every character.
func TestQuotingIsYAML(t *testing.T) {
	var all []rune
	for r := rune(0); r <= 0x10FFFF; r++ {
		if utf8.ValidRune(r) && (r < 0x3000 || r > 0xF8FF && r < 0x10100 || r%0x101 == 0) {
			all = append(all, r)
		}
	}
	quoted := string(AppendQuoted(nil, string(all)))
	var got string
	if err := yaml.Unmarshal([]byte(quoted), &got); err != nil || got != string(all) {
		t.Errorf("YAML reads another text: %v", err)
	}
	if got, ok := unquote(quoted); !ok || got != string(all) {
		t.Error("we read another text")
	}
}

func str(s string) *string { return &s }

// someContent is what a note says.
func someContent() Content {
	return Content{
		ID: "session:1",
		Props: []Property{
			{"id", "session:1"}, {"title", "One"}, {"aliases", []string{"One"}}, {"tags", []string{"agents/session"}},
			{"updated", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, {"turn_count", 1}, {"files", []string{"a.go"}},
		},
		Facts: []Fact{{KeyLayer, "cli/events"}},
		Body:  str("# One\n\n- [ ] a box\n"),
		Nav:   str("← [[Agents/x|before]]"),
	}
}

// An address behind a sign that is encoded leads nowhere, and reads back as it was.
func TestFactHoldsNoSchemeOfItsOwn(t *testing.T) {
	for text, want := range map[string]string{
		"see `https://example.com`":  "see %60https%3A//example.com%60",
		"[x](https://example.com)":   "%5Bx%5D(https://example.com)",
		"why redis://localhost:6379": "why redis%3A//localhost:6379",
		"x.http://a and HTTPS://b":   "x.http%3A//a and HTTPS://b",
		"see https://example.com":    "see https://example.com",
		"`a` then http://a.b and c:": "%60a%60 then http://a.b and c:",
	} {
		got := encodeFact(text, false)
		if back, ok := decodeFact(got); got != want || !ok || back != text {
			t.Errorf("%q: %q, want %q; reads back as %q", text, got, want, back)
		}
	}
}
