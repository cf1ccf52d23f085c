package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault/note"
)

// TestHumanSavesMeanwhile: a human who saves between our look at a note and the
// swap loses nothing, whichever way the editor writes.
func TestHumanSavesMeanwhile(t *testing.T) {
	inPlace := func(file, s string) error { return os.WriteFile(file, []byte(s), 0o666) }
	byRename := func(file, s string) error {
		tmp := filepath.Join(filepath.Dir(file), "editor.swp")
		return errors.Join(os.WriteFile(tmp, []byte(s), 0o666), os.Rename(tmp, file))
	}
	tests := map[string]struct {
		save  func(file, s string) error
		plain bool
	}{
		"in place": {inPlace, false}, "by rename": {byRename, false},
		"in place, no swap": {inPlace, true}, "by rename, no swap": {byRename, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			v, dir := newVault(t, Options{})
			worldOf(v).plain = tt.plain
			at := mustPut(t, v, firstDraft()).Path
			file := filepath.Join(dir, filepath.FromSlash(at))
			times := 0
			worldOf(v).step = func(s step) {
				if times++; times == 1 && s == stepSwap {
					if err := tt.save(file, readFile(t, file)+"\nsaved just now\n"); err != nil {
						t.Error(err)
					}
				}
			}
			d := secondDraft()
			d.At = at
			r := mustPut(t, v, d)
			want := string(note.Render(secondDraft().Content())) + "\nsaved just now\n"
			if got := readFile(t, file); got != want || r.Outcome != Updated {
				t.Errorf("outcome %q, got:\n%s", r.Outcome, got)
			}
			onlyFiles(t, dir, ".sessionloom/vault.yaml", at)
		})
	}
}

// TestHumanSavesWhileWeFlush: the note is saved while our text is on its way to the
// disk, where nothing can be swapped.
func TestHumanSavesWhileWeFlush(t *testing.T) {
	v, dir := newVault(t, Options{})
	worldOf(v).plain = true
	at := mustPut(t, v, firstDraft()).Path
	file := filepath.Join(dir, filepath.FromSlash(at))
	worldOf(v).sync = func(*os.File) error {
		worldOf(v).sync = nil
		writeFile(t, file, readFile(t, file)+"\nsaved just now\n")
		return nil
	}
	d := secondDraft()
	d.At = at
	r := mustPut(t, v, d)
	if got, want := readFile(t, file), string(note.Render(secondDraft().Content()))+"\nsaved just now\n"; got != want || r.Outcome != Updated {
		t.Errorf("outcome %q, got:\n%s", r.Outcome, got)
	}
	onlyFiles(t, dir, ".sessionloom/vault.yaml", at)
}

func TestHumanNeverStopsSaving(t *testing.T) {
	v, dir := newVault(t, Options{})
	at := mustPut(t, v, firstDraft()).Path
	file := filepath.Join(dir, filepath.FromSlash(at))
	worldOf(v).step = func(s step) {
		if s == stepSwap {
			writeFile(t, file, readFile(t, file)+"more\n")
		}
	}
	want := readFile(t, file) + strings.Repeat("more\n", maxTries)
	d := secondDraft()
	d.At = at
	if r := mustPut(t, v, d); r.Outcome != Kept || r.Reason != "it is being edited right now" {
		t.Errorf("outcome %q %q", r.Outcome, r.Reason)
	}
	expect.Is(t, readFile(t, file), want)
	onlyFiles(t, dir, ".sessionloom/vault.yaml", at)
}

