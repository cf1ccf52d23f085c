package vault

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

func TestBoxes(t *testing.T) {
	md := "- [ ] before any heading\n# One #\n* [x] done\n  + [X] deep `code`\n\n## Two ^^\n1. [-] numbered\n12) [/] half\n" +
		"```go\n- [ ] code\n# no heading\n```\n~~~\n```\n- [ ] code\n~~~\n> - [ ] quoted\n- [] none\n- [ ]none\n-[ ] none\n" +
		"- [ ] \n- [link](x) none\n#tag\n- [ ]  last  \n- text [ ] none\n2026 [ ] none\n"
	want := []Box{
		{"", "before any heading", false},
		{"One", "done", true},
		{"One", "deep `code`", true},
		{"Two ^^", "numbered", true},
		{"Two ^^", "half", true},
		{"Two ^^", "last", false},
	}
	if got := Boxes(md); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestParseReadsWhatRenderWrote(t *testing.T) {
	d := firstDraft()
	n := Parse("p.md", Render(d))
	if n.ID != d.ID || n.Path != "p.md" || n.Broken != "" || n.Touched || !reflect.DeepEqual(n.Props, d.Props) {
		t.Errorf("note %+v", n)
	}
	if !reflect.DeepEqual(n.Boxes, []Box{{"One", "a box", false}}) {
		t.Errorf("boxes %+v", n.Boxes)
	}
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
		"%% sessionloom:end body %%", "'", "yes", "2026-01-02T03:04:05", "\r\n", "\uFFFF", "\ud7ff"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		d := Draft{ID: "session:1", Props: []Property{{"id", "session:1"}, {"title", a}, {"files", []string{a, b}}, {"last", 7}}, Body: text("")}
		raw := Render(d)
		valid := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
		a, b = valid(a), valid(b)
		want := []Property{{"id", "session:1"}, {"title", a}, {"files", []string{a, b}}, {"last", 7}}
		doc := takeApart(raw)
		if n := doc.note(""); n.Broken != "" || n.ID != "session:1" || !reflect.DeepEqual(n.Props, want) || n.Touched {
			t.Errorf("read back %q %+v", n.Broken, n.Props)
		}
		slow := front{open: doc.front.open, start: doc.front.start, end: doc.front.end, after: doc.front.after}
		if broken := slow.readYAML(raw); broken != "" || len(slow.fields) != 4 || slow.rigid {
			t.Fatalf("YAML: %q %+v", broken, slow)
		}
		for i, fld := range slow.fields {
			fast := doc.front.fields[i]
			if !reflect.DeepEqual(fld.entries, fast.entries) || fld.start != fast.start || fld.end != fast.end || fld.fixed {
				t.Errorf("YAML reads %+v, we %+v", fld, fast)
			}
		}
		if bytes.Count(raw[:doc.front.after], []byte("\n")) != 8 {
			t.Errorf("a value left its line:\n%s", raw)
		}
		if len(reconcile(doc, d).text) != len(raw) {
			t.Error("the same draft changes the note")
		}
	})
}

// FuzzParse: no bytes make parsing or renewing fail in an unforeseen way,
// whatever stands in the frontmatter and around the regions; what a human wrote
// there is still there.
func FuzzParse(f *testing.F) {
	note := string(Render(firstDraft()))
	head, tail, _ := strings.Cut(note, "---\n\n%%")
	head, tail = strings.TrimPrefix(head, "---\nid: \"session:1\"\n"), "\n%%"+tail
	f.Add(head, tail)
	f.Add(strings.ReplaceAll(head, "\n", "\r\n"), strings.ReplaceAll(tail, "\n", "\r\n"))
	f.Add(strings.Replace(head, "tags:\n  - \"agents/session\"", "tags: [a, b] # c\n# d\n? x\n: y", 1), tail+"mine")
	f.Add("files: &a\n- a.go\nx: *a\n\nupdated: 2026-01-02\n# c\n", tail)
	f.Add("tags:\n - a\n -  b\n - c: d\n...\n--- x\n", "%% sessionloom:begin body v=1 sha256=0123456789abcdef %%\n%% sessionloom:end body %%")
	f.Add("turn_count: 1 # c\naliases: # d\n- One\n  # e\n- >\n  x\n\n  y\n\ntitle: |+\n  One\n\n# f\n", tail)
	f.Fuzz(func(t *testing.T, front, rest string) {
		s := "---\nid: \"session:1\"\n" + front + "---\n" + rest
		takeApart([]byte(front + rest))
		doc := takeApart([]byte(s))
		p := reconcile(doc, secondDraft())
		if doc.broken != "" && string(p.text) != s {
			t.Error("a broken note was changed")
		}
		if string(p.text) == s || doc.handsOff("session:1") != "" {
			return
		}
		after := takeApart(p.text)
		if after.broken != "" || after.id != "session:1" {
			t.Errorf("%q became %q: %s", s, p.text, after.broken)
		}
		if !bytes.Equal(bytes.Join(doc.outside(), nil), removeGap(doc, after)) {
			t.Errorf("text outside changed: %q became %q", s, p.text)
		}
		if again := reconcile(after, secondDraft()); !bytes.Equal(again.text, p.text) {
			t.Errorf("not stable:\n%q\n%q", p.text, again.text)
		}
		checkForeign(t, doc, after)
	})
}

