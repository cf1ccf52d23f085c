package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// everywhere expects each word in at least one note and in the export; with once,
// in one note of a session alone.
func (s *scenario) everywhere(once bool, words ...string) {
	s.t.Helper()
	exported, stderr, code := runProgram(s.t, s.config, append([]string{"export"}, s.flags(s.vault)...)...)
	expect.Is(s.t, code, exitDone, "export ends with", stderr)
	notes := walk(s.t, s.vault)
	for _, w := range words {
		shown, sessions := 0, 0
		for path, f := range notes {
			if strings.HasSuffix(path, ".md") && strings.Contains(f.text, w) {
				shown++
				_, talk, _ := strings.Cut(f.text, "\n## Conversation")
				if talk, _, _ = strings.Cut(talk, "%% /sessionloom body"); strings.Contains(talk, w) {
					sessions++
				}
			}
		}
		if shown == 0 || !strings.Contains(exported, w) {
			s.t.Errorf("%q stands in %d notes, exported: %t", w, shown, strings.Contains(exported, w))
		}
		if once && sessions != 1 {
			s.t.Errorf("%q stands in the conversations of %d notes", w, sessions)
		}
	}
}

// forkOfThree is a session with three prompts, and a fork that continues.
func (s *scenario) forkOfThree() (a, b *talk) {
	a = s.begins(alpha, widget).asks("Ask appleseed").says("Say appletree.")
	a.asks("Ask bananaseed").says("Say bananatree.").compacts("Bananas", "An overview of bananas.", "Peel").plans("# Plan of bananas\n")
	a.asks("Ask cherryseed").edits("cherry.go").commits("c4e44f1", "Cherries").says("Say cherrytree.")
	b = a.forks(beta)
	b.asks("Ask dateseed").says("Say datetree.")
	return a, b
}

var inheritedWords = []string{"appleseed", "appletree", "bananaseed", "bananatree", "cherryseed", "cherrytree", "dateseed", "datetree"}

// What a fork has from its parent is in the vault as long as it is in the log
// of either, however the parent went.
func TestForkOfAParentThatForgot(t *testing.T) {
	ways := map[string]func(a *talk){
		"rewound": func(a *talk) { a.rewindsTo(1) },
		"cut": func(a *talk) {
			lines := strings.SplitAfter(a.text(a.path("events.jsonl")), "\n")
			a.write(a.path("events.jsonl"), strings.Join(lines[:3], ""))
		},
		"emptied": func(a *talk) { a.write(a.path("events.jsonl"), "") },
		"deleted": func(a *talk) { a.isDeleted() },
	}
	for _, name := range few(2, []string{"rewound", "emptied", "cut", "deleted"}) {
		goes := ways[name]
		t.Run(name+" before the first pass", func(t *testing.T) {
			t.Parallel()
			s, once := newStage(t), name != "cut" // through its first turn, of which the fork has the answer
			a, b := s.forkOfThree()
			goes(a)
			s.sync("the parent is " + name)
			s.everywhere(once, inheritedWords...)
			s.everywhere(false, "An overview of bananas.", "Plan of bananas")
			s.shows(beta, "cherry.go", "c4e44f1", "from the session it was forked from")
			b.asks("Ask elderseed").says("Say eldertree.")
			s.sync("the fork goes on")
			s.everywhere(once, append([]string{"elderseed"}, inheritedWords...)...)
		})
		t.Run(name+" after the first pass", func(t *testing.T) {
			t.Parallel()
			s, once := newStage(t), name != "cut"
			a, b := s.forkOfThree()
			s.sync("both")
			s.everywhere(true, inheritedWords...)
			s.hides(beta, "cherry", "An overview", "was forked from*")
			goes(a)
			s.lasting = name == "emptied" || name == "deleted"
			s.sync("the parent is " + name)
			s.everywhere(once, inheritedWords...)
			b.asks("Ask elderseed").says("Say eldertree.")
			s.sync("the fork goes on")
			s.everywhere(once, append([]string{"elderseed"}, inheritedWords...)...)
		})
	}
}

// A fork that continues where its parent and the ledger are gone tells all it has.
func TestForkGoesOnWithoutParentAndLedger(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a, b := s.forkOfThree()
	s.sync("both")
	a.isDeleted()
	s.lasting = true
	s.check(os.RemoveAll(s.vault + ".state"))
	s.sync("the parent and the ledger are gone")
	s.hides(beta, "appletree")
	b.asks("Ask elderseed").says("Say eldertree.")
	s.check(os.RemoveAll(s.vault + ".state"))
	s.sync("the fork goes on")
	s.everywhere(false, append([]string{"elderseed", "eldertree"}, inheritedWords...)...)
	s.shows(beta, "eldertree", "appletree")
}

// A parent that the run leaves out tells nothing.
func TestForkOfAParentThatIsExcluded(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	_, b := s.forkOfThree()
	b.write(b.path("events.jsonl"), strings.ReplaceAll(strings.ReplaceAll(b.text(b.path("events.jsonl")), "octo-org/widget", "octo-org/other"), widget, "/home/ada/src/other"))
	b.write(b.path("workspace.yaml"), strings.ReplaceAll(strings.ReplaceAll(b.text(b.path("workspace.yaml")), "octo-org/widget", "octo-org/other"), widget, "/home/ada/src/other"))
	s.later(1)
	for _, flags := range [][]string{{"--exclude-project", "widget"}, nil} {
		s.passes(s.vault, flags...)
		s.everywhere(len(flags) == 0, inheritedWords...)
		exported, _, _ := runProgram(t, s.config, append(append([]string{"export"}, s.flags(s.vault)...), flags...)...)
		for _, w := range inheritedWords {
			expect.Has(t, exported, w, flags, "not exported")
		}
	}
	s.fresh("nothing is excluded any longer", exitDone, walk(t, s.vault))
}