// TestHumanSavesTwice: while one text of a human goes back to its place, they
// save another over ours. One of them is there, the other is rescued.
func TestHumanSavesTwice(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("nothing is swapped here")
	}
	v, dir := newVault(t, Options{})
	at := mustPut(t, v, firstDraft()).Path
	file := filepath.Join(dir, filepath.FromSlash(at))
	saved := map[step]string{stepSwap: "first\n", stepSwapBack: "second\n"}
	worldOf(v).step = func(s step) {
		if add, ok := saved[s]; ok {
			delete(saved, s)
			writeFile(t, file, readFile(t, file)+add)
		}
	}
	d := secondDraft()
	d.At = at
	mustPut(t, v, d)
	expect.Is(t, readFile(t, file), string(note.Render(secondDraft().Content()))+"first\n")
	rescued, err := v.Rescued(t.Context())
	if err != nil || len(rescued) != 1 {
		t.Fatalf("rescued %v %v", rescued, err)
	}
	expect.Is(t, readFile(t, filepath.Join(dir, filepath.FromSlash(rescued[0]))), string(note.Render(secondDraft().Content()))+"second\n", "rescued")
	onlyFiles(t, dir, ".sessionloom/vault.yaml", at, rescued[0])
}

// TestKilledBetweenSteps: whenever a run dies, the note holds a whole text, and
// the next run finds all that a human wrote.
func TestKilledBetweenSteps(t *testing.T) {
	for _, last := range []step{stepSwap, stepLook, stepSwapBack} {
		for _, edited := range []bool{false, true} {
			v, dir := newVault(t, Options{})
			at := mustPut(t, v, firstDraft()).Path
			file := filepath.Join(dir, filepath.FromSlash(at))
			writeFile(t, file, readFile(t, file)+"mine\n")
			worldOf(v).step = func(s step) {
				if edited && s == stepSwap {
					writeFile(t, file, readFile(t, file)+"saved just now\n")
				}
				if s == last {
					panic("killed")
				}
			}
			putKilled(v, at)
			next := reopen(t, filepath.Dir(dir), Options{})
			if _, err := next.CleanTemp(context.Background()); err != nil {
				t.Fatal(err)
			}
			n, err := next.Load(at)
			all := readFile(t, file)
			rescued, rerr := next.Rescued(t.Context())
			if err := errors.Join(err, rerr); err != nil || n.Broken != "" || n.Touched || !strings.Contains(all, "mine\n") {
				t.Errorf("step %d: %+v %v\n%s", last, n, err, all)
			}
			for _, r := range rescued {
				all += readFile(t, filepath.Join(dir, filepath.FromSlash(r)))
			}
			if edited != strings.Contains(all, "saved just now\n") || !edited && len(rescued) > 0 {
				t.Errorf("step %d: rescued %v, in all:\n%s", last, rescued, all)
			}
			onlyFiles(t, dir, append(rescued, at, ".sessionloom/vault.yaml")...)
		}
	}
}

func putKilled(v *Vault, at string) {
	defer func() { _ = recover() }()
	d := secondDraft()
	d.At = at
	_, _ = v.Put(context.Background(), d)
}

func TestHumanSavesWhileRemoving(t *testing.T) {
	v, dir := newVault(t, Options{})
	d := firstDraft()
	at := mustPut(t, v, d).Path
	file := filepath.Join(dir, filepath.FromSlash(at))
	worldOf(v).step = func(step) { writeFile(t, file, "all mine now") }
	if _, err := v.Remove(t.Context(), d.ID, at); err == nil {
		t.Error("removed")
	}
	expect.Is(t, readFile(t, file), "all mine now")
	onlyFiles(t, dir, ".sessionloom/vault.yaml", at)
}

