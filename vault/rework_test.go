package vault

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/vault/note"
)

// TestReworkLeavesWhatIsTheUsers: of properties and regions only what is ours is
// passed through a change, and the line of the fingerprints keeps its order.
func TestReworkLeavesWhatIsTheUsers(t *testing.T) {
	v, dir := newVault(t, Options{})
	d := firstDraft()
	d.Props[1].Value, d.Props[2].Value, d.Body = "Our word", []string{"Our word", "other"}, text("# Our word\n\nThe word.\n")
	at := mustPut(t, v, d).Path
	file := dir + "/" + at
	ours := readFile(t, file)
	mine := strings.Replace(ours, `title: "Our word"`, `title: "My word"`, 1)
	mine = strings.Replace(mine, "tags:\n", "word: \"word\"\ntags:\n  - \"word\"\n", 1) + "\nmy word\n"
	writeFile(t, file, mine)
	d.At = at
	d.NewID, d.Transform = d.ID, func(s string) (string, error) { return strings.ReplaceAll(s, "word", "mask"), nil }
	r, err := v.Put(t.Context(), d)
	must(t, err)
	got := readFile(t, file)
	for _, want := range []string{`title: "My word"`, "word: \"word\"\n", "  - \"word\"\n", "\nmy word\n", "  - \"Our mask\"\n", "# Our mask\n\nThe mask.\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	if r.Outcome != Updated || strings.Contains(got, "Our word") {
		t.Errorf("outcome %s:\n%s", r.Outcome, got)
	}
	keys := func(s string) string {
		return strings.Join(slices.Sorted(maps.Keys(note.ParseDocument([]byte(s)).Comment.Prints)), " ")
	}
	if was, is := keys(ours), keys(got); was != is {
		t.Errorf("the properties of ours were %s, are %s", was, is)
	}
	if again, err := v.Put(t.Context(), d); err != nil || again.Outcome != Unchanged {
		t.Errorf("a second time: %s, %v", again.Outcome, err)
	}
}
