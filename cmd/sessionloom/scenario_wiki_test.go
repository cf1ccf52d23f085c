package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// aWiki is a small vault as obsidian-wiki keeps one: its own index, log, hot page
// and manifest, pages by category, folders of its own.
func aWiki() map[string]string {
	page := func(title, category, body string) string {
		return "---\ntitle: >-\n    " + title + "\ncategory: " + category + "\ntags: [parsing]\nsources: [papers/earley.pdf]\n" +
			"summary: >-\n    " + title + " in short.\nprovenance:\n  extracted: 0.72\n  inferred: 0.28\n" +
			"created: 2026-02-01T10:30:00Z\nupdated: 2026-02-01T10:30:00Z\n---\n\n# " + title + "\n\n" + body + " ^[inferred]\n"
	}
	return map[string]string{
		".manifest.json": "{}\n",
		"index.md":       "---\ntitle: Wiki Index\n---\n\n# Wiki Index\n\n## Concepts\n- [[concepts/earley-parser|Earley parser]] ( #parsing)\n",
		"log.md":         "---\ntitle: Wiki Log\n---\n\n# Wiki Log\n\n- [2026-02-01T10:30:00Z] INIT\n",
		"hot.md":         "---\ntitle: Hot Cache\nupdated: 2026-02-01T10:30:00Z\n---\n\n# Hot Cache\n",
		"Zettel.md":      "---\nid: 202602011030\n---\n\nA note with an id of its human's.\n",
		"Home.md":        "---\nid: home\n---\n\nWhere I begin.\n",

		"concepts/earley-parser.md":                          page("Earley parser", "concepts", "It parses every context-free language."),
		"journal/2026-03-02.md":                              page("2 March 2026", "journal", "A day of the wiki's own."),
		"projects/widget/widget.md":                          page("Widget", "project", "See [[concepts/earley-parser]]."),
		"projects/widget (octo-org)/widget (octo-org).md":    page("Widget of octo-org", "project", "Written by the wiki."),
		"projects/widget (octo-org)/skills/reading-dumps.md": page("Reading dumps", "skills", "Start at the end."),
		"_meta/taxonomy.md":                                  "# Tags\n\n- parsing\n",
		"_raw/draft.md":                                      "A rough note.\n",
	}
}

// theirsStands expects every file of the human as it was.
func (s *scenario) theirsStands() {
	s.t.Helper()
	now := walk(s.t, s.vault)
	for path, text := range s.theirs {
		if now[path].text != text {
			s.t.Errorf("%s was touched:\n%s", path, now[path].text)
		}
	}
}

// What a linter of such wikis asks of a page: frontmatter from the first line on
// that has these fields, with no value looked at.
var (
	wikiFront  = regexp.MustCompile(`(?s)^---\n(.*?)\n---`)
	wikiField  = regexp.MustCompile(`(?m)^([A-Za-z_][\w-]*):`)
	wikiFields = strings.Fields("title category tags sources created updated")
)

// lintWiki gives, by page, what the linter misses in it. A summary is no must,
// a long one is told of.
func lintWiki(pages contents) map[string][]string {
	found := map[string][]string{}
	for path, page := range pages {
		if !strings.HasSuffix(path, ".md") || !strings.Contains(page.text, "\n%% sessionloom body %%") {
			continue
		}
		var front string
		if m := wikiFront.FindStringSubmatch(page.text); m != nil {
			front = m[1]
		}
		var has []string
		for _, m := range wikiField.FindAllStringSubmatch(front, -1) {
			has = append(has, m[1])
		}
		for _, field := range append(wikiFields, "summary") {
			if !slices.Contains(has, field) {
				found[path] = append(found[path], "no "+field)
			}
		}
		for line := range strings.Lines(front) {
			if text, ok := strings.CutPrefix(line, "summary: "); ok && len([]rune(strings.Trim(text, "\"\n"))) > 200 {
				found[path] = append(found[path], "long summary")
			}
			if strings.HasSuffix(strings.TrimSpace(line), "Z") && strings.HasPrefix(line, "created") {
				found[path] = append(found[path], "time that Obsidian does not take")
			}
		}
	}
	return found
}

func (s *scenario) lints() {
	s.t.Helper()
	for path, missing := range lintWiki(walk(s.t, s.vault)) {
		s.t.Errorf("%s: %s", path, strings.Join(missing, ", "))
	}
}

// Notes stand among the pages of a wiki: whatever is the wiki's stays its own, and
// where it has a page of a name already, ours gets a longer one.
func TestWiki(t *testing.T) {
	s := newScenario(t)
	s.check(os.RemoveAll(s.vault))
	s.folder, s.theirs = ".", aWiki()
	s.furnish(s.vault)
	s.begins(alpha, widget).asks("Write a parser for the config").edits("parse.go").says("Written.").
		compacts("Grammar", "The grammar stands.", "1. Report columns").plans("- [x] Parse\n- [ ] Report lines\n").leaves()
	s.sync("a session", "--layout", "wiki")
	s.theirsStands()
	s.lints()

	s.later(24 * time.Hour)
	s.theirs["concepts/earley-parser.md"] += "\nThe wiki learned more.\n"
	s.check(os.WriteFile(filepath.Join(s.vault, "concepts", "earley-parser.md"), []byte(s.theirs["concepts/earley-parser.md"]), 0o600))
	s.begins(beta, widget).asks("Test the parser").edits("parse.go").says("Tested.").leaves()
	s.sync("the wiki goes on, and so do the agents")
	s.theirsStands()
	s.lints()

	// The wiki archives a copy of all its pages: those are no second notes.
	for _, folder := range []string{"projects", "journal"} {
		copyTree(t, filepath.Join(s.vault, folder), filepath.Join(s.vault, "_archives", "2026-03-04", folder))
	}
	s.lasting = true
	if r := s.sync("the wiki archives itself"); len(r.Changed) > 0 || len(r.Kept) > 0 {
		t.Errorf("the archive was taken for notes: %v, %v", r.Changed, r.Kept)
	}
	s.theirsStands()
}

