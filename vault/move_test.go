package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/vault/store"
)

// TestMove keeps every byte of a note that gets another name, and never takes a
// name that somebody has.
func TestMove(t *testing.T) {
	dir := t.TempDir()
	must(t, Create(dir, "Agents", Marker{ID: "0123456789abcdef"}))
	v, err := Open(dir, "Agents", Options{})
	must(t, err)
	defer func() { _ = v.Close() }()
	ctx, body := context.Background(), "# A\n"
	if _, err := v.Put(ctx, Draft{ID: "a", Path: "one/a.md", Props: []Property{{Key: "id", Value: "a"}}, Body: &body}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "Agents", "one", "a.md")
	text, _ := os.ReadFile(file)
	text = append(text, "by hand\n"...)
	must(t, os.WriteFile(file, text, 0o644))
	other := filepath.Join(dir, "Agents", "one", "foreign.md")
	must(t, os.WriteFile(other, []byte("foreign"), 0o644))
	if _, err := v.Move(ctx, "a", "one/a.md", "one/foreign.md"); !errors.Is(err, ErrTaken) {
		t.Fatalf("moved over a foreign file: %v", err)
	}
	if _, err := v.Move(ctx, "b", "one/a.md", "one/b.md"); err == nil {
		t.Fatal("moved a note under another id")
	}
	if _, err := v.Move(ctx, "a", "one/none.md", "one/b.md"); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("moved what is not there: %v", err)
	}
	if _, err := v.Move(ctx, "a", "one/a.md", "two/b.md"); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "Agents", "two", "b.md")); err != nil || string(got) != string(text) {
		t.Fatalf("%v, %q", err, got)
	}
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("the old name is still there: %v", err)
	}
	if got, _ := os.ReadFile(other); string(got) != "foreign" {
		t.Fatalf("foreign file: %q", got)
	}
}

// TestHumanSavesWhileMoving: what is saved under the old name while a note gets
// another is there afterwards, whichever way the editor writes.
func TestHumanSavesWhileMoving(t *testing.T) {
	byRename := func(file, s string) error {
		temp := filepath.Join(filepath.Dir(file), "editor.swp")
		return errors.Join(os.WriteFile(temp, []byte(s), 0o666), os.Rename(temp, file))
	}
	inPlace := func(file, s string) error { return os.WriteFile(file, []byte(s), 0o666) }
	for name, tt := range map[string]struct {
		save  func(file, s string) error
		plain bool
		at    step
		stays bool // under its old name
	}{
		"by rename":                        {byRename, false, stepSwap, false},
		"in place":                         {inPlace, false, stepSwap, false},
		"by rename, no such move":          {byRename, true, stepSwap, false},
		"by rename, between the two names": {byRename, true, stepLook, true},
		"in place, between the two names":  {inPlace, true, stepLook, false},
	} {
		t.Run(name, func(t *testing.T) {
			v, dir := newVault(t, Options{})
			worldOf(v).plain = tt.plain
			from, to := mustPut(t, v, firstDraft()).Path, "projects/w/moved.md"
			file := filepath.Join(dir, filepath.FromSlash(from))
			saved := readFile(t, file) + "\nmine\n"
			worldOf(v).step = func(s step) {
				if s == tt.at {
					if err := tt.save(file, saved); err != nil {
						t.Error(err)
					}
				}
			}
			_, err := v.Move(t.Context(), "session:1", from, to)
			at := to
			if tt.stays {
				at = from
			}
			if errors.Is(err, store.ErrChanged) != tt.stays || readFile(t, filepath.Join(dir, filepath.FromSlash(at))) != saved {
				t.Errorf("%v", err)
			}
			onlyFiles(t, dir, ".sessionloom/vault.yaml", at)
		})
	}
}

// A run that was killed while it moved a note, where files cannot be moved in one step, may
// leave it two names: the one that is known stays, and a person's file keeps both of its.
func TestNoteWithTwoNames(t *testing.T) {
	v, dir := newVault(t, Options{})
	at := mustPut(t, v, firstDraft()).Path
	writeFile(t, filepath.Join(dir, "mine.md"), "mine")
	for from, to := range map[string]string{at: "new.md", "mine.md": "also mine.md"} {
		if err := os.Link(filepath.Join(dir, filepath.FromSlash(from)), filepath.Join(dir, to)); err != nil {
			t.Skip(err)
		}
	}
	if _, err := v.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	if done, err := v.Unlink(func(p string) (bool, error) { return p == at || p == "mine.md", nil }); err != nil || !done {
		t.Error(done, err)
	}
	onlyFiles(t, dir, ".sessionloom/vault.yaml", at, "mine.md", "also mine.md")
}
