package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// recipe is what a release is made by, as far as we promise something of it.
type recipe struct {
	Builds []struct{ Goos, Goarch, Env, Flags []string }
	Nfpms  []struct {
		Formats  []string
		Contents []struct{ Src, Dst, Packager string }
	}
	Casks  []struct{ Manpages []string } `yaml:"homebrew_casks"`
	Scoops []any
}

// A release is for all systems that we promise, and whole: whoever adds a command
// adds its man page to the cask, too.
func TestReleaseIsWhole(t *testing.T) {
	t.Parallel()
	var r recipe
	if err := yaml.Unmarshal(readFile(t, filepath.Join(root, ".goreleaser.yaml")), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Builds) != 1 || len(r.Nfpms) != 1 || len(r.Casks) != 1 || len(r.Scoops) != 1 {
		t.Fatalf("one of each is expected: %+v", r)
	}
	build, packages := r.Builds[0], r.Nfpms[0]
	for _, list := range [][2]string{
		{strings.Join(build.Goos, " "), "linux darwin windows"},
		{strings.Join(build.Goarch, " "), "amd64 arm64"},
		{strings.Join(build.Env, " "), "CGO_ENABLED=0"},
		{strings.Join(build.Flags, " "), "-trimpath -buildvcs=true"},
		{strings.Join(packages.Formats, " "), "deb rpm"},
	} {
		expect.Is(t, list[0], list[1])
	}
	for _, format := range packages.Formats {
		var into []string
		for _, c := range packages.Contents {
			if c.Packager == "" || c.Packager == format {
				into = append(into, c.Dst)
			}
		}
		zsh := map[string]string{"deb": "vendor-completions", "rpm": "site-functions"}[format]
		for _, want := range []string{"man/man1", "bash-completion/completions/sessionloom", "zsh/" + zsh + "/_sessionloom",
			"fish/vendor_completions.d/sessionloom.fish", "doc/sessionloom/LICENCES.txt"} {
			if !slices.Contains(into, "/usr/share/"+want) {
				t.Errorf("nothing of a %s goes to /usr/share/%s", format, want)
			}
		}
	}
	var pages []string
	for _, page := range manPages(t) {
		pages = append(pages, "man/"+page)
	}
	expect.List(t, r.Casks[0].Manpages, pages, "manpages of .goreleaser.yaml should be\n      -", strings.Join(pages, "\n      - "))
}