// Another layout moves the notes that lie where they were put, with what a human
// wrote in them. One that its user moved stays, and all links follow.
func TestLayoutChanges(t *testing.T) {
	s := newScenario(t)
	s.begins(alpha, widget).asks("Write a parser for the config").edits("parse.go").says("Written.").
		compacts("Grammar", "The grammar stands.", "1. Report columns").plans("- [x] Parse\n- [ ] Report lines\n").leaves()
	s.later(24 * time.Hour)
	s.begins(beta, latency).asks("Measure it").says("Measured.").leaves()
	s.sync("two sessions")
	s.userMoves("checkpoint:"+alpha+":1", "Agents/kept/The grammar.md")
	s.userEdits("memory:"+alpha+":plan", "%% sessionloom facts", "A line of mine.\n\n%% sessionloom facts")
	s.sync("a checkpoint is moved, a line added to a plan")
	before := walk(t, s.vault)

	s.sync("the layout of a wiki", "--layout", "wiki")
	s.lints()
	s.shows("memory:"+alpha+":plan", "A line of mine.")
	s.shows(alpha, "[[Agents/kept/The grammar|")
	s.shows("home", "# Index", "Agents/projects/widget (octo-org)/journal/")
	s.shows("threads", "# Hot")
	if at := s.note("home"); at != "Agents/index.md" {
		t.Errorf("the catalogue is %s", at)
	}
	s.sync("sessionloom's own layout again", "--layout", "agents")
	marker := "Agents/.sessionloom/vault.yaml"
	now := walk(t, s.vault)
	delete(before, marker)
	delete(now, marker)
	if d := differences(before, now, false); d != "" {
		t.Errorf("not as it was:\n%s", d)
	}
}

// The linter that the tests rely on sees what is missing.
func TestWikiLinter(t *testing.T) {
	s := newStage(t)
	s.begins(alpha, widget).asks("Write a parser").says("Written.").leaves()
	s.pass(s.vault)
	found := lintWiki(walk(t, s.vault))
	for _, id := range []string{alpha, "home", "threads", "day:2026-03-02"} {
		if missing := strings.Join(found[s.note(id)], ", "); !strings.Contains(missing, "no category") {
			t.Errorf("of %s in sessionloom's own layout only this is missing: %s", id, missing)
		}
	}
}

// Where the managed folder is the whole vault, most notes are not ours, many have
// an id of their human's, and some are in no state to be read.
func TestWholeVault(t *testing.T) {
	s := newScenario(t)
	s.check(os.RemoveAll(s.vault))
	s.folder, s.brief, s.theirs = ".", true, map[string]string{
		".obsidian/app.json":    "{}",
		"journal/2026-03-02.md": "A day of mine.\n",
		"_templates/day.md":     "---\nid: \"day:{{date}}\"\n---\n",
		"home.md":               "---\nid: home\ntype: home\n---\n",
		"projects/widget.md":    "---\nid: project:widget\n---\n",
	}
	for i := range 300 {
		text := fmt.Sprintf("---\nid: 2026%04d\ntype: session\n---\n# Note %d\n\n- [ ] a task #tag\n", i, i)
		switch i % 4 {
		case 1:
			text = "\ufeff---\r\nid: [\r\n" + text
		case 2:
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		s.theirs[fmt.Sprintf("Notes/%02d/Note %d.md", i%7, i)] = text
	}
	s.furnish(s.vault)
	s.begins(alpha, widget).asks("Write a parser").says("Written.").leaves()
	if r := s.sync("a session"); len(r.Kept) > 0 || len(r.Problems) > 0 {
		t.Errorf("kept %v, problems %v", r.Kept, r.Problems)
	}
	s.theirsStands()
	s.shows(alpha, "[[journal/2026-03-02 (agents)|Mon 2 Mar 2026]]")

	s.theirs["Notes/00/Note 0.md"] += "More.\n"
	s.check(os.WriteFile(filepath.Join(s.vault, "Notes", "00", "Note 0.md"), []byte(s.theirs["Notes/00/Note 0.md"]), 0o600))
	for i := range 25 { // many of theirs, none of ours: no accident
		name := fmt.Sprintf("Notes/%02d/Note %d.md", (i+100)%7, i+100)
		delete(s.theirs, name)
		s.check(os.Remove(filepath.Join(s.vault, filepath.FromSlash(name))))
	}
	s.begins(beta, widget).asks("Test it").says("Tested.").leaves()
	s.sync("notes of theirs change and go, a session comes")
	s.theirsStands()
	s.userMoves(alpha, "_archive/parser.md")
	r := s.sync("a note of ours is put among the archived")
	if len(r.Kept) != 1 || r.Kept[0].Note != "_archive/parser.md" || !s.has(alpha) {
		t.Errorf("kept %v", r.Kept)
	}
}
