package faults

import (
	"os"
	"path/filepath"
	"testing"
)

// Settings that would lead out of the vault are refused: no file outside is made,
// read into a note or changed.
func TestSettingsThatLeadOut(t *testing.T) {
	runs := 0
	for _, folder := range []string{"..", "../outside", "../../outside", "a/../../outside", ".obsidian", ".git", "a/.hidden", "", "a\\..\\b", "C:\\x"} {
		p := leaky(t)
		p.refuses("sync", "--folder", folder)
		runs++
	}
	for _, folder := range []string{"..", "../outside", "../../outside", "a/../../outside", "linked"} {
		p := leaky(t)
		p.refuses("sync", "--templates", folder)
		runs++
	}
	proved(t, "settings (folder, templates) that lead out of the vault", runs, 1, "refused; nothing outside is made or changed")
}

// leaky is a place with folders where none of ours may be written.
func leaky(t *testing.T) *place {
	p := newPlace(t, small)
	for _, dir := range []string{"outside", "vault/.obsidian"} {
		p.must(os.MkdirAll(p.at(dir), 0o700))
	}
	p.must(os.WriteFile(p.at("outside/session.md.tmpl"), []byte("theirs\n"), 0o600))
	p.must(os.Symlink(p.at("outside"), p.at("vault/linked")))
	return p
}

// refuses expects a run that fails and makes nothing.
func (p *place) refuses(args ...string) {
	p.t.Helper()
	before := tree(p.t, p.dir)
	out := p.run(args...)
	if out.code != 1 && out.code != 2 {
		p.t.Errorf("%s", out)
	}
	for path := range tree(p.t, p.dir) {
		if _, had := before[path]; !had && filepath.Ext(path) == ".md" {
			p.t.Errorf("%q makes %q", args, path)
		}
	}
	if d := differences(before, tree(p.t, p.dir), true); d != "" {
		p.t.Logf("%q changes:\n%s", args, d)
	}
}
