package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// at is where a path of the managed folder is on the disk.
func (s *scenario) at(name string) string {
	return filepath.Join(s.vault, s.folder, filepath.FromSlash(name))
}

// renames gives a file or folder of the managed folder another name, in its files'
// links too as Obsidian does it where its user wants that.
func (s *scenario) renames(from, to string, linked bool) {
	s.t.Helper()
	s.lasting = true
	s.check(os.MkdirAll(filepath.Dir(s.at(to)), 0o700))
	s.check(os.Rename(s.at(from), s.at(to)))
	if linked {
		s.relinks(from, to)
	}
}

// relinks has links to a file or to what is in a folder lead to another path.
func (s *scenario) relinks(from, to string) {
	s.t.Helper()
	old, now := path.Join(s.folder, strings.TrimSuffix(from, ".md")), path.Join(s.folder, strings.TrimSuffix(to, ".md"))
	var pairs []string
	for _, begin := range []string{"[[", `"file":"`} {
		for _, end := range []string{"/", "]]", "|", `\|`, "#", `.md"`} {
			pairs = append(pairs, begin+old+end, begin+now+end)
		}
	}
	links := strings.NewReplacer(pairs...)
	for name := range walk(s.t, s.vault) {
		if ext := path.Ext(name); ext != ".md" && ext != ".canvas" || strings.Contains(name, "/.sessionloom/") {
			continue
		}
		file := filepath.Join(s.vault, filepath.FromSlash(name))
		text := expect.Value(os.ReadFile(file))(s.t)
		if now := links.Replace(string(text)); now != string(text) {
			s.check(os.WriteFile(file, []byte(now), 0o600))
		}
	}
}

// image is a small picture unlike any other.
func image(n int) []byte {
	return fmt.Appendf(nil, "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00%08d", n)
}

