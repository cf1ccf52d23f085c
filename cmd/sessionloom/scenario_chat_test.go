package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// A chat grows as VS Code writes it: words that give way to others, tools, the
// title late. Only its own notes and the pages that list it change.
func TestChatGrows(t *testing.T) {
	s := newScenario(t)
	w := s.edition("Code").opens(widget)
	a := w.chat(alpha)
	b := w.chat(beta).asks("Which callers are left?").says("None.")
	s.sync("one was opened, one answered")
	if s.has(alpha) {
		t.Error("a chat without a prompt has a note")
	}
	a.asks("Write a parser for the config").mutters("I'll ")
	s.sync("an answer begins")
	a.edits("parse.go").runs("go test ./...", 1).says("I'll write it. It reads every key.")
	s.sync("the answer is whole")
	a.isCalled("Config parser")
	w.indexes()
	s.sync("it gets a title, and an index lists both")
	s.shows(alpha, `title: "Config parser"`, "It reads every key.")
	s.hides(alpha, "I'll I'll", "half a tho", "what a tool printed", "current date")
	b.asks("And in the tests?").edits("parse_test.go").says("One. It is gone.")
	s.sync("the other one goes on")
}

// What its user took back is not told; a compaction tells nothing new.
func TestChatRewound(t *testing.T) {
	s := newScenario(t)
	a := s.edition("Code").opens(widget).chat(alpha)
	a.asks("Write a parser").edits("parse.go").says("Written.").asks("Use a library").edits("library.go").says("Used one.").transcribes()
	s.sync("two prompts")
	a.rewindsTo(1)
	s.sync("the second was taken back")
	a.asks("Use no library").edits("parse.go").says("Used none.")
	s.sync("another one instead")
	s.hides(alpha, "Used one.", "library.go")
	s.shows(alpha, "Used none.")
	before := s.last
	a.compacts()
	if r := s.sync("the log is compacted"); len(r.Changed) > 0 || differences(before, s.last, true) != "" {
		t.Errorf("a compaction changes %v", r.Changed)
	}
	a.asks("Anything else?").says("No.")
	s.sync("and goes on")
	s.shows(alpha, "turn_count: 3")
}

// The edition is upgraded: the old object stays behind and is no longer told.
func TestChatUpgraded(t *testing.T) {
	s := newScenario(t)
	a := s.edition("Code").opens(latency).oldChat(alpha)
	a.asks("How fast is it?").says("Fast.").isCalled("How fast")
	s.sync("one object")
	before := s.last
	a.upgrades()
	s.sync("a log beside it")
	if s.last[s.note(alpha)].text == before[s.note(alpha)].text {
		t.Error("the note does not name its new layer")
	}
	a.asks("And now?").says("Faster.")
	s.sync("the log grows")
	s.shows(alpha, "turn_count: 2", "Faster.")
	a.check(os.Remove(a.file(".json")))
	s.lasting = true
	s.sync("the object goes")
}

// A chat ends as chats do: cancelled, failed, still at it.
func TestChatEnds(t *testing.T) {
	s := newScenario(t)
	w := s.edition("Code").opens(widget)
	a := w.chat(alpha).asks("Count to a million").mutters("1, 2, ")
	a.ends(fields{"value": 2, "completedAt": a.clock.UnixMilli()}, fields{"message": "Canceled", "code": "canceled"})
	a.asks("Count to ten").ends(fields{"value": 3, "completedAt": a.clock.UnixMilli()}, fields{"message": "Sorry, you have been rate-limited.", "isRateLimited": true})
	a.asks("Are you there?")
	s.sync("cancelled, failed and pending")
	a.says("Yes.")
	s.sync("the last one is answered")
	s.shows(alpha, "Count to a million", "rate-limited", "Yes.")
}

