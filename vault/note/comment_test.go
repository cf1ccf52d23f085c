package note

import (
	"slices"
	"strings"
	"testing"
)

func rendered() (string, []Fact) {
	facts := []Fact{
		{"cmd", "2026-11-03T08:36:43 t-1 test go test ./... | tail ¦ x"}, {"file", "2026-11-03T08:36:43 t-1 - a b.go"},
		{KeyLayer, "copilot-cli/events"}, {"model", "gpt-5"},
	}
	body := "# A\n"
	return string(Render(Content{ID: "session:a", Props: []Property{{Key: KeyID, Value: "session:a"}, {Key: "title", Value: "A"}, {Key: "tags", Value: []string{"x", "y"}}}, Facts: facts, Body: &body})), facts
}

// TestCommentIsShort holds the comment of a usual note to four lines, and has each fact come back.
func TestCommentIsShort(t *testing.T) {
	text, facts := rendered()
	_, comment, _ := strings.Cut(text, "%% sessionloom facts\n")
	if n := strings.Count(comment, "\n"); n != 3 {
		t.Errorf("%d lines behind the first:\n%s", n, comment)
	}
	doc := ParseDocument([]byte(text))
	if !slices.Equal(doc.Comment.Facts, facts) || doc.Edited() != "" || doc.Comment.Version != Version {
		t.Errorf("facts %q, edited %q, version %d", doc.Comment.Facts, doc.Edited(), doc.Comment.Version)
	}
	for i := range 200 {
		facts = append(facts, Fact{"file", "2026-11-03T08:36:43 t-1 - " + strings.Repeat("x", i)})
	}
	long := Comment{Facts: facts}
	if n := strings.Count(long.Rows(), "\n"); n < 4 || n > 6 {
		t.Errorf("%d rows of many facts", n)
	}
}

// TestWordsTypedIntoTheCommentStay has a human type on each line of the comment, at its start, at
// its end and within, and the program write the comment again.
func TestWordsTypedIntoTheCommentStay(t *testing.T) {
	text, facts := rendered()
	start := strings.Index(text, "version 2\n")
	for _, at := range []string{"version 2", "version 2\n", " ¦ file", "~", "\n%%\n"} {
		i := start + strings.Index(text[start:], at) + len(at)
		if at == "\n%%\n" {
			i -= len(at)
		}
		for _, words := range []string{" my words", "my words ", " ¦ my words", "\nmy words\n"} {
			edited := text[:i] + words + text[i:]
			doc := ParseDocument([]byte(edited))
			if doc.Broken != "" || doc.Comment == nil {
				t.Errorf("%q after %q: %s", words, at, doc.Broken)
				continue
			}
			mine := string(Splice([]byte(edited), "\n", doc.Comment.Edits([]byte(edited), Comment{Facts: facts, Prints: doc.Comment.Prints, NoNav: true, Version: Version})))
			again := ParseDocument([]byte(mine))
			if !strings.Contains(mine, "my words") || again.Comment == nil || !slices.Equal(again.Comment.Facts, facts) {
				t.Errorf("%q after %q became\n%s", words, at, mine[start:])
			}
		}
	}
}

// TestRowsOfVersionOneAreRead takes over the comment of a former build.
func TestRowsOfVersionOneAreRead(t *testing.T) {
	text, facts := rendered()
	head, _, _ := strings.Cut(text, "%% sessionloom facts\n")
	var rows []string
	for _, f := range facts {
		rows = append(rows, f.Key+" "+encodeFact(f.Value, plainKeys[f.Key]))
	}
	old := head + "%% sessionloom facts\n" + strings.Join(rows, "\n") + "\nnav none\nprop tags\nprop title " + Fingerprints("title", []string{"A"})[0] + "\nversion 1\n%%\n"
	doc := ParseDocument([]byte(old))
	if !slices.Equal(doc.Comment.Facts, facts) || doc.Comment.Version != 1 || !doc.Comment.NoNav || len(doc.Comment.Foreign) > 0 || len(doc.Comment.Prints) != 2 {
		t.Errorf("%+v", doc.Comment)
	}
}
