package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A page of several projects may show what one that is not masked shows, and no
// secret of another one.
func TestCheckOfPagesOfSeveralProjects(t *testing.T) {
	const config = "redact:\n  rules: [{name: house-word, pattern: '(?i)linkcheck|pprof'}]\n  except_projects: [docs-site]\n"
	dir := filepath.Join(t.TempDir(), "vault")
	sync := func() {
		if _, stderr, code := loomRun(t, config, "sync", "--sample", "--vault", dir, "--state", dir+".state"); code != exitDone {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
	}
	sync()
	if found := checked(t, config, dir); len(found) > 0 {
		t.Errorf("a project that is not masked: %+v", found)
	}
	var pages []string
	for p, f := range walk(t, dir) {
		if !strings.HasPrefix(p, "Agents/projects/") && strings.Contains(f.text, "linkcheck.py") {
			pages = append(pages, p)
		}
	}
	if len(pages) < 2 {
		t.Fatalf("pages that show it: %q", pages)
	}
	for _, p := range pages {
		file := filepath.Join(dir, filepath.FromSlash(p))
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		slipped := strings.ReplaceAll(string(text), "linkcheck.py", "pprof.py") // names of files have no dot there
		if err := os.WriteFile(file, []byte(slipped), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found := kindsOf(checked(t, config, dir))
	for _, p := range pages {
		if !slices.Contains(found, "secret "+strings.TrimPrefix(p, "Agents/")) {
			t.Errorf("a secret of another project in %s is not found: %q", p, found)
		}
	}
}
