package vault

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/vault/note"
)

// TestSpellingIsNoEdit has another program write our properties again, each in a
// way of its own: to us they say the same, are renewed without a word, and what
// the user has beside them stays as it is.
func TestSpellingIsNoEdit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	texts := []string{
		"plain", "two words", "a: b", "a #tag", "it's \"quoted\"", "- dash", "yes", "null", "007", "3.14", "2026-01-02", "{a}", "[[a|b]]",
		"tab\tand\nline", " blank ", "100%", "@at", "`code`", "C:\\path", "日本語 📈", "!bang", strings.Repeat("long words ", 30) + "end", "~", "trailing:",
	}
	for n := range 150 {
		first, second := firstDraft(), secondDraft()
		pick := func() string { return texts[r.IntN(len(texts))] }
		first.Props[1].Value, second.Props[1].Value = pick(), fmt.Sprintf("other %d", n)
		first.Props[6].Value, second.Props[7].Value = []string{pick(), pick() + "."}, []string{"c.go"}
		v, dir := newVault(t, Options{})
		worldOf(v).sync = func(*os.File) error { return nil }
		at := mustPut(t, v, first).Path
		file := dir + "/" + at
		head, rest, _ := strings.Cut(readFile(t, file), "---\n\n")
		spelled := respell(t, strings.TrimPrefix(head, "---\n"), r)
		mine := "mine: [1,  'two']   # as I like it\n"
		writeFile(t, file, "---\n"+spelled+mine+"---\n\n"+rest)
		first.At, second.At = at, at
		if r := mustPut(t, v, first); r.Outcome != Unchanged {
			t.Fatalf("the same once more: %q %q\n%s", r.Outcome, r.Reason, spelled)
		}
		if r := mustPut(t, v, second); r.Outcome != Updated || r.Reason != "" {
			t.Fatalf("outcome %q %q\n%s", r.Outcome, r.Reason, spelled)
		}
		stands, err := v.Load(at)
		if err != nil || stands.Broken != "" || !strings.Contains(readFile(t, file), mine) {
			t.Fatalf("%v %q\n%s\nbecame\n%s", err, stands.Broken, spelled, readFile(t, file))
		}
		for _, want := range second.Props {
			for _, got := range stands.Props {
				if got.Key == want.Key && !reflect.DeepEqual(note.Entries(got.Key, got.Value), note.Entries(want.Key, want.Value)) {
					t.Fatalf("%s is %v, want %v\n%s", got.Key, got.Value, want.Value, spelled)
				}
			}
		}
	}
}

// respell writes a block of frontmatter as another program might.
func respell(t *testing.T, block string, r *rand.Rand) string {
	t.Helper()
	var doc yaml.Node
	must(t, yaml.Unmarshal([]byte(block), &doc))
	fields := doc.Content[0].Content
	for i := 1; i < len(fields); i += 2 {
		restyle(fields[i], r)
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2 + 2*r.IntN(2))
	must(t, e.Encode(&doc))
	return b.String()
}

func restyle(n *yaml.Node, r *rand.Rand) {
	if n.Kind == yaml.SequenceNode {
		n.Style = []yaml.Style{0, yaml.FlowStyle}[r.IntN(2)]
		for _, item := range n.Content {
			restyle(item, r)
		}
		return
	}
	if n.ShortTag() == "!!str" {
		n.Style = []yaml.Style{0, yaml.SingleQuotedStyle, yaml.DoubleQuotedStyle, yaml.FoldedStyle}[r.IntN(4)]
	}
}

// TestTagsAreUnited: the user's tags and ours stand side by side, and one of
// ours that was taken out stays out, also when we had given it up meanwhile.
func TestTagsAreUnited(t *testing.T) {
	v, dir := newVault(t, Options{})
	d := firstDraft()
	put := func(tags ...string) string {
		t.Helper()
		d.Props[3].Value = tags
		d.At = mustPut(t, v, d).Path
		return readFile(t, dir+"/"+d.At)
	}
	user := func(edit func(string) string) {
		t.Helper()
		writeFile(t, dir+"/"+d.At, edit(readFile(t, dir+"/"+d.At)))
	}
	shows := func(text, want string) {
		t.Helper()
		if !strings.Contains(text, "\ntags:\n"+want+"updated:") {
			t.Errorf("want tags\n%sin\n%s", want, text)
		}
	}
	put("a", "b")
	user(replaceOnce("  - \"b\"\n", "  - mine # why\n"))
	user(replaceOnce("  - mine # why\n", "  - mine\n"))
	shows(put("a", "b", "c"), "  - \"a\"\n  - mine\n  - \"c\"\n")
	shows(put("a"), "  - \"a\"\n  - mine\n")
	shows(put("a", "b", "d"), "  - \"a\"\n  - mine\n  - \"d\"\n")
	user(replaceOnce("  - \"d\"\n", "  - \"d\"\n  - \"b\"\n")) // asked back
	shows(put("a", "b"), "  - \"a\"\n  - mine\n  - \"b\"\n")
	shows(put("a"), "  - \"a\"\n  - mine\n")
}

// TestTagsOnOneLine: tags that a user keeps on one line, as Obsidian once did, are
// several, and stay so when one of ours joins them. In a line of aliases with a
// comma nobody can tell, and it stays as it is.
func TestTagsOnOneLine(t *testing.T) {
	for line, want := range map[string]string{
		"tags: agents/session, mine":     "tags:\n  - \"agents/session\"\n  - \"mine\"\n  - \"new\"\n",
		"tags: 'mine yours'":             "tags:\n  - \"mine\"\n  - \"yours\"\n  - \"new\"\n",
		"tags: \"#mine,agents/session\"": "tags:\n  - \"mine\"\n  - \"agents/session\"\n  - \"new\"\n",
		"tags: mine":                     "tags:\n  - \"mine\"\n  - \"new\"\n",
	} {
		second := secondDraft()
		second.Props[3].Value = []string{"agents/session", "new"}
		r, got := putOver(t, replaceOnce("tags:\n  - \"agents/session\"", line), second)
		if !strings.Contains(got, "\n"+want+"updated: ") || r.Reason != "" {
			t.Errorf("%s: %q\n%s", line, r.Reason, got)
		}
	}
	r, got := putOver(t, replaceOnce("aliases:\n  - \"One\"", "aliases: mine, or ours"), secondDraft())
	if !strings.Contains(got, "\naliases: mine, or ours\n") || r.Reason != "kept your aliases" {
		t.Errorf("%q\n%s", r.Reason, got)
	}
}
