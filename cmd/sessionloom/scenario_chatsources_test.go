package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// everywhere is one session in everything that may tell of it, and how to take
// each away.
func everywhere(s *scenario) map[string]func() error {
	s.t.Helper()
	s.keepsStore()
	cli := s.begins(alpha, widget).asks("Write a parser for the config").edits("parse.go").says("Written, with tests.").isCalled("Parser", false)
	cli.leaves()
	e := s.edition("Code")
	w := e.opens(widget)
	a := w.oldChat(alpha)
	a.asks("Write a parser for the config").edits("parse.go").says("Written, with tests.").isCalled("Config parser")
	a.upgrades()
	a.asks("And a benchmark").edits("parse_test.go").says("It takes 3 ms.")
	a.transcribes().remembers("plan.md", "- [ ] Publish it\n").settles("parse_test.go", 1)
	w.indexes()
	e.storesRows(a)
	dir := filepath.Join(s.t.TempDir(), "exports")
	a.exports(dir, "chat.json")
	s.exports = []string{dir}
	remove := func(path string) func() error {
		return func() error {
			if _, err := os.Lstat(path); err != nil {
				return err
			}
			return os.RemoveAll(path)
		}
	}
	return map[string]func() error{
		"log":        remove(a.log()),
		"object":     remove(a.file(".json")),
		"transcript": remove(a.extension("transcripts")),
		"memory":     remove(a.extension("memory-tool")),
		"edits":      remove(w.path("chatEditingSessions")),
		"index":      remove(w.path("state.vscdb")),
		"workspace":  remove(w.path("workspace.json")),
		"store":      remove(filepath.Join(e.user, "globalStorage")),
		"export":     remove(dir),
		"cli":        remove(filepath.Join(s.home, "session-state")),
	}
}

// However many tell of a session, it is one note; and whichever of them goes,
// and whenever the ledger is lost, nothing that was written changes.
func TestChatOutlivesItsSources(t *testing.T) {
	t.Parallel()
	worst := strings.Fields("index store edits memory export transcript object workspace cli log")
	best := slices.Clone(worst)
	slices.Reverse(best)
	for _, order := range few(2, [][]string{
		worst,
		strings.Fields("log workspace object transcript export cli store index memory edits"),
		best,
		strings.Fields("cli transcript log export index object store workspace memory edits"),
	}) {
		t.Run(order[0]+" first", func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.lasting = true
			removals := everywhere(s)
			s.sync("all is there")
			if n := s.sessions(); n != 1 {
				t.Fatalf("%d notes of one session", n)
			}
			s.shows(alpha, "turn_count: 2", "3 ms", `title: "Config parser"`, "|Plan")
			before := s.last
			if len(order) != len(removals) {
				t.Fatalf("the order names %d of %d", len(order), len(removals))
			}
			for _, what := range order {
				s.check(removals[what]())
				s.sync("without " + what)
				if d := differences(before, s.last, true); d != "" {
					t.Fatalf("without %s (of %q):\n%s", what, order, d)
				}
			}
		})
	}
}

// A ledger that is lost while a session continues elsewhere: what tells of it now
// knows all the note was made from.
func TestChatGoesOnWhileTheLedgerIsLost(t *testing.T) {
	t.Parallel()
	for name, happens := range map[string]func(a *chat){
		"in a log":          func(a *chat) { a.upgrades().asks("And a benchmark").says("It takes 3 ms.") },
		"with a transcript": func(a *chat) { a.asks("And a benchmark").says("It takes 3 ms.").transcribes() },
		"with an index":     func(a *chat) { a.asks("And a benchmark").says("It takes 3 ms.").indexes() },
		"renamed":           func(a *chat) { a.asks("And a benchmark").says("It takes 3 ms.").isCalled("Parser").indexes() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			a := s.edition("Code").opens(widget).oldChat(alpha).asks("Write a parser").says("Written.").transcribes()
			a.indexes()
			s.sync("one prompt")
			happens(a)
			s.check(os.RemoveAll(s.vault + ".state"))
			s.sync("it went on, the ledger is lost")
			s.shows(alpha, "turn_count: 2", "3 ms")
		})
	}
}

// In whatever order what tells of a session is found, it is one note, and the
// same.
func TestChatIsTheSameInEveryOrder(t *testing.T) {
	t.Parallel()
	var notes []string
	for _, first := range few(3, []string{"log", "object", "transcript", "export", "cli", "store"}) {
		s := newStage(t)
		removals := everywhere(s)
		all := []string{s.home}
		all = append(all, s.users...)
		all = append(all, s.exports...)
		saved := filepath.Join(t.TempDir(), "aside")
		for i, root := range all {
			copyTree(t, root, filepath.Join(saved, string(rune('a'+i))))
			keepTimes(t, root, filepath.Join(saved, string(rune('a'+i))))
		}
		for _, what := range slices.Sorted(maps.Keys(removals)) {
			if what != first {
				s.check(removals[what]())
			}
		}
		s.pass(s.vault)
		for i, root := range all {
			s.check(os.RemoveAll(root))
			s.check(os.Rename(filepath.Join(saved, string(rune('a'+i))), root))
		}
		s.sync("all is there, after the " + first)
		expect.Is(t, s.sessions(), 1, first, "first", "notes of one session")
		notes = append(notes, s.noteText(alpha))
		expect.Is(t, hunks(t, notes[0], notes[len(notes)-1]), "", first, "first gives another note")
	}
}

// A workspace of several folders is a project of its own that links those of its
// folders; one of a single folder is that folder's.
func TestWorkspaceOfSeveralFolders(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	e := s.edition("Code")
	dir := t.TempDir()
	api, site := filepath.Join(dir, "api"), filepath.Join(dir, "site")
	e.opens(api).chat(alpha).asks("Which routes are there?").says("Two.")
	both, single := filepath.Join(dir, "both.code-workspace"), filepath.Join(dir, "single.code-workspace")
	e.put(both, `{
		// as VS Code writes it
		"folders": [{"path": "api"}, {"path": "site",},],
	}`)
	e.put(single, encode(t, fields{"folders": []any{fields{"path": site}}}))
	e.joins(both).chat(beta).asks("Link the routes").says("Linked.")
	e.joins(single).chat(gamma).asks("Write the page").says("Written.")
	s.sync("three windows")
	projects := map[string]string{}
	for _, id := range []string{alpha, beta, gamma} {
		_, key, _ := strings.Cut(s.noteText(id), " ¦ project ")
		projects[id], _, _ = strings.Cut(key, " ¦")
	}
	for id, name := range map[string]string{alpha: "folder/api-", beta: "folder/both-", gamma: "folder/site-"} {
		if !strings.HasPrefix(projects[id], name) {
			t.Errorf("%s is in the project %q, want %s…", id, projects[id], name)
		}
	}
	text := s.noteText("project:" + projects[beta])
	for _, folder := range []string{"api", "site"} {
		if !strings.Contains(text, "[[Agents/projects/"+folder+" (") {
			t.Errorf("the project's page does not link %s:\n%s", folder, text)
		}
	}
}
