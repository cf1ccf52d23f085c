package vault

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/vault/note"
)

// TestFindPassesOverClosedFolders names the folders it could not look into.
func TestFindPassesOverClosedFolders(t *testing.T) {
	v, dir := newVault(t, Options{})
	outer := filepath.Dir(dir)
	writeFile(t, filepath.Join(outer, "Archive", "moved.md"), string(note.Render(firstDraft().Content())))
	writeFile(t, filepath.Join(outer, "Private", "own.md"), "mine")
	closed := filepath.Join(outer, "Private")
	must(t, os.Chmod(closed, 0))
	t.Cleanup(func() { _ = os.Chmod(closed, 0o700) })
	if _, err := os.ReadDir(closed); err == nil {
		t.Skip("this user may read everything")
	}
	found, skipped, err := v.Find(t.Context(), nil)
	if err != nil || !maps.Equal(found, map[string]string{"session:1": "Archive/moved.md"}) || !slices.Equal(skipped, []string{"Private"}) {
		t.Errorf("found %v, skipped %v: %v", found, skipped, err)
	}
}

// TestFoldersWeEmptiedGo and no others, nor what is in them.
func TestFoldersWeEmptiedGo(t *testing.T) {
	v, dir := newVault(t, Options{})
	put := func(id, p string) {
		d := firstDraft()
		d.ID, d.Path, d.Props[0].Value = id, p, id
		mustPut(t, v, d)
	}
	put("a", "projects/old/sessions/a.md")
	put("b", "projects/kept/sessions/b.md")
	put("c", "projects/other/c.md")
	for _, p := range []string{"projects/mine", "projects/kept/sessions/empty"} {
		must(t, os.MkdirAll(filepath.Join(dir, filepath.FromSlash(p)), 0o755))
	}
	if _, err := v.Move(t.Context(), "a", "projects/old/sessions/a.md", "projects/new/a.md"); err != nil {
		t.Fatal(err)
	}
	for id, p := range map[string]string{"b": "projects/kept/sessions/b.md", "c": "projects/other/c.md"} {
		if r, err := v.Remove(t.Context(), id, p); err != nil || r.Outcome != Removed {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	put("d", "projects/other/d.md") // written while its folder waits to go
	if _, err := v.Tidy(); err != nil {
		t.Error(err)
	}
	if err := v.Flush(); err != nil {
		t.Error(err)
	}
	for p, want := range map[string]bool{
		"projects/old": false, "projects/new/a.md": true, "projects/mine": true, "projects/kept/sessions/empty": true, "projects/other/d.md": true,
	} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(p))); (err == nil) != want {
			t.Errorf("%s: stands is %v, want %v", p, err == nil, want)
		}
	}
	put("e", "projects/old/sessions/e.md") // the way is made anew
}

// TestQuarantine takes a note out of sight and loses no byte of it.
func TestQuarantine(t *testing.T) {
	v, dir := newVault(t, Options{})
	mustPut(t, v, firstDraft())
	file := filepath.Join(dir, "projects", "w", "sessions", "s.md")
	text, err := os.ReadFile(file)
	must(t, err)
	mine := string(text) + "\nmine\n"
	writeFile(t, file, mine)
	if _, err := v.Quarantine(t.Context(), "session:2", "projects/w/sessions/s.md"); err == nil {
		t.Error("another note was set aside")
	}
	p, err := v.Quarantine(t.Context(), "session:1", "projects/w/sessions/s.md")
	must(t, err)
	if got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p))); err != nil || string(got) != mine {
		t.Errorf("set aside is %q, %v", got, err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("it still stands")
	}
}

// TestFindReadsLongProperties: a note is found whose user has the properties
// sorted, so that the id comes behind a long list, or is cut in two where the
// first look ends.
func TestFindReadsLongProperties(t *testing.T) {
	for before := 4<<10 - 24; before < 4<<10+8; before += 4 {
		v, dir := newVault(t, Options{})
		sorted := "---\naliases: " + strings.Repeat("a", before-len("---\naliases: \n")) + "\nid: "
		text := strings.Replace(string(note.Render(firstDraft().Content())), "---\nid: ", sorted, 1)
		writeFile(t, filepath.Join(filepath.Dir(dir), "Archive", "moved.md"), text)
		for _, ids := range []map[string]bool{nil, {"session:1": true}} {
			found, _, err := v.Find(t.Context(), ids)
			if err != nil || found["session:1"] != "Archive/moved.md" {
				t.Fatalf("behind %d bytes, of %v: found %v, %v", before, ids, found, err)
			}
		}
	}
}

// TestFindLeavesOtherVaultsAlone: the notes of a vault within the vault are its
// own, though both tell of the same history.
func TestFindLeavesOtherVaultsAlone(t *testing.T) {
	v, dir := newVault(t, Options{})
	outer := filepath.Dir(dir)
	must(t, Create(filepath.Join(outer, "Work"), "Agents", Marker{ID: "another"}))
	for _, p := range []string{"Work/Agents/projects/w/s.md", "Work/moved there.md"} {
		writeFile(t, filepath.Join(outer, filepath.FromSlash(p)), string(note.Render(firstDraft().Content())))
	}
	found, _, err := v.Find(t.Context(), map[string]bool{"session:1": true})
	if err != nil || found["session:1"] != "Work/moved there.md" {
		t.Errorf("found %v, %v", found, err)
	}
}

// TestElsewhere reads a note in real, visible folders alone.
func TestElsewhere(t *testing.T) {
	v, dir := newVault(t, Options{})
	outer := filepath.Dir(dir)
	text := string(note.Render(firstDraft().Content()))
	writeFile(t, filepath.Join(outer, "Archive", "s.md"), text)
	writeFile(t, filepath.Join(outer, ".trash", "s.md"), text)
	if n, got, err := v.Elsewhere("Archive/s.md"); err != nil || string(got) != text || n.ID != "session:1" {
		t.Errorf("got %q, %v", got, err)
	}
	if err := os.Symlink("Archive", filepath.Join(outer, "Linked")); err != nil {
		t.Log(err)
	}
	for _, p := range []string{"", ".trash/s.md", "../s.md", "/s.md", "Archive/s.txt", "Linked/s.md", "None/s.md"} {
		if _, _, err := v.Elsewhere(p); err == nil {
			t.Errorf("%q was read", p)
		}
	}
}
