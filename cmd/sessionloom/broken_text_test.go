package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// wholeTexts reads the files of a folder by name, however long they are.
func wholeTexts(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for name := range walk(t, dir) {
		text := expect.Value(os.ReadFile(filepath.Join(dir, name)))(t)
		all[name] = string(text)
	}
	return all
}

// bothOf reads the files of the vault and of the state folder, by name.
func (s *scenario) bothOf() map[string]string {
	all := map[string]string{}
	for _, dir := range []string{s.vault, s.vault + ".state"} {
		for name, text := range wholeTexts(s.t, dir) {
			all[filepath.Base(dir)+"/"+name] = text
		}
	}
	return all
}

// printed runs commands and returns all that they print.
func (s *scenario) printed(commands ...string) map[string]string {
	all := map[string]string{}
	for _, c := range commands {
		words := strings.Fields(c)
		stdout, stderr, _ := runProgram(s.t, s.config, slices.Concat(words[:1], s.flags(s.vault), words[1:])...)
		all[c] = stdout + stderr
	}
	return all
}

// Names of sessions, files and rows are in the ids of notes, where they do nothing:
// no template, no line end, no length. Each still has a note of its own.
func TestNamesInIDsDoNothing(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.keepsStore()
	for i, name := range []string{"<% tp.file.title %>", "<%tp.file.title%>", "a\nb", "x~0123456789abcdef", "[[Home]]", strings.Repeat("n", 240), "\xff", "t\u202eh"} {
		c := s.begins(name+strings.Repeat(" ", max(0, 8-len(name))), widget)
		c.asks("Prompt of session " + string(rune('A'+i))).says("Done.").leaves()
	}
	c := s.begins(alpha, widget)
	c.asks("Keep them.").says("Kept.").compacts("Halfway", "Half is done.", "The rest.")
	c.write(c.path("files/<% y %>.md"), "text of a hostile name")
	c.write(c.path("files/y.md"), "text of a plain name")
	c.write(c.path("files/<%  y  %>.md"), "text of another hostile name")
	c.write(c.path("research/k:: v ]] <% z %>\n.md"), "text of research")
	c.leaves()
	for i, name := range []string{"<% row %>", "row\nend", strings.Repeat("r", 100_000)} {
		s.rows.exec("INSERT INTO dynamic_context_items (repository, branch, src, name, content) VALUES ('octo-org/widget', 'main', 'memory', ?, ?)", name, "text of row "+string(rune('1'+i)))
	}
	s.passes(s.vault)
	all, ids := "", map[string]string{}
	for name, f := range walk(t, s.vault) {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		id := noteID(f.text)
		if other, twice := ids[id]; twice {
			t.Errorf("%q and %q have the id %q", name, other, id)
		}
		ids[id], all = name, all+f.text
		if strings.Contains(f.text, "<%") || strings.Contains(id, "[[") || strings.Contains(id, `\`) || len(id) > 300 {
			t.Errorf("%q: id %q", name, id)
		}
	}
	for _, words := range []string{"session A", "session B", "session C", "session D", "session E", "session F", "session G", "session H",
		"text of a hostile name", "text of a plain name", "text of another hostile name", "text of research", "text of row 1", "text of row 2", "text of row 3"} {
		expect.Has(t, all, words, "in no note")
	}
	if _, plain := ids["memory:"+alpha+":file/y.md"]; !plain {
		t.Error("a plain name does not stand in its id as it is")
	}
	if out := s.printed("check --full")["check --full"]; strings.Contains(out, "would act") || strings.Contains(out, "secret") {
		t.Error(out)
	}
	if r, stderr, code := s.pass(s.vault); code != exitDone || len(r.Changed) > 0 {
		t.Errorf("a further pass: exit code %d, %v: %s", code, r.Changed, stderr)
	}
}

// A text of one line is bounded wherever it stands; what was said stays whole.
func TestLongLinesAreBounded(t *testing.T) {
	t.Parallel()
	const lineBound = 2500 // the most that a line of frontmatter may have, in bytes
	s := newStage(t)
	long := strings.Repeat("a very long name ", 125_000)
	wall := strings.Repeat("w", 300_000)
	c := s.begins(alpha, widget)
	c.asks("The prompt of the session: " + strings.Repeat("word ", 20_000) + "and its end.").edits("src/" + wall + ".go").says("Done.")
	c.log("session.model_change", fields{"newModel": wall})
	c.log("session.context_changed", fields{"cwd": widget, "branch": wall})
	c.notes(wall, "pending", long, "done").leaves()
	c.isCalled("Renamed "+long, true)
	s.passes(s.vault)
	for name, text := range wholeTexts(t, s.vault) {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		block, _, _ := strings.Cut(text, "\n---\n")
		for line := range strings.Lines(block) {
			if len(line) > lineBound {
				t.Errorf("%q: %d bytes in a line: %.50q", name, len(line), line)
			}
		}
		most := 20_000
		if noteID(text) == "session:"+alpha {
			most = 160_000
			expect.Has(t, text, "and its end.", "the prompt is not whole")
		}
		if len(text) > most {
			t.Errorf("%q has %d bytes", name, len(text))
		}
	}
}

// A secret in the name of a session, a chat or a file that cannot be read is shown
// nowhere: not in notes, not by any command, not in what is remembered. The ids
// made of it are the same in each run, and two stay two.
func TestSecretsInNamesAreMasked(t *testing.T) {
	t.Parallel()
	const one, other = "ghp_" + "Q9w8E7r6T5y4U3i2O1p0A9s8D7f6G5h4J3k2", "ghp_" + "Z1x2C3v4B5n6M7q8W9e0R1t2Y3u4I5o6P7a8"
	s := newStage(t)
	for _, name := range []string{"run-" + one, "run-" + other, one} {
		c := s.begins(name, widget)
		c.asks("Run it.").says("It ran.").compacts("Halfway", "Half.", "Rest.").plans("# The plan\n\nGo.")
		c.extend(c.path("events.jsonl"), "{torn")
	}
	s.check(os.MkdirAll(filepath.Join(s.home, "session-state", "bad-"+other, "events.jsonl"), 0o700))
	w := s.edition("Code").opens("/home/ada/lab/" + one)
	w.chat("chat-"+one).asks("Hello?").says("Hi.").remembers(other+".md", "kept")
	w.put(w.path("chatSessions/"+other+".jsonl"), "{broken")
	r, stderr, code := s.pass(s.vault)
	if code == exitFailed {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	texts := s.printed("sync -v", "status -v", "export", "sources", "sources --json", "check --full")
	texts["sync"] = stderr + encode(t, r)
	for name, text := range s.bothOf() {
		texts[name] = name + text
	}
	for where, text := range texts {
		for _, random := range []string{one[4:], other[4:]} {
			if i := strings.Index(strings.ToLower(text), strings.ToLower(random[:12])); i >= 0 {
				t.Errorf("%s holds a token: %q", where, text[max(0, i-100):i])
			}
		}
	}
	ids := map[string]bool{}
	for _, f := range walk(t, s.vault) {
		if id := noteID(f.text); strings.HasPrefix(id, "session:copilot-cli:") {
			ids[id] = true
		}
	}
	expect.Is(t, len(ids), 3, "three sessions have the ids", ids)
	s.check(os.RemoveAll(s.vault + ".state")) // another key
	if r, stderr, _ := s.pass(s.vault); len(r.Changed) > 0 {
		t.Errorf("with another ledger: %v: %s", r.Changed, stderr)
	}
}

// The token of a bot of Telegram is known by its shape.
func TestBareBotTokenIsMasked(t *testing.T) {
	t.Parallel()
	const token = "123456789:AA" + "F8hGk2LmN4pQr6StUv8WxYz0aBcDeFgHi"
	s := newStage(t)
	c := s.begins(alpha, widget)
	c.asks("use "+token+" now").says("The bot answers to "+token+".").isCalled("bot "+token, true).leaves()
	s.pass(s.vault)
	for name, text := range s.bothOf() {
		expect.Lacks(t, text, token[12:], name, "holds the token")
	}
	expect.Has(t, s.noteText(alpha), "[redacted:telegram-token#1]")
}

// A rule that is added masks names that are kept and shown already, also of a
// session whose history is gone.
func TestAddedRuleMasksNames(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	for _, name := range []string{"run-zebra111111-x", "run-zebra222222-x", "gone-zebra333333"} {
		c := s.begins(name, widget)
		c.asks("Prompt in "+name[:4]).says("Done.").compacts("Halfway", "Half.", "Rest.").plans("# The plan of " + name[:4] + "\n\nGo.")
		c.leaves()
	}
	s.pass(s.vault)
	s.check(os.RemoveAll(filepath.Join(s.home, "session-state", "gone-zebra333333")))
	s.pass(s.vault)
	s.config = "redact:\n  rules:\n    - {name: zebra, pattern: 'zebra[0-9]{6}', keywords: [zebra]}\n"
	if _, stderr, code := s.pass(s.vault); code != exitDone {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	texts, sessions := s.printed("status -v", "export", "check --full"), 0
	for name, text := range s.bothOf() {
		texts[name] = name + text
		if strings.HasPrefix(noteID(text), "session:copilot-cli:") {
			sessions++
		}
	}
	for where, text := range texts {
		if i := strings.Index(text, "zebra"); i >= 0 && (strings.Contains(text, "zebra1") || strings.Contains(text, "zebra2") || strings.Contains(text, "zebra3")) {
			t.Errorf("%s: %q", where, text[max(0, i-100):min(len(text), i+40)])
		}
	}
	expect.Is(t, sessions, 3, "notes of 3 sessions")
	if r, stderr, code := s.pass(s.vault); code != exitDone || len(r.Changed) > 0 {
		t.Errorf("a further pass: exit code %d, %v: %s", code, r.Changed, stderr)
	}
}

// quotedBlock is a block to copy: nothing in it acts.
var quotedBlock = regexp.MustCompile("(?s)> ```text\n.*?\n> ```\n")

// What is beside a secret makes no link, picture or definition of its mask.
func TestMasksMakeNoLinks(t *testing.T) {
	t.Parallel()
	const token = "ghp_" + "Q9w8E7r6T5y4U3i2O1p0A9s8D7f6G5h4J3k2"
	text := token + "(javascript:alert(1)) and !" + token + "(https://example.com/x.png) and [" + token + "] and ^" + token + "\n\n" + token + ": https://example.com/x\n"
	s := newStage(t)
	c := s.begins(alpha, widget)
	c.asks(text).says(text).compacts(token, text, text).commits("abc1234", token+" #12")
	c.saves(token+"(k:: v).md", text).plans(text).isCalled(token+"(x)", true).leaves()
	s.pass(s.vault)
	s.judged(t)
	for name, text := range wholeTexts(t, s.vault) {
		_, body, _ := strings.Cut(text, "\n---\n")
		body = quotedBlock.ReplaceAllString(body, "")
		if i := strings.Index(body, "](javascript"); i >= 0 {
			t.Errorf("%q: %q", name, body[max(0, i-40):i+30])
		}
	}
}
