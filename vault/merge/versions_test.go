package merge

import (
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/vault/note"
)

// telling is a rendering of a note with this many lines of news.
func telling(minute int, title, body, nav string) []byte {
	return note.Render(note.Content{ID: "home", Body: &body, Nav: &nav, Facts: []note.Fact{{Key: note.KeyLayer, Value: "a/log"}}, Props: []note.Property{
		{Key: "id", Value: "home"}, {Key: "title", Value: title}, {Key: "aliases", Value: []string{title}}, {Key: "tags", Value: []string{"agents/home"}},
		{Key: "updated", Value: time.Date(2026, 3, 4, 5, minute, 0, 0, time.UTC)},
	}})
}

// edited is a text after edits of a human: pairs of old and new.
func edited(t *testing.T, text []byte, pairs ...string) []byte {
	t.Helper()
	s := string(text)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(s, pairs[i]) {
			t.Fatalf("nothing says %q", pairs[i])
		}
		s = strings.Replace(s, pairs[i], pairs[i+1], 1)
	}
	return []byte(s)
}

func TestMergeVersions(t *testing.T) {
	const old, fresh = "# Page\n\n- one\n- two\n- [ ] a box\n", "# Page of all\n\n- zero\n- one\n- two and a half\n- [ ] a box\n- three\n"
	const other = "# Page at large\n\n- none\n- one\n- two again\n- [ ] a box\n- four\n"
	base := telling(1, "Old", old, "- [[x]]")
	ours, theirs := telling(3, "Ours", fresh, "- [[y]]"), telling(2, "Theirs", other, "- [[z]]")
	lower := "\n%%\n"
	for _, c := range []struct {
		name               string
		base, ours, theirs []byte
		want               string // empty: a conflict
	}{
		{"the newer rendering wins", base, ours, theirs, string(ours)},
		{"also without a common version", nil, ours, theirs, string(ours)},
		{"a word below the text", base, ours, edited(t, theirs, lower, lower+"\nMine.\n"), string(edited(t, ours, lower, lower+"\nMine.\n"))},
		{"two words below the text", base, edited(t, ours, lower, lower+"\nYours.\n"), edited(t, theirs, lower, lower+"\nMine.\n"),
			string(edited(t, ours, lower, lower+"\nYours.\n\nMine.\n"))},
		{"a line in an outdated text", base, ours, edited(t, base, "- one\n", "- one\n  - mine\n"), string(edited(t, ours, "- one\n", "- one\n  - mine\n"))},
		{"a box ticked in an outdated text", base, ours, edited(t, base, "[ ]", "[x]"), string(edited(t, ours, "[ ]", "[x]"))},
		{"both wrote", base, edited(t, ours, "- one\n", "- one\n  - yours\n"), edited(t, base, "- two\n", "- two\n  - mine\n"), ""},
		{"a title of one's own", base, ours, edited(t, base, `"Old"`, `"My page"`), string(edited(t, ours, `"Ours"`, `"My page"`))},
		{"tags of one's own", base, edited(t, ours, "  - \"agents/home\"\n", "  - \"agents/home\"\n  - yours\n"),
			edited(t, theirs, "  - \"agents/home\"\n", "  - \"agents/home\"\n  - mine\n"),
			string(edited(t, ours, "  - \"agents/home\"\n", "  - \"agents/home\"\n  - yours\n  - mine\n"))},
		{"a tag of ours taken out", base, ours, edited(t, theirs, "  - \"agents/home\"\n", "  - mine\n"),
			string(edited(t, ours, "  - \"agents/home\"\n", "  - mine\n"))},
		{"two titles", base, edited(t, base, `"Old"`, `"Mine"`), edited(t, base, `"Old"`, `"Yours"`), ""},
		{"another note taken for a renamed one", base, ours, edited(t, base, "\"home\"", "\"threads\""), string(edited(t, base, "\"home\"", "\"threads\""))},
		{"no notes", []byte("a\nb\n"), []byte("a\nb\nc\n"), []byte("A\nb\n"), "A\nb\nc\n"},
		{"no notes that conflict", []byte("a\n"), []byte("b\n"), []byte("c\n"), ""},
		{"other line ends", base, ours, []byte(strings.ReplaceAll(string(theirs), "\n", "\r\n")), string(ours)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, clean := Versions("x.md", c.base, c.ours, c.theirs)
			if c.name == "both wrote" {
				if want := edited(t, ours, "- one\n", "- one\n  - yours\n"); !clean || !strings.Contains(string(got), "  - mine\n") || !strings.Contains(string(got), "  - yours\n") {
					t.Errorf("%v\n%s\nfrom\n%s", clean, got, want)
				}
				return
			}
			if clean != (c.want != "") || clean && string(got) != c.want {
				t.Errorf("clean %v:\n%s\nwant:\n%s", clean, got, c.want)
			}
			if !clean && (!strings.Contains(string(got), "<<<<<<< ours\n") || !strings.Contains(string(got), ">>>>>>> theirs\n")) {
				t.Errorf("a conflict without markers:\n%s", got)
			}
		})
	}
}

// Two machines that drew a canvas never conflict, and what a person made of it stays.
// What a human wrote into a note that the other side moved is not lost where git takes another note
// for it: that is a conflict.
func TestMergeVersionsOfTwoNotes(t *testing.T) {
	base := telling(1, "Old", "# Page\n\n- one\n", "- [[x]]")
	other := edited(t, base, "\"home\"", "\"threads\"")
	said := edited(t, base, "- one\n", "- one\n  - mine\n")
	rendered := telling(2, "New", "# Page\n\n- one\n- two\n", "- [[y]]")
	for name, c := range map[string]struct {
		base, now []byte
		clean     bool
	}{
		"rendered anew":            {base, rendered, true},
		"edited":                   {base, said, false},
		"edited before":            {said, said, true},
		"edited before, and again": {said, edited(t, said, "mine", "yours"), false},
		"words outside":            {base, append(rendered, "\nMine.\n"...), false},
	} {
		for side, versions := range map[string][2][]byte{"ours": {other, c.now}, "theirs": {c.now, other}} {
			if got, clean := Versions("x.md", c.base, versions[0], versions[1]); clean != c.clean || string(got) != string(other) {
				t.Errorf("%s, %s is another: clean %v\n%s", name, side, clean, got)
			}
		}
	}
}

func TestMergeVersionsOfCanvases(t *testing.T) {
	drawn := func(nodes string) []byte { return NewFile("a.canvas", "{\n\t\"nodes\":["+nodes+"]\n}\n") }
	base, one, two := drawn(""), drawn("1"), drawn("2")
	mine, yours := append(drawn("1"), '\n'), append(drawn("2"), "\n\n"...)
	for name, c := range map[string]struct{ base, ours, theirs, want []byte }{
		"two drawings":                 {base, one, two, two},
		"new on both sides":            {nil, one, two, two},
		"theirs is a person's":         {base, one, yours, yours},
		"ours is a person's":           {base, mine, two, mine},
		"two persons' are in conflict": {base, mine, yours, nil},
	} {
		if got, clean := Versions("a.canvas", c.base, c.ours, c.theirs); clean != (c.want != nil) || clean && string(got) != string(c.want) {
			t.Errorf("%s: clean %v\n%s", name, clean, got)
		}
	}
}
