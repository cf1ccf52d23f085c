package faults

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Settings that would lead out of the vault, of the user's or of Obsidian's, are
// refused: no file outside is made, read into a note or changed.
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
	for _, daily := range []map[string]string{
		{"folder": "../outside"}, {"folder": "../../../outside"}, {"folder": "a/../../outside"}, {"folder": "linked"}, {"folder": ".hidden"},
		{"folder": "/../outside"}, {"format": "[../outside/]YYYY-MM-DD"}, {"format": "[linked/]YYYY-MM-DD"}, {"folder": "..\\outside"},
	} {
		p := leaky(t)
		config := filepath.Join(p.dir, ".config", "sessionloom", "config.yaml")
		p.must(os.MkdirAll(filepath.Dir(config), 0o700))
		p.must(os.WriteFile(config, []byte("daily_notes: true\n"), 0o600))
		text, err := json.Marshal(daily)
		p.must(err)
		p.must(os.WriteFile(p.at("vault/.obsidian/daily-notes.json"), text, 0o600))
		before, hidden := tree(t, p.at("outside")), tree(t, p.at("vault/.hidden"))
		out := p.run("sync")
		if out.code != 0 && out.code != 3 {
			t.Errorf("%v: %s", daily, out)
		}
		if d := differences(before, tree(t, p.at("outside")), true) + differences(hidden, tree(t, p.at("vault/.hidden")), true); d != "" {
			t.Errorf("%v changes what lies outside:\n%s", daily, d)
		}
		runs++
	}
	proved(t, "settings (folder, templates, daily notes of Obsidian) that lead out of the vault", runs, 1, "refused or passed over; nothing outside is made or changed")
}

// leaky is a place with daily notes where none of ours may be written.
func leaky(t *testing.T) *place {
	p := newPlace(t, small)
	for _, dir := range []string{"outside", "vault/.hidden", "vault/.obsidian"} {
		p.must(os.MkdirAll(p.at(dir), 0o700))
	}
	for _, file := range []string{"outside/2026-11-09.md", "outside/session.md.tmpl", "vault/.hidden/2026-11-09.md"} {
		p.must(os.WriteFile(p.at(file), []byte("theirs\n"), 0o600))
	}
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
