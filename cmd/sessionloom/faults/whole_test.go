//go:build unix

package faults

import (
	"crypto/sha256"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// whole expects every file at a final path to be as it was or as it will be.
func (p *place) whole(what string, want result) {
	p.t.Helper()
	texts := map[[sha256.Size]byte]bool{} // of notes that stand at another place meanwhile
	for _, c := range want.before {
		texts[c.hash] = true
	}
	for _, c := range want.after {
		texts[c.hash] = true
	}
	for path, c := range tree(p.t, p.vault) {
		name := filepath.Base(path)
		if !c.mode.IsRegular() || strings.HasPrefix(name, ".tmp-") || strings.HasPrefix(path, ".git/") {
			continue
		}
		if !texts[c.hash] && !wholeNote(filepath.Join(p.vault, path)) {
			p.t.Errorf("%s: %q is neither as it was nor as it will be", what, path)
		}
	}
	for name, will := range want.extra {
		if text, err := os.ReadFile(filepath.Join(p.dir, name)); err == nil && p.anywhere(string(text)) != will {
			p.t.Errorf("%s: %q holds part of its text: %q", what, name, text)
		}
	}
}

// wholeNote reports whether a note is whole: it has no link to one that could not be written.
func wholeNote(path string) bool {
	text, err := os.ReadFile(path)
	begins, ends := strings.Count(string(text), "\n%% sessionloom "), strings.Count(string(text), "\n%% /sessionloom ")
	closed := strings.LastIndex(string(text), "\n%%\n") > strings.LastIndex(string(text), "\n%% sessionloom ") // a person's words may follow
	return err == nil && ends > 0 && begins == ends+1 && closed
}

// holds expects words of a human in some file of the vault whose name ends so.
func (p *place) holds(what string, words []string, suffix string) {
	p.t.Helper()
	var all strings.Builder
	p.must(filepath.WalkDir(p.vault, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || !strings.HasSuffix(path, suffix) || strings.Contains(path, "/.git/") {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	}))
	for _, w := range words {
		expect.Has(p.t, all.String(), w, what, "lost")
	}
}

// as expects the vault of an undisturbed run, and nothing left over anywhere.
func (p *place) as(what string, want result) {
	p.t.Helper()
	expect.Is(p.t, differences(notGit(want.final), notGit(tree(p.t, p.vault)), false), "", what, "the vault (+) is not that of an undisturbed run (-")
	for _, name := range p.stateNames() {
		if !slices.Contains(want.state, name) {
			p.t.Errorf("%s: %q is left in the state folder", what, name)
		}
	}
	for name, will := range want.extra {
		if text, err := os.ReadFile(filepath.Join(p.dir, name)); err != nil || p.anywhere(string(text)) != will {
			p.t.Errorf("%s: %q holds %q (%v)", what, name, text, err)
		}
	}
}

// notGit leaves out what git keeps for itself.
func notGit(all contents) contents {
	all = maps.Clone(all)
	maps.DeleteFunc(all, func(path string, _ content) bool { return path == ".git" || strings.HasPrefix(path, ".git/") })
	return all
}
