package vault

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault/note"
)

// TestPlantedLinks: no link inside the vault leads our writing anywhere.
func TestPlantedLinks(t *testing.T) {
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, "target.md"), "theirs")
	plant := map[string]func(dir string) error{
		"folder to the outside": func(dir string) error { return os.Symlink(outside, filepath.Join(dir, "projects")) },
		"folder to the settings": func(dir string) error {
			writeFile(t, filepath.Join(dir, ".obsidian", "app.json"), "{}")
			return os.Symlink(".obsidian", filepath.Join(dir, "projects"))
		},
		"folder to the vault's settings": func(dir string) error {
			writeFile(t, filepath.Join(dir, "..", ".obsidian", "app.json"), "{}")
			return os.Symlink("../.obsidian", filepath.Join(dir, "projects"))
		},
		"folder to itself": func(dir string) error { return os.Symlink(".", filepath.Join(dir, "projects")) },
		"second folder": func(dir string) error {
			if err := os.Mkdir(filepath.Join(dir, "projects"), 0o777); err != nil {
				return err
			}
			return os.Symlink(outside, filepath.Join(dir, "projects", "w"))
		},
		"note to the outside": func(dir string) error {
			at := filepath.Join(dir, "projects", "w", "sessions")
			if err := os.MkdirAll(at, 0o777); err != nil {
				return err
			}
			return os.Symlink(filepath.Join(outside, "target.md"), filepath.Join(at, "s.md"))
		},
		"dangling note": func(dir string) error {
			at := filepath.Join(dir, "projects", "w", "sessions")
			if err := os.MkdirAll(at, 0o777); err != nil {
				return err
			}
			return os.Symlink(filepath.Join(outside, "none.md"), filepath.Join(at, "s.md"))
		},
	}
	for name, link := range plant {
		t.Run(name, func(t *testing.T) {
			v, dir := newVault(t, Options{})
			if err := link(dir); err != nil {
				t.Skip(err)
			}
			before := snapshot(t, filepath.Dir(dir)) + snapshot(t, outside)
			d := firstDraft()
			if _, err := v.Put(t.Context(), d); err == nil {
				t.Error("created through a link")
			}
			d.At = d.Path
			if _, err := v.Put(t.Context(), d); err == nil {
				t.Error("updated through a link")
			}
			if _, err := v.Load(d.Path); err == nil {
				t.Error("read through a link")
			}
			if list, err := v.Scan(t.Context()); err != nil || len(list) != 0 {
				t.Errorf("scan sees %v %v", list, err)
			}
			expect.Is(t, snapshot(t, filepath.Dir(dir))+snapshot(t, outside), before, "before", "after")
		})
	}
}

func TestLinkedFolderIsNoVault(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(dir, "Agents")); err != nil {
		t.Skip(err)
	}
	if err := Create(dir, "Agents", Marker{ID: "x"}); err == nil {
		t.Error("created behind a link")
	}
	if _, err := Open(dir, "Agents", Options{}); err == nil {
		t.Error("opened behind a link")
	}
	onlyFiles(t, outside)
}

func TestPathsStayInside(t *testing.T) {
	v, dir := newVault(t, Options{})
	before := snapshot(t, filepath.Dir(dir))
	for _, p := range []string{
		"", ".", "x", "x.txt", "../x.md", "/x.md", "a/../../x.md", "a//x.md", "a/./x.md", `a\x.md`, `..\x.md`, "C:x.md",
		".x.md", ".obsidian/x.md", "a/.git/x.md", ".sessionloom/rescued/x.md", "a\x00.md", ".md", "a/.md",
	} {
		d := firstDraft()
		d.Path = p
		if _, err := v.Put(t.Context(), d); err == nil {
			t.Errorf("path %q was taken", p)
		}
		d.At = p
		if _, err := v.Put(t.Context(), d); err == nil && p != "" {
			t.Errorf("place %q was taken", p)
		}
	}
	expect.Is(t, snapshot(t, filepath.Dir(dir)), before, "before", "after")
}

func TestScanSeesNotesOnly(t *testing.T) {
	v, dir := newVault(t, Options{})
	for _, name := range []string{"b.md", "a/z.md", "a/y.md", "a b/x.MD", ".hidden.md", "a/.git/x.md", "c.txt", "md"} {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), name)
	}
	if err := os.Symlink("b.md", filepath.Join(dir, "l.md")); err != nil {
		t.Log(err)
	}
	list := expect.Value(v.Scan(t.Context()))(t)
	want := []string{"a b/x.MD", "a/y.md", "a/z.md", "b.md"}
	for i, e := range list {
		if i >= len(want) || e.Path != want[i] || e.Stamp.Size != int64(len(e.Path)) || e.Stamp.MTime == 0 {
			t.Errorf("entry %d: %+v", i, e)
		}
	}
	expect.Is(t, len(list), len(want), "entries")
}

func TestFindMovedNotes(t *testing.T) {
	v, dir := newVault(t, Options{})
	outer := filepath.Dir(dir)
	whole := string(note.Render(firstDraft().Content()))
	writeFile(t, filepath.Join(outer, "Archive", "moved.md"), whole)
	writeFile(t, filepath.Join(outer, "Archive", "copy.md"), replaceOnce("\"session:1\"", "session:2")(whole))
	writeFile(t, filepath.Join(outer, "mine.md"), "---\nid: \"my own\"\n---\ntext")
	writeFile(t, filepath.Join(outer, ".trash", "old.md"), replaceOnce("session:1", "session:3")(whole))
	writeFile(t, filepath.Join(dir, "in.md"), replaceOnce("session:1", "session:4")(whole))
	writeFile(t, filepath.Join(outer, "Agents2", "next.md"), replaceOnce("session:1", "session:5")(whole))
	got, _, err := v.Find(t.Context(), nil)
	want := map[string]string{"session:1": "Archive/moved.md", "session:2": "Archive/copy.md", "session:5": "Agents2/next.md"}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v %v", got, err)
	}
	got, _, err = v.Find(t.Context(), map[string]bool{"session:2": true, "session:4": true})
	if err != nil || !maps.Equal(got, map[string]string{"session:2": "Archive/copy.md"}) {
		t.Errorf("got %v %v", got, err)
	}
}