// removeGap is the text outside of our parts without the blank line that came
// with a first nav region.
func removeGap(before, after *document) []byte {
	if before.nav == nil && after.nav != nil {
		after = takeApart(append(bytes.Clone(after.raw[:after.body.end.end]), after.raw[after.nav.begin.start:]...))
	}
	return bytes.Join(after.outside(), nil)
}

// checkForeign compares the lines of all properties that are not ours.
func checkForeign(t *testing.T, before, after *document) {
	t.Helper()
	if before.front.rigid {
		if !bytes.Equal(before.raw[:before.front.after], after.raw[:after.front.after]) {
			t.Error("frontmatter of unsure lines changed")
		}
		return
	}
	ours := map[string]bool{}
	for _, p := range append(firstDraft().Props, secondDraft().Props...) {
		ours[p.Key] = true
	}
	for _, f := range before.front.fields {
		if ours[f.key] || before.props != nil && before.props.prints[f.key] != nil {
			continue
		}
		g := after.front.field(f.key)
		if g == nil || !bytes.Equal(before.raw[f.start:f.end], after.raw[g.start:g.end]) {
			t.Errorf("property %q of the user changed", f.key)
		}
	}
}

// TestRandomEditsSurvive: random lines of a human, anywhere outside of the
// regions, are all there after the note was renewed.
func TestRandomEditsSurvive(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"word", "", "  indented", "- [ ] todo", "%% comment %%", "```", "key: value", "> quote", "é\u2028", "---", "\ttab"}
	rounds := 2000
	if testing.Short() {
		rounds = 100
	}
	for range rounds {
		doc := takeApart(Render(firstDraft()))
		spans := []int{doc.front.after, doc.props.start, doc.body.end.end, doc.nav.begin.start, len(doc.raw)}
		var edits []edit
		for _, at := range spans {
			for range rng.IntN(3) {
				edits = append(edits, edit{start: at, end: at, text: pieces[rng.IntN(len(pieces))] + "\n"})
			}
		}
		foreign := []string{"mine: 1\n", "# note\n", "other: [a]\n", "\n", "text: >\n  a\n\n  b\n"}
		for i, fld := range doc.front.fields {
			if rng.IntN(4) == 0 {
				f := foreign[rng.IntN(len(foreign))]
				f = strings.Replace(f, ":", string(rune('a'+i))+":", 1)
				edits = append(edits, edit{start: fld.start, end: fld.start, text: f})
			}
		}
		eol := []string{"\n", "\r\n"}[rng.IntN(2)]
		edited := splice(doc.raw, "\n", edits)
		if eol != "\n" {
			edited = bytes.ReplaceAll(edited, []byte("\n"), []byte(eol))
		}
		before := takeApart(edited)
		if before.broken != "" {
			t.Fatalf("%s\n%s", before.broken, edited)
		}
		p := reconcile(before, secondDraft())
		after := takeApart(p.text)
		if !bytes.Equal(bytes.Join(before.outside(), nil), bytes.Join(after.outside(), nil)) || len(p.reasons) > 0 {
			t.Fatalf("%q\n%s\nbecame\n%s", p.reasons, edited, p.text)
		}
		checkForeign(t, before, after)
		if !strings.Contains(string(toLF(p.text)), "# One and two\n") || after.front.field("branch") == nil {
			t.Fatalf("not renewed:\n%s", p.text)
		}
	}
}

// TestQuotingIsYAML holds our quoting against the library for every character.
func TestQuotingIsYAML(t *testing.T) {
	var all []rune
	for r := rune(0); r <= 0x10FFFF; r++ {
		if utf8.ValidRune(r) && (r < 0x3000 || r > 0xF8FF && r < 0x10100 || r%0x101 == 0) {
			all = append(all, r)
		}
	}
	quoted := string(appendQuoted(nil, string(all)))
	var got string
	if err := yaml.Unmarshal([]byte(quoted), &got); err != nil || got != string(all) {
		t.Errorf("YAML reads another text: %v", err)
	}
	if got, ok := unquote(quoted); !ok || got != string(all) {
		t.Error("we read another text")
	}
}