func TestRemoveOnlyWhatIsOurs(t *testing.T) {
	edits := map[string]func(string) string{
		"text added":       func(s string) string { return s + "mine\n" },
		"tag added":        replaceOnce("  - \"agents/session\"\n", "  - \"agents/session\"\n  - x\n"),
		"tag removed":      replaceOnce("tags:\n  - \"agents/session\"\n", "tags: []\n"),
		"property added":   replaceOnce("turn_count:", "mine: 1\nturn_count:"),
		"property changed": replaceOnce("turn_count: 1", "turn_count: 2"),
		"property deleted": replaceOnce("turn_count: 1\n", ""),
		"comment":          replaceOnce("turn_count: 1", "turn_count: 1 # mine"),
		"body":             replaceOnce("# One", "# Two"),
		"nav":              replaceOnce("before]]", "earlier]]"),
	}
	for name, edit := range edits {
		v, dir := newVault(t, Options{})
		at := mustPut(t, v, firstDraft()).Path
		file := filepath.Join(dir, filepath.FromSlash(at))
		left := edit(readFile(t, file))
		writeFile(t, file, left)
		if r, err := v.Remove(t.Context(), "session:1", at); err != nil || r.Outcome != Kept || r.Reason == "" {
			t.Errorf("%s: %q %v", name, r.Outcome, err)
		}
		expect.Is(t, readFile(t, file), left, name, "changed")
	}
	v, dir := newVault(t, Options{})
	at := mustPut(t, v, firstDraft()).Path
	file := filepath.Join(dir, filepath.FromSlash(at))
	writeFile(t, file, strings.ReplaceAll(readFile(t, file), "\n", "\r\n"))
	if r, err := v.Remove(t.Context(), "session:1", at); err != nil || r.Outcome != Removed {
		t.Errorf("untouched note: %q %q %v", r.Outcome, r.Reason, err)
	}
	onlyFiles(t, dir, ".sessionloom/vault.yaml")
	if _, err := v.Remove(t.Context(), "session:1", at); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("gone note: %v", err)
	}
}

