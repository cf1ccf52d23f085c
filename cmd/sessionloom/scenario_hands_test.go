package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// userEdits changes a note as its owner does in an editor.
func (s *scenario) userEdits(id, old, now string) {
	s.t.Helper()
	text := s.noteText(id)
	if !strings.Contains(text, old) {
		s.t.Fatalf("the note %s has no %q", id, old)
	}
	s.lasting = true
	s.check(os.WriteFile(filepath.Join(s.vault, filepath.FromSlash(s.note(id))), []byte(strings.Replace(text, old, now, 1)), 0o600))
}

// userMoves takes a note to another place in the vault.
func (s *scenario) userMoves(id, to string) {
	s.t.Helper()
	from := filepath.Join(s.vault, filepath.FromSlash(s.note(id)))
	s.lasting = true
	s.check(os.MkdirAll(filepath.Join(s.vault, path.Dir(to)), 0o700))
	s.check(os.Rename(from, filepath.Join(s.vault, filepath.FromSlash(to))))
}

func (s *scenario) userDeletes(id string) {
	s.t.Helper()
	s.lasting = true
	s.check(os.Remove(filepath.Join(s.vault, filepath.FromSlash(s.note(id)))))
}

// has reports whether a note is in the vault.
func (s *scenario) has(id string) bool {
	for _, f := range walk(s.t, s.vault) {
		if noteID(f.text) == "session:"+id {
			return true
		}
	}
	return false
}

// What a person writes around our text stays, whatever happens to the session.
func TestWordsOfTheUser(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Plan the release").says("Planned.").notes("Changelog", "pending", "Tag it", "pending")
	s.begins(beta, widget).asks("Test it").says("Tested.")
	s.sync("two sessions")
	s.userEdits(alpha, "%% sessionloom facts", "My own thoughts: [[Some note]] and\r\nCRLF.\n\n%% sessionloom facts")
	s.sync("a text below")
	a.asks("Go on").says("Gone on.").notes("Changelog", "pending", "Tag it", "pending")
	s.sync("the session grows")
	s.shows(alpha, "Gone on.", "My own thoughts: [[Some note]] and\r\nCRLF.\n")
	s.userEdits(alpha, "- [ ] Changelog", "- [x] Changelog")
	s.sync("the user ticks a box")
	s.hides("threads", "Changelog")
	s.shows("threads", "Tag it")
	s.userEdits(alpha, `title: "Plan the release"`, `title: "My release"`)
	s.userEdits(alpha, `  - "agents/session"`, "  - \"agents/session\"\n  - mine # with a reason")
	s.userEdits(alpha, "branch: ", "rating: 5\nbranch: ")
	s.sync("another title, a tag and a property")
	s.shows("home", "| 2 Mar 2026 | [[Agents/projects/widget (octo-org)/sessions/2026-03-02 0901 Plan the release\\|My release]]")
	a.asks("And on").says("On.").notes("Tag it", "in_progress")
	a.isCalled("Release of the widget", true)
	s.sync("it grows and is renamed")
	s.shows(alpha, `title: "My release"`, "  - mine # with a reason\n", "rating: 5\n", "- [x] Changelog")
}

// Obsidian spells the properties in its own way when one of them is edited in
// its form; to us they say the same.
func TestPropertiesInObsidiansSpelling(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Plan the release").edits("parse.go").says("Planned.").notes("Tag it", "pending")
	s.begins(beta, widget).asks("Test it").edits("parse.go").says("Tested.")
	s.sync("two sessions")
	quoted := regexp.MustCompile(`(?m)^([a-z_]+: |  - )"([A-Za-z][A-Za-z0-9 ./-]*)"$`)
	text := s.noteText(alpha)
	s.userEdits(alpha, text, quoted.ReplaceAllString(text, "$1$2"))
	if r := s.sync("the quotes are gone"); len(r.Changed) > 0 {
		t.Errorf("another spelling changes %v", r.Changed)
	}
	a.asks("Go on").edits("lex.go").says("Gone on.")
	s.sync("the session grows")
	s.shows(alpha, "title: Plan the release\n", "turn_count: 2\n", "lex.go")
	s.shows("home", "| 2 Mar 2026 | [[Agents/projects/widget (octo-org)/sessions/2026-03-02 0901 Plan the release\\|Plan the release]]")
}

