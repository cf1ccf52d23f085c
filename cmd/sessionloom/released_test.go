package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault"
)

// release is what a release made pages of.
type release struct {
	name  string // as CHANGELOG.md has it
	pages int    // vault.PageVersion
	print string // of the templates, the escapers and the golden pages
}

// released lists all releases, oldest first. Each release adds a row; the test
// below prints it (go test -run PagesOfReleases -v). From then on a change of the
// pages needs a higher vault.PageVersion once, up to the next release: a machine
// with the older program then leaves the newer pages alone.
func released() []release { return nil }

func TestPagesOfReleases(t *testing.T) {
	t.Parallel()
	changelog := expect.Value(os.ReadFile(filepath.Join(root, "CHANGELOG.md")))(t)
	now := release{name: "this one", pages: vault.PageVersion, print: pagesPrint(t)}
	t.Logf("%+v", now)
	for _, why := range unreleasable(released(), now, string(changelog)) {
		t.Error(why)
	}
}

// unreleasable explains why pages of older releases could be overwritten by poorer
// ones, or the other way round.
func unreleasable(past []release, now release, changelog string) (why []string) {
	for line := range strings.Lines(changelog) {
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "## ")
		if name, _, _ = strings.Cut(name, " "); !ok || name == "Unreleased" {
			continue
		}
		if !slices.ContainsFunc(past, func(r release) bool { return r.name == name }) {
			why = append(why, fmt.Sprintf("release %s has no row in the table of releases", name))
		}
	}
	for i, r := range append(slices.Clone(past), now) {
		if i == 0 {
			continue
		}
		switch last := past[i-1]; {
		case r.pages < last.pages:
			why = append(why, fmt.Sprintf("%s has pages of version %d, %s had %d", r.name, r.pages, last.name, last.pages))
		case r.pages == last.pages && r.print != last.print:
			why = append(why, fmt.Sprintf("pages of %s differ from those of %s: raise vault.PageVersion above %d", r.name, last.name, last.pages))
		}
	}
	return why
}

// pagesPrint sums up the templates, the escapers and the golden pages, which
// show what both make of a view.
func pagesPrint(t *testing.T) string {
	t.Helper()
	set := expect.Value(templates.Embedded())(t)
	hash := sha256.New()
	fmt.Fprintln(hash, set.Fingerprint())
	files, err := filepath.Glob(filepath.Join(root, "templates", "testdata", "golden", "*"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d golden pages, %v", len(files), err)
	}
	for _, f := range files { // in order of name
		text := expect.Value(os.ReadFile(f))(t)
		fmt.Fprintf(hash, "%s %s", filepath.Base(f), strings.ReplaceAll(string(text), "\r\n", "\n"))
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:8])
}

func TestChangedPagesNeedAHigherVersion(t *testing.T) {
	t.Parallel()
	const log = "# Changelog\n\n## Unreleased\n\n## v1.1.0 (2027-01-01)\n\n## v1.0.0\n"
	one, two := release{"v1.0.0", 1, "a"}, release{"v1.1.0", 2, "b"}
	for _, c := range []struct {
		past []release
		now  release
		want string
	}{
		{[]release{one, two}, release{"now", 2, "b"}, ""},
		{[]release{one, two}, release{"now", 3, "c"}, ""},
		{[]release{one, two}, release{"now", 2, "c"}, "raise vault.PageVersion above 2"},
		{[]release{one, two}, release{"now", 1, "a"}, "v1.1.0 had 2"},
		{[]release{one, {"v1.1.0", 1, "b"}}, release{"now", 2, "b"}, "raise vault.PageVersion above 1"},
		{[]release{one}, release{"now", 1, "a"}, "v1.1.0 has no row"},
	} {
		got := strings.Join(unreleasable(c.past, c.now, log), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%+v, %+v: got %q, want %q", c.past, c.now, got, c.want)
		}
	}
}
