//go:build unix

package vault

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/sessionloom/sessionloom/vault/note"
)

// puts are what a human may have in the place of a note, a moment after it was
// read: what is not a file at all.
var puts = map[string]func(file string) error{
	"a folder": func(file string) error {
		return errors.Join(os.Rename(file, file+".old"), os.Mkdir(file, 0o777), os.WriteFile(filepath.Join(file, "mine.txt"), []byte("mine"), 0o666))
	},
	"a link": func(file string) error {
		return errors.Join(os.Rename(file, file+".old"), os.Symlink(filepath.Base(file)+".old", file))
	},
}

// operations are what we do to a note while a human does something else with it.
var operations = map[string]func(*Vault, *testing.T, string) error{
	"written": func(v *Vault, t *testing.T, at string) error {
		d := secondDraft()
		d.At = at
		_, err := v.Put(t.Context(), d)
		return err
	},
	"removed": func(v *Vault, t *testing.T, at string) error {
		_, err := v.Remove(t.Context(), firstDraft().ID, at)
		return err
	},
	"set aside": func(v *Vault, t *testing.T, at string) error {
		_, err := v.Quarantine(t.Context(), firstDraft().ID, at)
		return err
	},
	"moved": func(v *Vault, t *testing.T, at string) error {
		_, err := v.Move(t.Context(), firstDraft().ID, at, "elsewhere/new.md")
		return err
	},
}

// TestWhatIsNoFileGoesBack: a folder or link that a human puts in the place of a
// note while we deal with it is there afterwards, and nothing is left over.
func TestWhatIsNoFileGoesBack(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the step before a swap is looked at on Linux")
	}
	for put, replace := range puts {
		for operation, do := range operations {
			t.Run(put+" "+operation, func(t *testing.T) {
				v, dir := newVault(t, Options{})
				at := mustPut(t, v, firstDraft()).Path
				file := filepath.Join(dir, filepath.FromSlash(at))
				worldOf(v).step = func(s step) {
					if s == stepSwap {
						worldOf(v).step = nil
						if err := replace(file); err != nil {
							t.Error(err)
						}
					}
				}
				was := string(note.Render(firstDraft().Content()))
				if err := do(v, t, at); err == nil {
					t.Error("no error")
				}
				info, err := os.Lstat(file)
				if err != nil || info.Mode().IsRegular() {
					t.Fatalf("what was put there is gone: %v %v", info, err)
				}
				if got := readFile(t, file+".old"); got != was {
					t.Errorf("the note's text is %q", got)
				}
				if temps, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".tmp-*")); len(temps) > 0 {
					t.Errorf("left over: %q", temps)
				}
			})
		}
	}
}

// TestOpenToWrite: a note that somebody has open to write stays the file that
// they have open: what they save later is not lost.
func TestOpenToWrite(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells")
	}
	for _, plain := range []bool{false, true} {
		for _, operation := range []string{"written", "removed"} {
			v, dir := newVault(t, Options{})
			worldOf(v).plain = plain
			at := mustPut(t, v, firstDraft()).Path
			file := filepath.Join(dir, filepath.FromSlash(at))
			editor, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND, 0)
			must(t, err)
			err = operations[operation](v, t, at)
			if _, err := editor.WriteString("saved later\n"); err != nil {
				t.Error(err)
			}
			_ = editor.Close()
			if got, want := readFile(t, file), string(note.Render(firstDraft().Content()))+"saved later\n"; got != want {
				t.Errorf("%s, plain %v: %v\n%s", operation, plain, err, got)
			}
			onlyFiles(t, dir, ".sessionloom/vault.yaml", at)
		}
	}
}

// TestRenamedBeforeItIsHeld: where files cannot be swapped, a note that a human
// renames between our look at it and the second link is not made again.
func TestRenamedBeforeItIsHeld(t *testing.T) {
	v, dir := newVault(t, Options{})
	worldOf(v).plain = true
	at := mustPut(t, v, firstDraft()).Path
	file := filepath.Join(dir, filepath.FromSlash(at))
	worldOf(v).step = func(s step) {
		if err := os.Rename(file, file+".renamed.md"); s != stepSwap || err != nil {
			t.Errorf("step %d: %v", s, err)
		}
	}
	d := secondDraft()
	d.At = at
	if _, err := v.Put(t.Context(), d); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	onlyFiles(t, dir, ".sessionloom/vault.yaml", at+".renamed.md")
}