// A note is found by its id wherever it is in the folder; out of the folder it
// is the user's own.
func TestMovedNotes(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.")
	b := s.begins(beta, widget).asks("Test it").says("Tested.")
	s.sync("two sessions")
	s.userMoves(alpha, "Agents/Favourites/The parser.md")
	s.sync("moved inside the folder")
	s.shows("home", "[[Agents/Favourites/The parser|Write a parser]]")
	a.asks("Go on").says("Gone on.")
	s.sync("it grows where it lies")
	expect.Is(t, s.note(alpha), "Agents/Favourites/The parser.md", "the note is at")
	s.userMoves(beta, "Archive/Tests.md")
	s.sync("moved out of the folder")
	kept := s.noteText(beta)
	b.asks("Again").says("Tested again.")
	s.sync("it grows")
	if s.noteText(beta) != kept || s.note(beta) != "Archive/Tests.md" {
		t.Error("a note outside the folder was changed")
	}
	s.userMoves(beta, "Agents/Tests.md")
	s.sync("moved back")
	s.shows(beta, "Tested again.")
}

// A note that was deleted stays away until it is restored.
func TestDeletedNotes(t *testing.T) {
	s := newScenario(t)
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.")
	s.begins(beta, widget).asks("Test it").says("Tested.")
	s.sync("two sessions")
	s.userDeletes(alpha)
	s.sync("one is deleted")
	a.asks("Go on").says("Gone on.")
	s.sync("its session grows")
	if s.has(alpha) {
		t.Error("a deleted note came back")
	}
	succeeds(t, "", "restore", "session:"+alpha, "--vault", s.vault, "--state", s.vault+".state", "--copilot-home", s.home)
	s.lasting = false
	s.sync("it is asked back")
	s.shows(alpha, "Gone on.")
}

// Many missing notes are an accident until the user says otherwise.
func TestManyMissing(t *testing.T) {
	s := newScenario(t)
	s.brief = true
	for i := range 22 {
		s.begins(fmt.Sprintf("%08d-0000-4000-8000-000000000000", i), latency).asks(fmt.Sprintf("Question %d", i)).says("Answer.")
	}
	s.sync("twenty-two sessions")
	s.lasting = true
	sessions := filepath.Join(s.vault, "Agents", "projects", "*", "sessions", "*.md")
	notes := expect.Value(filepath.Glob(sessions))(s.t)
	gone := map[string]string{}
	for _, n := range notes[:21] {
		text := expect.Value(os.ReadFile(n))(s.t)
		gone[n] = string(text)
		s.check(os.Remove(n))
	}
	before := walk(t, s.vault)
	_, stderr, code := s.pass(s.vault)
	if code != exitFailed || !strings.Contains(stderr, "hint: ") || !strings.Contains(stderr, "--force") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	expect.Is(t, differences(before, walk(t, s.vault), true), "", "a held pass wrote")
	for n, text := range gone {
		s.check(os.WriteFile(n, []byte(text), 0o600))
	}
	s.lasting = false
	s.sync("they are back")
	s.lasting = true
	for n := range gone {
		s.check(os.Remove(n))
	}
	r := s.sync("deleted on purpose", "--force")
	expect.Is(t, r.Notes.Tombstoned, 21, "notes are buried")
	if left, _ := filepath.Glob(sessions); len(left) != 1 {
		t.Errorf("%d notes are left, want 1", len(left))
	}
}

// A vault whose marker is gone may be another folder, or not mounted.
func TestLostMarker(t *testing.T) {
	s := newScenario(t)
	s.brief = true
	s.begins(alpha, widget).asks("Write a parser").says("Written.")
	s.sync("a session")
	marker := filepath.Join(s.vault, "Agents", ".sessionloom", "vault.yaml")
	text := expect.Value(os.ReadFile(marker))(s.t)
	s.check(os.Remove(marker))
	before := walk(t, s.vault)
	if _, stderr, code := s.pass(s.vault); code != exitFailed || !strings.Contains(stderr, "hint: ") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	expect.Is(t, differences(before, walk(t, s.vault), true), "", "something was written")
	s.check(os.WriteFile(marker, text, 0o600))
	s.sync("the marker is back")
}