// Sessions that name each other as what they were forked from hide nothing.
func TestForksInACircle(t *testing.T) {
	for _, n := range []int{2, 3} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			ids := []string{alpha, beta, gamma}[:n]
			var words []string
			for i, id := range ids {
				word := fmt.Sprintf("circle%dseed", i)
				words = append(words, word)
				x := s.begins(id, widget).asks("Ask " + word).says("Say it.")
				x.log("session.info", fields{"infoType": "fork", "message": fmt.Sprintf("Forked from %q (%s) as %q (%s).", "A", ids[(i+1)%n], "B", id)})
			}
			s.sync("a circle")
			s.everywhere(true, words...)
		})
	}
}

// Rows of the store are the session where its folder holds nothing else.
func TestFolderWithoutALogHasRows(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.keepsStore()
	bare := s.begins(alpha, widget).asks("Ask appleseed").says("Say appletree.").isCalled("Of apples", true).leaves()
	bare.remove(bare.path("events.jsonl"))
	bare.remove(bare.path("checkpoints"))
	s.begins(beta, widget) // a scaffold stays one
	s.remove("session-state/" + beta + "/events.jsonl")
	s.begins(gamma, widget).asks("Ask of a deleted one").says("Deleted.").leaves().isDeleted()
	r := s.sync("rows alone")
	if r.Sessions.New != 1 || r.Sessions.Listed != 1 || r.StoreOnly != 1 {
		t.Errorf("%+v, %d of rows only", r.Sessions, r.StoreOnly)
	}
	s.everywhere(true, "appleseed", "appletree")
	s.shows(alpha, "Of apples", "octo-org/widget")
	bare.isCalled("Of pears", true)
	s.sync("it gets another name")
	s.shows(alpha, "Of pears")
	bare.asks("Ask bananaseed").says("Say bananatree.")
	s.sync("the agent writes its log again")
	s.shows(alpha, "bananaseed")
}

// What git called dirty when a prompt was typed is nobody's edit.
func TestDirtyFilesAreNoEdits(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, id := range []string{alpha, beta} {
		a := s.begins(id, widget).asks("Just a question").says("Just an answer.")
		a.write(a.path("rewind-snapshots/index.json"), `{"version":1,"snapshots":[{"snapshotId":"1","eventId":"x","userMessage":"Just a question",`+
			`"timestamp":"2026-03-02T09:01:00Z","fileCount":2,"gitBranch":"main","files":{"a":{"gitStatus":"M"},"b":{"gitStatus":"??"}}}],`+
			`"filePathMap":{"a":"`+widget+`/dirty.go","b":"`+widget+`/new/dirty.txt"}}`)
	}
	s.sync("two questions among dirty files")
	for path, f := range walk(t, s.vault) {
		expect.Lacks(t, f.text, "dirty", path, "tells of a file that nobody edited")
	}
}

// Of two chats that say the same the one with the smaller id has the note,
// whatever form their files have, and status names the other.
func TestCopiesAreLeftToOne(t *testing.T) {
	for _, forms := range [][2]string{{".json", ".json"}, {".json", ".jsonl"}, {".jsonl", ".json"}, {".jsonl", ".jsonl"}} {
		t.Run(forms[0]+" "+forms[1], func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			user := filepath.Join(t.TempDir(), "User")
			s.users = []string{user}
			for i, form := range forms {
				id := []string{alpha, beta}[i]
				chat := encode(t, fields{"version": 3, "sessionId": id, "creationDate": 1772442000000, "initialLocation": "panel", "responderUsername": "GitHub Copilot",
					"requests": []any{fields{"requestId": "request_1", "timestamp": 1772442000000, "message": fields{"text": "Ask appleseed", "parts": []any{}},
						"response": []any{fields{"value": "Say appletree."}}, "modelState": fields{"value": 1, "completedAt": 1772442005000}}}})
				if form == ".jsonl" {
					chat = `{"kind":0,"v":` + chat + "}\n"
				}
				s.put(filepath.Join(user, "workspaceStorage/0123456789abcdef0123456789abcdef/chatSessions", id+form), chat)
			}
			s.put(filepath.Join(user, "workspaceStorage/0123456789abcdef0123456789abcdef/workspace.json"), `{"folder":"file:///home/ada/lab/latency"}`)
			s.sync("two chats")
			s.everywhere(true, "appleseed", "appletree")
			s.shows(alpha, "appleseed")
			out, stderr, _ := runProgram(t, s.config, append([]string{"status", "--json"}, s.flags(s.vault)...)...)
			var status struct {
				LeftTo []struct{ Session, To string } `json:"left_to"`
			}
			if err := json.Unmarshal([]byte(out), &status); err != nil {
				t.Fatal(err, stderr)
			}
			expect.Is(t, fmt.Sprint(status.LeftTo), fmt.Sprintf("[{%s %s}]", beta, alpha), "status names")
			if out, _, _ := runProgram(t, s.config, append([]string{"status", "-v"}, s.flags(s.vault)...)...); !strings.Contains(out, beta) {
				t.Errorf("status does not name the copy:\n%s", out)
			}
		})
	}
}
