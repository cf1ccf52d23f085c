package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
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
	}{
		"by rename":               {byRename, false},
		"in place":                {inPlace, false},
		"by rename, no such move": {byRename, true},
		"in place, no such move":  {inPlace, true},
	} {
		t.Run(name, func(t *testing.T) {
			v, dir := newVault(t, Options{})
			worldOf(v).plain = tt.plain
			from, to := mustPut(t, v, firstDraft()).Path, "projects/w/moved.md"
			file := filepath.Join(dir, filepath.FromSlash(from))
			saved := readFile(t, file) + "\nmine\n"
			worldOf(v).step = func(s step) {
				if s == stepSwap {
					if err := tt.save(file, saved); err != nil {
						t.Error(err)
					}
				}
			}
			_, err := v.Move(t.Context(), "session:1", from, to)
			if err != nil || readFile(t, filepath.Join(dir, filepath.FromSlash(to))) != saved {
				t.Errorf("%v", err)
			}
			onlyFiles(t, dir, ".sessionloom/vault.yaml", to)
		})
	}
}
