package merge

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/vault/note"
)

// FuzzParse: no bytes make parsing or renewing fail in an unforeseen way,
// whatever is in the frontmatter and around the regions; what a human wrote
// there is still there.
func FuzzParse(f *testing.F) {
	whole := string(note.Render(firstContent()))
	head, tail, _ := strings.Cut(whole, "---\n\n%%")
	head, tail = strings.TrimPrefix(head, "---\nid: \"session:1\"\n"), "\n%%"+tail
	f.Add(head, tail)
	f.Add(strings.ReplaceAll(head, "\n", "\r\n"), strings.ReplaceAll(tail, "\n", "\r\n"))
	f.Add(strings.Replace(head, "tags:\n  - \"agents/session\"", "tags: [a, b] # c\n# d\n? x\n: y", 1), tail+"mine")
	f.Add("files: &a\n- a.go\nx: *a\n\nupdated: 2026-01-02\n# c\n", tail)
	f.Add("tags:\n - a\n -  b\n - c: d\n...\n--- x\n", "%% sessionloom body %%\n%% /sessionloom body 0123456789abcdef %%")
	f.Add("turn_count: 1 # c\naliases: # d\n- One\n  # e\n- >\n  x\n\n  y\n\ntitle: |+\n  One\n\n# f\n", tail)
	f.Fuzz(func(t *testing.T, front, rest string) {
		s := "---\nid: \"session:1\"\n" + front + "---\n" + rest
		note.ParseDocument([]byte(front + rest))
		doc := note.ParseDocument([]byte(s))
		p := Note(doc, secondInput())
		if doc.Broken != "" && string(p.Text) != s {
			t.Error("a broken note was changed")
		}
		if string(p.Text) == s || doc.Unwritable("session:1") != "" {
			return
		}
		after := note.ParseDocument(p.Text)
		if after.Broken != "" || after.ID != "session:1" {
			t.Errorf("%q became %q: %s", s, p.Text, after.Broken)
		}
		if !bytes.Equal(bytes.Join(doc.Outside(), nil), removeGap(doc, after)) {
			t.Errorf("text outside changed: %q became %q", s, p.Text)
		}
		if again := Note(after, secondInput()); !bytes.Equal(again.Text, p.Text) {
			t.Errorf("not stable:\n%q\n%q", p.Text, again.Text)
		}
		checkForeign(t, doc, after)
	})
}

// removeGap is the text outside of our parts without the blank line that came
// with a first nav region, and with a comment for the program.
func removeGap(before, after *note.Document) []byte {
	if before.Nav == nil && after.Nav != nil {
		after = note.ParseDocument(append(bytes.Clone(after.Raw[:after.Body.End.End]), after.Raw[after.Nav.Begin.Start:]...))
	}
	text := bytes.Join(after.Outside(), nil)
	if before.Comment == nil && after.Comment != nil {
		text = bytes.TrimSuffix(text, []byte(after.EOL))
		if !bytes.HasSuffix(before.Raw, []byte("\n")) {
			text = bytes.TrimSuffix(text, []byte(after.EOL))
		}
	}
	return text
}

// checkForeign compares the lines of all properties that are not ours.
func checkForeign(t *testing.T, before, after *note.Document) {
	t.Helper()
	if before.Front.Rigid {
		if !bytes.Equal(before.Raw[:before.Front.After], after.Raw[:after.Front.After]) {
			t.Error("frontmatter of unsure lines changed")
		}
		return
	}
	ours := map[string]bool{}
	for _, p := range append(firstContent().Props, secondInput().Props...) {
		ours[p.Key] = true
	}
	for _, f := range before.Front.Fields {
		if ours[f.Key] || before.Comment != nil && before.Comment.Prints[f.Key] != nil {
			continue
		}
		g := after.Front.Field(f.Key)
		if g == nil || !bytes.Equal(before.Raw[f.Start:f.End], after.Raw[g.Start:g.End]) {
			t.Errorf("property %q of the user changed", f.Key)
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
		doc := note.ParseDocument(note.Render(firstContent()))
		spans := []int{doc.Front.After, doc.Body.Begin.Start, doc.Body.End.End, doc.Nav.Begin.Start, doc.Comment.Start, len(doc.Raw)}
		var edits []note.Edit
		for _, at := range spans {
			for range rng.IntN(3) {
				edits = append(edits, note.Edit{Start: at, End: at, Text: pieces[rng.IntN(len(pieces))] + "\n"})
			}
		}
		foreign := []string{"mine: 1\n", "# note\n", "other: [a]\n", "\n", "text: >\n  a\n\n  b\n"}
		for i, fld := range doc.Front.Fields {
			if rng.IntN(4) == 0 {
				f := foreign[rng.IntN(len(foreign))]
				f = strings.Replace(f, ":", string(rune('a'+i))+":", 1)
				edits = append(edits, note.Edit{Start: fld.Start, End: fld.Start, Text: f})
			}
		}
		eol := []string{"\n", "\r\n"}[rng.IntN(2)]
		edited := note.Splice(doc.Raw, "\n", edits)
		if eol != "\n" {
			edited = bytes.ReplaceAll(edited, []byte("\n"), []byte(eol))
		}
		before := note.ParseDocument(edited)
		if before.Broken != "" {
			t.Fatalf("%s\n%s", before.Broken, edited)
		}
		p := Note(before, secondInput())
		after := note.ParseDocument(p.Text)
		if !bytes.Equal(bytes.Join(before.Outside(), nil), bytes.Join(after.Outside(), nil)) || len(p.Reasons) > 0 {
			t.Fatalf("%q\n%s\nbecame\n%s", p.Reasons, edited, p.Text)
		}
		checkForeign(t, before, after)
		if !strings.Contains(string(note.ToLF(p.Text)), "# One and two\n") || after.Front.Field("branch") == nil {
			t.Fatalf("not renewed:\n%s", p.Text)
		}
	}
}

// firstContent and secondInput are one note before and after its source grew.
func firstContent() note.Content {
	return note.Content{
		ID: "session:1",
		Props: []note.Property{
			{Key: "id", Value: "session:1"}, {Key: "title", Value: "One"}, {Key: "aliases", Value: []string{"One"}}, {Key: "tags", Value: []string{"agents/session"}},
			{Key: "updated", Value: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}, {Key: "turn_count", Value: 1}, {Key: "files", Value: []string{"a.go"}},
		},
		Facts: []note.Fact{{Key: note.KeyLayer, Value: "cli/events"}},
		Body:  str("# One\n\n- [ ] a box\n"),
		Nav:   str("← [[Agents/x|before]]"),
	}
}

func secondInput() Draft {
	return Draft{
		ID: "session:1",
		Props: []note.Property{
			{Key: "id", Value: "session:1"}, {Key: "title", Value: "One and two"}, {Key: "aliases", Value: []string{"One and two"}}, {Key: "tags", Value: []string{"agents/session"}},
			{Key: "updated", Value: time.Date(2026, 1, 3, 3, 4, 5, 0, time.UTC)}, {Key: "turn_count", Value: 2}, {Key: "branch", Value: "main"},
			{Key: "files", Value: []string{"a.go", "b.go"}},
		},
		Facts: []note.Fact{{Key: note.KeyLayer, Value: "cli/events"}, {Key: note.KeyLayer, Value: "cli/store"}},
		Body:  str("# One and two\n\n- [x] a box\n"),
		Nav:   str("← [[Agents/x|before]] · [[Agents/y|after]] →"),
	}
}

func str(s string) *string { return &s }