// Settings that change the rendering render all notes again.
func TestSettings(t *testing.T) {
	s := newScenario(t)
	s.begins(alpha, widget).asks("Write a parser\n\nIt should read the config.").edits("parse.go").says(strings.Repeat("A long answer. ", 200))
	s.sync("a digest")
	s.hides(alpha, strings.Repeat("A long answer. ", 190))
	s.sync("the whole conversation", "--transcript", "full")
	s.shows(alpha, strings.Repeat("A long answer. ", 190))
	s.sync("no conversation", "--transcript", "none")
	s.hides(alpha, strings.Repeat("A long answer. ", 5))
}

// A vault with thousands of notes of somebody else: none of them is touched, not
// even those that look like ours.
func TestForeignVault(t *testing.T) {
	s := newScenario(t)
	s.brief = true
	s.begins(alpha, widget).asks("Write a parser").says("Written.")
	s.sync("a session")
	ours := s.noteText(alpha)
	for i := range 3000 {
		text := fmt.Sprintf("---\ntitle: Note %d\n---\n# Note %d\n\n[[Home]] #tag\n", i, i)
		switch i % 5 {
		case 1:
			text = strings.ReplaceAll(text, "\n", "\r\n")
		case 2:
			text = "---\nid: \"note-" + fmt.Sprint(i) + "\"\ntype: \"session\"\n---\n%% sessionloom body %%\n%% /sessionloom body 0000000000000000 %%\n"
		case 3:
			text = "\ufeff---\nunterminated: [\n" + text
		}
		s.foreign(fmt.Sprintf("Notes/%02d/Note %d.md", i%40, i), text)
	}
	s.foreign(".obsidian/app.json", "{}")
	s.foreign(".obsidian/copy.md", ours)
	s.foreign(".trash/deleted.md", ours)
	s.foreign("Notes/a copy.md", ours)
	s.foreign("Agents/My index.md", "Of my own, in your folder.\n")
	s.foreign("Agents/projects/quoting.md", "> ```\n"+ours+"> ```\n")
	s.foreign("Agents/journal/2026-03-03.md", "A day of mine, where a note of yours will want to be.\n")
	for link, to := range map[string]string{"sources": s.home, "linked.md": filepath.Join(s.vault, "Notes", "a copy.md")} {
		if err := os.Symlink(to, filepath.Join(s.vault, "Agents", link)); err != nil {
			t.Logf("this system makes no links: %v", err)
		}
	}
	before := walk(t, s.vault)
	s.later(24 * time.Hour)
	s.begins(beta, widget).asks("Test it").says("Tested.")
	r, stderr, code := s.pass(s.vault)
	if code != exitDone || len(r.Problems) > 0 {
		t.Errorf("exit code %d, problems %v: %s", code, r.Problems, stderr)
	}
	wrote := map[string]bool{}
	for _, c := range r.Changed {
		wrote[c.Note] = true
	}
	now := walk(t, s.vault)
	for path, was := range before {
		if is, ok := now[path]; !ok || is.text != was.text || !is.mtime.Equal(was.mtime) {
			if !wrote[path] || noteID(was.text) == "" {
				t.Errorf("%s was touched", path)
			}
		}
	}
	for path := range now {
		if _, ok := before[path]; !ok && !wrote[path] {
			t.Errorf("%s was made", path)
		}
	}
	s.shows(beta, "Tested.")
	if _, ok := now["Agents/journal/2026-03-03 (agents).md"]; !ok || !strings.Contains(s.noteText(beta), "[[Agents/journal/2026-03-03 (agents)|") {
		t.Errorf("the day whose name is taken has no note of another name")
	}
	s.staysTheSame("the second pass", s.vault, code, now)
}

// foreign writes a file of the user, two days before the scenario begins.
func (s *scenario) foreign(name, text string) {
	s.t.Helper()
	file := filepath.Join(s.vault, filepath.FromSlash(name))
	s.check(os.MkdirAll(filepath.Dir(file), 0o700))
	s.check(os.WriteFile(file, []byte(text), 0o600))
	s.check(os.Chtimes(file, s.clock, s.clock))
	s.wrote = time.Now()
}
