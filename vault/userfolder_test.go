package vault

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestReadFolder(t *testing.T) {
	v, agents := newVault(t, Options{})
	dir := filepath.Dir(agents)
	folder := filepath.Join(dir, "Agents", ".sessionloom", "templates")
	for name, text := range map[string]string{"a.tmpl": "A", "B.TMPL": "B", "notes.md": "x", ".hidden.tmpl": "x", "sub/c.tmpl": "x"} {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755))
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	got, err := v.ReadFolder("Agents/.sessionloom/templates", ".tmpl", 10)
	if err != nil || !maps.Equal(got, map[string]string{"a.tmpl": "A", "B.TMPL": "B"}) {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := v.ReadFolder("Agents/nothing", ".tmpl", 10); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing folder: %v", err)
	}
	for _, outside := range []string{"..", "../x", "/etc", "Agents/../..", ""} {
		if _, err := v.ReadFolder(outside, ".tmpl", 10); err == nil {
			t.Errorf("%q was read", outside)
		}
	}
	must(t, os.WriteFile(filepath.Join(folder, "a.tmpl"), []byte(strings.Repeat("A", 11)), 0o600))
	if _, err := v.ReadFolder("Agents/.sessionloom/templates", ".tmpl", 10); err == nil || !strings.Contains(err.Error(), "a.tmpl") {
		t.Errorf("too long: %v", err)
	}
}

func TestReadFolderFollowsNoLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	v, agents := newVault(t, Options{})
	dir := filepath.Dir(agents)
	other := t.TempDir()
	must(t, os.WriteFile(filepath.Join(other, "a.tmpl"), []byte("A"), 0o600))
	for link, folder := range map[string]string{"Agents/linked": "Agents/linked", "Agents/real/a.tmpl": "Agents/real"} {
		at := filepath.Join(dir, filepath.FromSlash(link))
		must(t, os.MkdirAll(filepath.Dir(at), 0o755))
		to := other
		if strings.HasSuffix(link, ".tmpl") {
			to = filepath.Join(other, "a.tmpl")
		}
		must(t, os.Symlink(to, at))
		if got, err := v.ReadFolder(folder, ".tmpl", 10); err == nil {
			t.Errorf("%s: read %q through a link", link, got)
		}
	}
}

// Another version may know places that this one does not.
func TestVaultOfANewerLayoutIsNotOpened(t *testing.T) {
	dir := t.TempDir()
	must(t, Create(dir, "Agents", Marker{ID: "x", Layout: LayoutVersion + 1}))
	if _, err := Open(dir, "Agents", Options{}); !errors.Is(err, ErrNewer) {
		t.Errorf("got %v", err)
	}
}

func TestNoteOfANewerVersionIsNotRemoved(t *testing.T) {
	v, agents := newVault(t, Options{})
	dir := filepath.Dir(agents)
	body := "Text"
	r, err := v.Put(t.Context(), Draft{ID: "x", Path: "x.md", Props: []Property{{Key: "id", Value: "x"}}, Body: &body})
	must(t, err)
	at := filepath.Join(dir, "Agents", r.Path)
	text, err := os.ReadFile(at)
	must(t, err)
	must(t, os.WriteFile(at, []byte(strings.Replace(string(text), "\nversion 2\n", "\nversion 3\n", 1)), 0o600))
	if r, err := v.Remove(t.Context(), "x", "x.md"); err != nil || r.Outcome != Kept {
		t.Errorf("%+v, %v", r, err)
	}
}