// The file of transcripts and the memory of a session are kept for days only;
// what they told stays told.
func TestChatOutlivesWhatExpires(t *testing.T) {
	s := newScenario(t)
	w := s.edition("Code").opens(widget)
	a := w.chat(alpha).asks("Plan the release").says("Planned.").transcribes()
	a.remembers("plan.md", "# Release\n\n- [x] Changelog\n- [ ] Tag it\n").remembers("who asks.md", "Operators first.\n")
	b := w.chat(beta).asks("Whose transcript is this?").edits("main.go").says("Mine.").transcribes()
	b.check(os.Remove(b.log()))
	s.sync("one has a plan, of one only a transcript is left")
	s.shows(alpha, "Saved: ")
	s.shows(beta, "Mine.")
	s.lasting = true
	before := s.last
	a.losesTranscript().forgets()
	b.losesTranscript()
	if r := s.sync("transcripts and memories are gone"); len(r.Changed) > 0 || differences(before, s.last, true) != "" {
		t.Errorf("it changes %v", r.Changed)
	}
	a.asks("Tag it").says("Tagged.")
	s.sync("the chat goes on")
	s.shows(alpha, "turn_count: 2", "Tagged.", "Saved: ")
}

// What is remembered of a repository and of a person are notes of their own.
func TestChatMemories(t *testing.T) {
	s := newScenario(t)
	e := s.edition("Code")
	w := e.opens(widget)
	w.chat(alpha).asks("Remember how to build").says("I will.")
	w.remembers("build.md", "Run `make all`, never `make`.\n")
	w.remembers("facts.json", `[{"subject": "tests", "fact": "Tests need -race.", "citations": "Makefile:3", "reason": "data races", "category": "general"}]`)
	e.remembers("preferences.md", "Short answers.\n")
	s.sync("three memories")
	w.remembers("build.md", "Run `make`.\n")
	s.sync("one changes")
	s.check(os.Remove(w.extension("memory-tool/memories/repo/facts.json")))
	s.lasting = true
	s.sync("one is gone")
}

// Notes show which edits the user kept or undid.
func TestChatEditsSettled(t *testing.T) {
	s := newScenario(t)
	a := s.edition("Code").opens(widget).chat(alpha)
	a.asks("Tidy up").edits("main.go").says("Tidied.")
	s.sync("edited")
	a.settles("main.go", 2)
	s.sync("undone by its user")
	a.asks("Then the parser").edits("parse.go").says("Tidied.").settles("parse.go", 1)
	s.sync("another one, kept")
}

// A chat that is exported, and exported again when it is longer, is one note; so
// is an export whose chat is found later.
func TestChatExported(t *testing.T) {
	s := newScenario(t)
	dir := filepath.Join(s.t.TempDir(), "exports")
	s.exports = []string{dir}
	elsewhere := s.edition("Code") // of another machine, not read
	s.users = nil
	a := elsewhere.opens(latency).chat(alpha).asks("How fast is it?").says("Fast.").isCalled("How fast")
	b := elsewhere.opens(widget).chat(beta).asks("Is it tested?").says("It is.")
	a.exports(dir, "chat.json")
	b.exports(dir, "chat (1).json")
	s.sync("two exports")
	a.asks("And now?").says("Faster.")
	a.exports(dir, "chat-longer.json")
	s.sync("a longer one beside it")
	expect.Is(t, s.sessions(), 2, "notes of sessions")
	s.users = []string{elsewhere.user}
	s.sync("their chats are found")
	expect.Is(t, s.sessions(), 2, "notes of sessions")
	s.shows(alpha, `title: "How fast"`, "Faster.")
	a.asks("Thanks").says("My pleasure.")
	s.sync("a chat goes on")
	s.shows(alpha, "turn_count: 3")
}

// sessions counts the notes of sessions.
func (s *scenario) sessions() (n int) {
	for _, f := range s.last {
		if strings.HasPrefix(noteID(f.text), "session:") {
			n++
		}
	}
	return n
}

