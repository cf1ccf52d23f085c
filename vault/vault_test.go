package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault/note"
)

// newVault opens a fresh vault with the managed folder "Agents" and returns the
// path of that folder too.
func newVault(t testing.TB, o Options) (*Vault, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "vault")
	must(t, Create(dir, "Agents", Marker{ID: "v-1", Layout: 1, Settings: map[string]string{"timezone": "UTC"}}))
	return reopen(t, dir, o), filepath.Join(dir, "Agents")
}

func reopen(t testing.TB, dir string, o Options) *Vault {
	t.Helper()
	return openIn(t, dir, o)
}

func text(s string) *string { return &s }

// firstDraft and secondDraft are one note before and after its source grew.
func firstDraft() Draft {
	return Draft{
		ID: "session:1", Path: "projects/w/sessions/s.md",
		Props: []Property{
			{Key: "id", Value: "session:1"},
			{Key: "title", Value: "One"},
			{Key: "aliases", Value: []string{"One"}},
			{Key: "tags", Value: []string{"agents/session"}},
			{Key: "updated", Value: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)},
			{Key: "turn_count", Value: 1},
			{Key: "files", Value: []string{"a.go"}},
		},
		Facts: []note.Fact{{Key: note.KeyLayer, Value: "cli/events"}},
		Body:  text("# One\n\n- [ ] a box\n"),
		Nav:   text("← [[Agents/x|before]]"),
	}
}

func secondDraft() Draft {
	d := firstDraft()
	d.Props = []Property{
		{Key: "id", Value: "session:1"},
		{Key: "title", Value: "One and two"},
		{Key: "aliases", Value: []string{"One and two"}},
		{Key: "tags", Value: []string{"agents/session"}},
		{Key: "updated", Value: time.Date(2026, 1, 3, 3, 4, 5, 0, time.UTC)},
		{Key: "turn_count", Value: 2},
		{Key: "branch", Value: "main"},
		{Key: "files", Value: []string{"a.go", "b.go"}},
	}
	d.Facts = []note.Fact{{Key: note.KeyLayer, Value: "cli/events"}, {Key: note.KeyLayer, Value: "cli/store"}}
	d.Body = text("# One and two\n\n- [x] a box\n")
	d.Nav = text("← [[Agents/x|before]] · [[Agents/y|after]] →")
	return d
}

// put creates the first draft, lets a human change the file and puts the second.
func putOver(t *testing.T, edit func(string) string, d Draft) (Result, string) {
	t.Helper()
	v, dir := newVault(t, Options{})
	r := mustPut(t, v, firstDraft())
	if r.Outcome != Created {
		t.Fatalf("outcome %q", r.Outcome)
	}
	file := filepath.Join(dir, filepath.FromSlash(r.Path))
	writeFile(t, file, edit(readFile(t, file)))
	d.At = r.Path
	r = mustPut(t, v, d)
	got := readFile(t, file)
	if again := mustPut(t, v, d); again.Outcome != Unchanged && again.Outcome != Kept {
		t.Errorf("second put: %q", again.Outcome)
	}
	expect.Is(t, readFile(t, file), got, "second put changed the file")
	expect.Is(t, r.Note.Hash, note.Parse("", []byte(got)).Hash, "Result.Note is not what stands in the file")
	return r, got
}

func mustPut(t testing.TB, v *Vault, d Draft) Result {
	t.Helper()
	r := expect.Value(v.Put(t.Context(), d))(t)
	return r
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	b := expect.Value(os.ReadFile(name))(t)
	return string(b)
}

func writeFile(t testing.TB, name, s string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o777))
	must(t, os.WriteFile(name, []byte(s), 0o666))
}

// withoutLine removes the line that begins like this.
func withoutLine(begin string) func(string) string {
	return func(s string) string {
		before, rest, _ := strings.Cut(s, begin)
		_, after, _ := strings.Cut(rest, "\n")
		return before + after
	}
}

// replaceOnce is an edit of a human; the place must exist.
func replaceOnce(old, now string) func(string) string {
	return func(s string) string {
		if strings.Count(s, old) != 1 {
			panic("edit does not apply once: " + old)
		}
		return strings.Replace(s, old, now, 1)
	}
}