// TestTwoWritersInManyFolders: more folders than are kept open, two writers, and
// after the flush everything is there.
func TestTwoWritersInManyFolders(t *testing.T) {
	v, dir := newVault(t, Options{})
	const folders, notes = 158, 2 // more than are kept open
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			for i := range folders * notes {
				d := firstDraft()
				d.ID = fmt.Sprintf("session:%d-%d", w, i)
				d.Props[0].Value = d.ID
				d.Path = fmt.Sprintf("p/%d/%d-%d.md", i%folders, w, i)
				if _, err := v.Put(context.Background(), d); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := v.Flush(); err != nil {
		t.Error(err)
	}
	list, err := v.Scan(t.Context())
	if err != nil || len(list) != 2*folders*notes {
		t.Errorf("%d notes in %q: %v", len(list), dir, err)
	}
}

func TestVanishedNote(t *testing.T) {
	v, _ := newVault(t, Options{})
	d := secondDraft()
	d.At = "projects/w/gone.md"
	if r, err := v.Put(t.Context(), d); !errors.Is(err, fs.ErrNotExist) || r.Outcome != Failed {
		t.Errorf("outcome %q %v", r.Outcome, err)
	}
}

// TestEqualBytesAreNotWritten: the file keeps its inode and time.
func TestEqualBytesAreNotWritten(t *testing.T) {
	v, dir := newVault(t, Options{})
	d := firstDraft()
	first := mustPut(t, v, d)
	before := snapshot(t, dir)
	d.At = first.Path
	r := mustPut(t, v, d)
	if r.Outcome != Unchanged || snapshot(t, dir) != before || r.Note.Stamp != first.Note.Stamp {
		t.Errorf("outcome %q, stamps %v %v", r.Outcome, r.Note.Stamp, first.Note.Stamp)
	}
	n, err := v.Load(first.Path)
	if err != nil || n.Stamp != first.Note.Stamp || n.Stamp == (Stamp{}) {
		t.Errorf("stamp after writing %v, after loading %v: %v", first.Note.Stamp, n.Stamp, err)
	}
}

func TestUpdateKeepsTheMode(t *testing.T) {
	v, dir := newVault(t, Options{})
	at := mustPut(t, v, firstDraft()).Path
	file := filepath.Join(dir, filepath.FromSlash(at))
	must(t, os.Chmod(file, 0o640))
	before := expect.Value(os.Stat(file))(t)
	d := secondDraft()
	d.At = at
	mustPut(t, v, d)
	after, err := os.Stat(file)
	if err != nil || after.Mode() != before.Mode() {
		t.Errorf("mode %v, was %v: %v", after.Mode(), before.Mode(), err)
	}
}

// TestFailedSyncIsAFailure: a note that may not be on the disk is no note, and
// the old one is still there.
func TestFailedSyncIsAFailure(t *testing.T) {
	v, dir := newVault(t, Options{})
	at := mustPut(t, v, firstDraft()).Path
	broken := errors.New("disk on fire")
	worldOf(v).sync = func(*os.File) error { return broken }
	d := secondDraft()
	d.At = at
	if _, err := v.Put(t.Context(), d); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	d.At, d.Path = "", "projects/w/sessions/other.md"
	if _, err := v.Put(t.Context(), d); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	worldOf(v).sync = nil
	onlyFiles(t, dir, ".sessionloom/vault.yaml", at)
	expect.Is(t, readFile(t, filepath.Join(dir, filepath.FromSlash(at))), string(note.Render(firstDraft().Content())), "the old note is damaged")
}

// tempName is the name of a temporary file that holds a text and replaces another.
func tempName(n int, text, was string) string {
	return fmt.Sprintf(".tmp-%08x-%s-%s", n, note.Hash([]byte(text)), note.Hash([]byte(was)))
}

// TestCleanTemp: what a kill left behind is removed where it is ours or was taken
// in before, and rescued where it may be the last copy of an edit.
func TestCleanTemp(t *testing.T) {
	v, dir := newVault(t, Options{})
	n := 0
	name := func(text, was string) string {
		n++
		return filepath.Join(dir, "p", tempName(n, text, was))
	}
	writeFile(t, name("new", "old"), "new")
	writeFile(t, name("new", "old"), "old")
	writeFile(t, name("new", "old"), "")
	writeFile(t, name("new", "old"), "\x00\x00\x00") // after a power failure
	lost := name("new", "old")
	writeFile(t, lost, "a human's last words")
	writeFile(t, filepath.Join(dir, "p", ".tmp-of-another"), "theirs")
	left, err := v.CleanTemp(context.Background())
	if err != nil || len(left) != 5 {
		t.Fatalf("%v %v", left, err)
	}
	rescued, err := v.Rescued(t.Context())
	if err != nil || len(rescued) != 1 {
		t.Fatalf("%v %v", rescued, err)
	}
	expect.Is(t, readFile(t, filepath.Join(dir, filepath.FromSlash(rescued[0]))), "a human's last words", "rescued")
	onlyFiles(t, dir, ".sessionloom/vault.yaml", "p/.tmp-of-another", rescued[0])
	if list, err := v.Scan(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("scan sees %v %v", list, err)
	}
}

// A run that was killed while it wrote one of our own records leaves a temporary
// file where no note lies.
func TestSweepsItsOwnFolders(t *testing.T) {
	v, dir := newVault(t, Options{})
	must(t, v.AddTombstone("session:x"))
	for _, folder := range []string{metaPath, tombstonesPath} {
		writeFile(t, filepath.Join(dir, folder, tempName(1, "new", "")), "")
	}
	if left, err := v.CleanTemp(t.Context()); err != nil || len(left) != 2 {
		t.Errorf("%v %v", left, err)
	}
	onlyFiles(t, dir, ".sessionloom/vault.yaml", TombstonePath("session:x"))
}

func TestTombstones(t *testing.T) {
	v, dir := newVault(t, Options{})
	if v.HasTombstone("session:1") {
		t.Error("buried before")
	}
	must(t, errors.Join(v.AddTombstone("session:1"), v.AddTombstone("session:1")))
	other := reopen(t, filepath.Dir(dir), Options{})
	if !other.HasTombstone("session:1") || other.HasTombstone("session:2") {
		t.Error("another run does not see the tombstone")
	}
	if was, err := other.RemoveTombstone("session:1"); !was || err != nil {
		t.Errorf("%v %v", was, err)
	}
	if was, err := other.RemoveTombstone("session:1"); was || err != nil || other.HasTombstone("session:1") {
		t.Errorf("%v %v", was, err)
	}
	onlyFiles(t, dir, ".sessionloom/vault.yaml")
}