// A window whose folder becomes part of a workspace gets copies of its chats;
// the copy that continues is the session.
func TestChatPromoted(t *testing.T) {
	s := newScenario(t)
	e := s.edition("Code")
	w := e.opens(widget)
	a := w.chat(alpha).asks("Write a parser").edits("parse.go").says("Written.")
	s.sync("in its folder")
	before := s.note(alpha)
	joined := e.joins("/home/ada/src/all.code-workspace")
	w.isCopiedTo(joined)
	s.sync("and in a workspace")
	copied := joined.chats[0]
	copied.folder = a.folder
	copied.asks("Go on").says("Gone on.")
	s.sync("where it goes on")
	if n := s.sessions(); n != 1 || s.note(alpha) != before {
		t.Errorf("%d notes of one session, the first one now %s", n, s.note(alpha))
	}
	s.shows(alpha, "turn_count: 2", "Gone on.")
}

// Pasted images are kept only where the user asks for it; one that was deleted
// does not come back.
func TestChatImages(t *testing.T) {
	s := newScenario(t)
	content := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00")
	a := s.edition("Code").opens(widget).chat(alpha)
	a.asks("What is wrong here?", picture("screenshot.png", content), fields{"kind": "file", "id": "f", "name": "main.go", "value": uriOf(widget + "/main.go")}).says("The colours.")
	s.sync("images stay out")
	s.shows(alpha, "screenshot.png", "main.go")
	s.hides(alpha, "![[")
	s.config = "sources: {vscode: {images: true}}\n"
	s.sync("they are asked for", "--full")
	images := expect.Value(filepath.Glob(filepath.Join(s.vault, "Agents", "projects", "*", "attachments", "*.png")))(s.t)
	if len(images) != 1 {
		t.Fatalf("%d images in the vault", len(images))
	}
	if text, err := os.ReadFile(images[0]); err != nil || string(text) != string(content) {
		t.Errorf("the image is %q, %v", text, err)
	}
	s.shows(alpha, "![[")
	s.check(os.Remove(images[0]))
	s.lasting = true
	a.asks("Thanks").says("My pleasure.")
	s.sync("its user deleted it, and the chat goes on")
	if _, err := os.Stat(images[0]); err == nil {
		t.Error("a deleted image came back")
	}
}

// Two editions have one folder, and so one hash, and chats of their own; one
// chat was carried over by hand.
func TestChatsOfTwoEditions(t *testing.T) {
	s := newScenario(t)
	stable, insiders := s.edition("Code"), s.edition("Code - Insiders")
	one, two := stable.opens(widget), insiders.opens(widget)
	one.chat(alpha).asks("Write a parser").says("Written.")
	two.chat(beta).asks("Test the parser").says("Tested.")
	stable.opensNothing().chat(gamma).asks("What is a monad?").says("A burrito.")
	one.remembers("build.md", "Run `make`.\n")
	two.remembers("build.md", "Run `make`.\n")
	two.remembers("tests.md", "Use -race.\n")
	s.sync("three chats")
	one.isCopiedTo(two)
	s.sync("one was carried over")
	expect.Is(t, s.sessions(), 3, "notes of sessions")
}

// The CLI run from VS Code: one session, called as its user called it there.
func TestChatOfTheCLI(t *testing.T) {
	s := newScenario(t)
	s.keepsStore()
	e := s.edition("Code")
	w := e.opens(widget)
	a := s.begins(alpha, widget).asks("Why is this so").edits("parse.go").says("For reasons.").isCalled("Reasons", false)
	s.sync("the CLI alone")
	e.hosts(alpha, widget, "Why it is so")
	w.others = []fields{entry("copilotcli:/"+alpha, "Why it is so", a.began, a.clock), entry("copilotcli:/"+gamma, "Long gone", a.began, a.clock)}
	w.indexes()
	c := &chat{window: w, uuid: alpha}
	w.put(w.extension("memory-tool/memories/"+alpha+"/notes.md"), "Reasons are in parse.go.\n")
	s.sync("VS Code knows of it")
	s.shows(alpha, `title: "Why it is so"`, "agent: ")
	expect.Is(t, s.sessions(), 1, "notes of sessions")
	c.began = c.clock
	a.later(time.Minute)
	a.asks("Go on").says("Gone on.")
	s.sync("it goes on")
	s.shows(alpha, "turn_count: 2")
}