// files counts the files of an ending in the managed folder.
func (s *scenario) files(ext string) (all []string) {
	for name := range walk(s.t, filepath.Join(s.vault, s.folder)) {
		if path.Ext(name) == ext {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// quiet expects that a pass finds nothing to tell of and that the next one writes nothing.
func (s *scenario) quiet(happened string) {
	s.t.Helper()
	r, stderr, code := s.pass(s.vault)
	if code != exitDone || r.Notes.Tombstoned > 0 || len(r.Kept) > 0 {
		s.t.Errorf("%s: exit code %d, %d tombstones, kept %v: %s", happened, code, r.Notes.Tombstoned, r.Kept, stderr)
	}
	s.staysTheSame(happened, s.vault, exitDone, walk(s.t, s.vault))
}

// leadSomewhere expects that the links of all notes lead to files.
func (s *scenario) leadSomewhere(happened string) {
	s.t.Helper()
	out, stderr, code := runProgram(s.t, s.config, append([]string{"check"}, s.flags(s.vault)...)...)
	expect.Is(s.t, code, exitDone, happened, "check ends with", out, stderr)
}

// Renaming a folder deletes nothing, whatever of ours is in it: canvases and
// images are found where they are, and what is new goes where the rest went.
func TestRenamedFolders(t *testing.T) {
	for _, linked := range []bool{true, false} {
		for _, lost := range []bool{false, true} {
			if !*everything && linked == lost {
				continue // what may go wrong in two ways, and in none
			}
			t.Run(fmt.Sprintf("links updated %t, ledger lost %t", linked, lost), func(t *testing.T) {
				t.Parallel()
				s := newStage(t)
				s.config = "sources: {vscode: {images: true}}\n"
				for i := range 21 {
					for j := range 3 {
						s.begins(fmt.Sprintf("%04d%04d-0000-4000-8000-000000000000", i, j), fmt.Sprintf("/home/ada/lab/p%d", i)).asks("Measure it").says("Measured.")
					}
				}
				c := s.edition("Code").opens(latency).chat(alpha)
				for i := range 21 {
					c.asks(fmt.Sprintf("What is %d?", i), picture("shot.png", image(i))).says("A number.")
				}
				s.quiet("a first pass")
				canvases, images := s.files(".canvas"), s.files(".png")
				if len(canvases) != 21 || len(images) != 21 {
					t.Fatalf("%d canvases, %d images", len(canvases), len(images))
				}
				forget := func() {
					if lost {
						s.check(os.RemoveAll(s.vault + ".state"))
					}
				}
				s.renames(path.Dir(images[0]), path.Join(path.Dir(path.Dir(images[0])), "pictures"), linked)
				forget()
				s.quiet("the images' folder is renamed")
				s.renames("projects", "work", linked)
				forget()
				s.quiet("the folder of all projects is renamed")
				one := strings.Replace(path.Dir(canvases[0]), "projects", "work", 1)
				s.renames(one, "work/My project", linked)
				s.renames("Sessions.base", "Views/All sessions.base", linked)
				forget()
				s.quiet("a project's folder and a base are renamed")
				if n, m := s.files(".canvas"), s.files(".png"); len(n) != 21 || len(m) != 21 || len(s.files(".base")) != 2 {
					t.Errorf("now there are the canvases %v and the images %v", n, m)
				}
				s.begins(beta, "/home/ada/lab/p0").asks("And on").says("And on.")
				c.asks("Last?", picture("shot.png", image(99))).says("Yes.")
				s.quiet("what is new")
				if _, err := os.Stat(s.at("projects")); err == nil {
					t.Errorf("the old folder is there again: %v", walk(t, s.at("projects")))
				}
				s.leadSomewhere("at last")
			})
		}
	}
}

// What is gone is counted together, whatever it is.
func TestManyFilesMissing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for i := range 14 {
		for j := range 3 {
			s.begins(fmt.Sprintf("%04d%04d-0000-4000-8000-000000000000", i, j), fmt.Sprintf("/home/ada/lab/p%d", i)).asks("Measure it").says("Measured.")
		}
	}
	s.quiet("a first pass")
	gone := s.files(".canvas")
	for _, name := range s.files(".md") {
		if strings.HasSuffix(path.Dir(name), "/sessions") && len(gone) < 14+8 {
			gone = append(gone, name)
		}
	}
	for _, name := range gone {
		s.check(os.Remove(s.at(name)))
	}
	before := walk(t, s.vault)
	_, stderr, code := s.pass(s.vault)
	if code != exitFailed || !strings.Contains(stderr, "22 of ") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	expect.Is(t, differences(before, walk(t, s.vault), true), "", "a held pass wrote")
}

// A copy of a note that its user gave another id is theirs: it stays.
func TestCopiesWithAnotherID(t *testing.T) {
	t.Parallel()
	const project = "github.com/octo-org/widget"
	copies := []struct{ of, id, name string }{
		{"project:" + project, "project:" + project + ":old", "widget old.md"},
		{"project:" + project, "project:" + project + " copy", "widget copy.md"},
		{"project:" + project, "project:" + project + "-old", "widget-old.md"},
		{"project:" + project, "project:" + project + " (snapshot)", "widget 1.md"},
		{"file:" + project + ":parse.go", "file:" + project + ":parse.go copy", "parse copy.md"},
		{"session:" + alpha, "old session:" + alpha, "parser old.md"},
		{"session:" + alpha, "copy of session:" + alpha, "parser copy.md"},
		{"session:" + alpha, "my:" + alpha, "parser mine.md"},
		{"session:" + alpha, "session:" + alpha + ":7", "parser 7.md"},
		{"checkpoint:" + alpha + ":1", "checkpoint:" + alpha + ":9", "checkpoint copy.md"},
		{"checkpoint:" + alpha + ":1", "checkpoint:" + alpha + ":1 old", "checkpoint old.md"},
		{"day:2026-03-02", "day:2020-01-01", "a day.md"},
		{"week:2026-W10", "week:2020-W01", "a week.md"},
	}
	s := newStage(t)
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.").edits("parse.go")
	a.compacts("Rust rewrite", "It is in Rust.", "Learn Rust")
	s.begins(beta, widget).asks("Test it").says("Tested.").edits("parse.go")
	s.begins(gamma, widget).asks("Ship it").says("Shipped.").edits("parse.go")
	s.quiet("three sessions")
	texts := map[string]string{}
	for i, c := range copies {
		text := strings.Replace(s.noteText(c.of), c.of, c.id, 1)
		name := path.Join("snapshots", fmt.Sprint(i), c.name)
		if i%2 == 0 {
			rel := expect.Value(filepath.Rel(s.folder, filepath.FromSlash(path.Dir(s.note(c.of)))))(s.t)
			name = path.Join(filepath.ToSlash(rel), c.name)
		}
		s.put(s.at(name), text)
		texts[name] = c.id
	}
	for _, state := range []string{"copied", "grown", "ledger lost"} {
		switch state {
		case "grown":
			a.asks("Go on").says("Gone on.")
		case "ledger lost":
			s.check(os.RemoveAll(s.vault + ".state"))
			a.asks("And on").says("And on.")
		}
		r, stderr, code := s.pass(s.vault, "--full")
		if code != exitDone || r.Notes.Removed > 0 {
			t.Errorf("%s: exit code %d, %d removed: %s", state, code, r.Notes.Removed, stderr)
		}
		for name, id := range texts {
			if text, err := os.ReadFile(s.at(name)); err != nil || noteID(string(text)) != id {
				t.Errorf("%s: the copy %s (%s) is gone: %v", state, name, id, err)
			}
		}
		s.staysTheSame(state, s.vault, exitDone, walk(t, s.vault))
	}
	for i := range 30 { // more than may be missing at once
		id := fmt.Sprintf("project:github.com/octo-org/widget:%d", i)
		name := fmt.Sprintf("many/%d.md", i)
		s.put(s.at(name), strings.Replace(s.noteText("project:"+project), "project:"+project, id, 1))
	}
	s.quiet("many copies")
	s.check(os.RemoveAll(s.at("many")))
	s.quiet("their user deletes them")
}

// tampered changes a plan as somebody does who wants to reach more with it.
func (s *scenario) tampered(change func(*extract.Plan)) string {
	s.t.Helper()
	file := filepath.Join(s.t.TempDir(), "plan.json")
	s.passes(s.vault, "--plan", file)
	text := expect.Value(os.ReadFile(file))(s.t)
	var plan extract.Plan
	s.check(json.Unmarshal(text, &plan))
	change(&plan)
	s.check(os.WriteFile(file, []byte(encode(s.t, plan)), 0o600))
	return file
}

func (s *scenario) applyPlan(file string) (r extract.Report, stderr string, code int) {
	s.t.Helper()
	out, stderr, code := runProgram(s.t, s.config, "apply", file, "--json", "--vault", s.vault, "--state", s.vault+".state", "--folder", s.folder)
	_ = json.Unmarshal([]byte(out), &r)
	return r, stderr, code
}

// A plan is carried out as it was made, or not at all.
func TestTamperedPlans(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.begins(alpha, latency).asks("Measure it").says("Measured.")
	s.quiet("a session")
	s.begins(beta, latency).asks("Measure it again").says("Measured.")
	s.later(time.Minute)
	for name, change := range map[string]func(*extract.Plan){
		"a further file": func(p *extract.Plan) {
			p.Targets = append(p.Targets, extract.PlannedFile{Path: "x.js", Text: "alert(1)"})
		},
		"a file less":   func(p *extract.Plan) { p.Targets = p.Targets[1:] },
		"another text":  func(p *extract.Plan) { p.Targets[0].Text += "x" },
		"another place": func(p *extract.Plan) { p.Targets[0].Path = "../x.md" },
		"a removal":     func(p *extract.Plan) { p.Targets[0].Remove = true },
	} {
		before := walk(t, s.vault)
		if _, stderr, code := s.applyPlan(s.tampered(change)); code != exitUsage || !strings.Contains(stderr, "the plan was changed") {
			t.Errorf("%s: exit code %d: %s", name, code, stderr)
		}
		expect.Is(t, differences(before, walk(t, s.vault), true), "", name, "apply wrote")
	}
}

// An honest plan counts all that it writes, the files that are not notes too.
func TestPlansCountFiles(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.config = "sources: {vscode: {images: true}}\n"
	s.edition("Code").opens(latency).chat(alpha).asks("What is wrong?", picture("shot.png", image(1))).says("All.")
	for _, id := range []string{beta, gamma, delta} {
		s.begins(id, latency).asks("Measure it").says("Measured.")
	}
	s.later(time.Minute)
	r, stderr, code := s.applyPlan(s.tampered(func(*extract.Plan) {}))
	if code != exitDone {
		t.Fatalf("exit code %d: %s %v", code, stderr, r.Problems)
	}
	told := map[string]bool{}
	for _, c := range r.Changed {
		told[c.Note] = true
	}
	for name := range walk(t, filepath.Join(s.vault, s.folder)) {
		if !strings.HasPrefix(name, ".") && !told["Agents/"+name] {
			t.Errorf("the report does not name %s", name)
		}
	}
	s.quiet("after the plan")
}

func hashOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
