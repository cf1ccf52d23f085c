package vault

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/vault/note"
)

// A dry run sees what it would have written: several steps give one target, and
// that is what the same steps write.
func TestChangesAreWhatWouldBeWritten(t *testing.T) {
	steps := func(v *Vault, at string) {
		d := firstDraft()
		d.At, d.Body = at, text("# Once\n")
		mustPut(t, v, d)
		if _, err := v.Move(t.Context(), d.ID, at, "moved/to/n.md"); err != nil {
			t.Fatal(err)
		}
		d = secondDraft()
		d.At = "moved/to/n.md"
		mustPut(t, v, d)
		other := firstDraft()
		other.ID, other.Path = "session:2", "new/o.md"
		other.Props = append([]Property{{Key: "id", Value: "session:2"}}, other.Props[1:]...)
		mustPut(t, v, other)
		if _, err := v.Move(t.Context(), other.ID, "new/o.md", "new/p.md"); err != nil {
			t.Fatal(err)
		}
		if _, err := v.Attach(t.Context(), "new/a.png", []byte("png")); err != nil {
			t.Fatal(err)
		}
		must(t, errors.Join(v.AddTombstone("gone"), v.Flush()))
	}
	v, dir := newVault(t, Options{})
	at := mustPut(t, v, firstDraft()).Path
	before := snapshot(t, dir)
	dry := reopen(t, filepath.Dir(dir), Options{DryRun: true})
	steps(dry, at)
	if snapshot(t, dir) != before {
		t.Fatal("a dry run wrote")
	}
	all, err := dry.Changes()
	if err != nil || len(all.Targets) != 3 {
		t.Fatalf("%v %+v", err, all)
	}
	steps(v, at)
	for _, target := range all.Targets {
		if !v.Stands(target) {
			t.Errorf("%s is not as it was foreseen: %s", target.Path, readFile(t, filepath.Join(dir, target.Path)))
		}
	}
	if want := secondDraft(); !strings.Contains(all.Targets[1].Text+all.Targets[0].Text, string(note.Render(want.Content()))) {
		t.Errorf("%+v", all.Targets)
	}
	for _, gone := range []string{filepath.FromSlash(at), "new/o.md"} {
		if _, err := os.Lstat(filepath.Join(dir, gone)); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
}