func TestOpenWantsAVault(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none"), "Agents", Options{}); !errors.Is(err, ErrNoVault) {
		t.Errorf("missing vault: %v", err)
	}
	if _, err := Open(dir, "Agents", Options{}); !errors.Is(err, ErrNoVault) {
		t.Errorf("missing folder: %v", err)
	}
	writeFile(t, filepath.Join(dir, "Agents", "mine.md"), "mine")
	if _, err := Open(dir, "Agents", Options{}); !errors.Is(err, ErrNoMarker) {
		t.Errorf("missing marker: %v", err)
	}
	for _, folder := range []string{"", "..", "../x", "/x", ".obsidian", "a/.git", "a/../../b"} {
		if err := Create(dir, folder, Marker{ID: "x"}); err == nil {
			t.Errorf("folder %q was taken", folder)
		}
	}
}

func TestMarkerIsKept(t *testing.T) {
	_, dir := newVault(t, Options{})
	file := filepath.Join(dir, ".sessionloom", "vault.yaml")
	first := readFile(t, file)
	must(t, Create(filepath.Dir(dir), "Agents", Marker{ID: "other"}))
	expect.Is(t, readFile(t, file), first, "a second Create replaced the marker")
	writeFile(t, file, first+"# mine\nother: 1\nprojects:\n  folder/a: github.com/o/a\n")
	v := reopen(t, filepath.Dir(dir), Options{})
	must(t, v.SetSettings(map[string]string{"transcript": "full", "timezone": "Europe/Berlin"}))
	want := markerHead + `id: "v-1"
layout: 1
settings:
  timezone: "Europe/Berlin"
# mine
  transcript: "full"
other: 1
projects:
  folder/a: github.com/o/a
`
	expect.Is(t, readFile(t, file), want)
	if m := reopen(t, filepath.Dir(dir), Options{}).Marker(); m.Settings["transcript"] != "full" || m.ID != "v-1" || m.Projects["folder/a"] != "github.com/o/a" {
		t.Errorf("marker %v", m)
	}
}

func TestPutNeverOverwritesAForeignFile(t *testing.T) {
	v, dir := newVault(t, Options{})
	file := filepath.Join(dir, "projects", "w", "sessions", "s.md")
	writeFile(t, file, "mine")
	for _, plain := range []bool{false, true} {
		worldOf(v).plain = plain
		if _, err := v.Put(t.Context(), firstDraft()); !errors.Is(err, ErrTaken) {
			t.Errorf("error %v", err)
		}
	}
	if _, err := v.Preview(firstDraft()); !errors.Is(err, ErrTaken) {
		t.Errorf("preview: %v", err)
	}
	expect.Is(t, readFile(t, file), "mine", "file holds")
	onlyFiles(t, dir, ".sessionloom/vault.yaml", "projects/w/sessions/s.md")
}

// onlyFiles fails where a folder holds other files than those named.
func onlyFiles(t testing.TB, dir string, want ...string) {
	t.Helper()
	left := map[string]bool{}
	for _, w := range want {
		left[w] = true
	}
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !left[p] {
			t.Errorf("unexpected file %q", p)
		}
		delete(left, p)
		return err
	})
	must(t, err)
	for w := range left {
		t.Errorf("missing file %q", w)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	v, dir := newVault(t, Options{})
	old := mustPut(t, v, firstDraft())
	writeFile(t, filepath.Join(dir, ".tmp-00000000-0123456789abcdef-0123456789abcdef"), "left")
	before := snapshot(t, dir)
	dry := reopen(t, filepath.Dir(dir), Options{DryRun: true, Texts: true})
	d := secondDraft()
	d.At = old.Path
	if r := mustPut(t, dry, d); r.Outcome != Updated || string(r.New) != string(note.Render(secondDraft().Content())) || len(r.Old) == 0 {
		t.Errorf("result %q\n%s", r.Outcome, r.New)
	}
	other := secondDraft()
	other.Path = "new/folder/n.md"
	if r := mustPut(t, dry, other); r.Outcome != Created {
		t.Errorf("outcome %q", r.Outcome)
	}
	if _, err := dry.Remove(t.Context(), d.ID, old.Path); err != nil {
		t.Error(err)
	}
	if err := errors.Join(dry.AddTombstone("x"), dry.SetSettings(map[string]string{"a": "b"})); err != nil {
		t.Error(err)
	}
	if left, err := dry.CleanTemp(context.Background()); err != nil || len(left) != 1 {
		t.Errorf("sweep: %v %v", left, err)
	}
	expect.Is(t, snapshot(t, dir), before, "before", "after")
}

// snapshot lists names, sizes, times and bytes below a folder.
func snapshot(t testing.TB, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		b.WriteString(p + " " + info.ModTime().String() + " " + info.Mode().String() + "\n")
		if info.Mode().IsRegular() {
			b.WriteString(readFile(t, p))
		}
		return nil
	})
	must(t, err)
	return b.String()
}
