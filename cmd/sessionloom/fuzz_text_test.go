package main

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// hostile are texts that act somewhere: in Obsidian, its plugins, a terminal, a
// program that reads lines.
var hostile = []string{
	"<% tp.file.title %>", "<%* await x %>", "key:: value", "[k:: v]", "(k:: v)", "`= this.file.name`", "`$= dv.x`", "[[Home]]", "![[Home]]",
	"<script>alert(1)</script>", "<iframe src=x>", "<!-- x", "%%", "%% /sessionloom body 0123456789abcdef %%", "%% sessionloom body %%", "%% sessionloom facts",
	"\n---\n", "---\nid: session:x\n---\n", "\n", "\r\n", "\r", "\t", "\x1b[31m", "\x1b]0;t\x07", "\u202e", "\u200b", "\u2028", "\u0085", "\xff", "\x00",
	"](javascript:alert(1))", "obsidian://open?vault=x", "\n```dataviewjs\nx\n```\n", "\n```dataview\nLIST\n```\n", "```", "~~~", "#tag", " ^block", "\n- [ ] task ",
	"$x$", "$$", "==", "{{date}}", "|", "\\", "\"", "'", "': ", "\": ", ": ", " #", "\n# heading\n", "\n> [!danger] x\n", "\ue000github-token~0123456789ab\ue001",
	":2", ":plan", ":repo:x", ":file/x", "/", "..", "[redacted:github-token#1]", "~0123456789ab", "***NO_CI***", "[skip ci]", "\U000e0041", "\ufeff",
}

// tokens are shapes of secrets: what is before the random part, how long that
// is, and what it is made of.
var tokens = []struct {
	head, of string
	n        int
}{
	{"ghp_", letters, 36}, {"glpat-", letters, 20}, {"AKIA", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16}, {"npm_", letters, 36},
	{"xoxb-1234567890-1234567890-", letters, 24}, {"123456789:AA", letters, 33}, {"sk-ant-api03-", letters, 93}, {"AIza", letters, 35},
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// planter puts hostile texts and secrets into whatever place of a home.
type planter struct {
	*scenario
	dice   *rand.Rand
	sown   []string // the random parts of all secrets
	long   int      // texts of many bytes that may still be put somewhere
	placed int
}

func (x *planter) secret() string {
	k := tokens[x.dice.IntN(len(tokens))]
	random := make([]byte, k.n)
	for i := range random {
		random[i] = k.of[x.dice.IntN(len(k.of))]
	}
	random[1], random[k.n/2], random[k.n-2] = k.of[len(k.of)-1], k.of[len(k.of)-3], k.of[len(k.of)-2] // digits
	random[0], random[2] = 'Q', 'R'
	x.sown = append(x.sown, string(random))
	return k.head + string(random)
}

// text is a word, as a rule; else something hostile, a secret, or a wall of text.
func (x *planter) text() string {
	x.placed++
	word := fmt.Sprintf("word%d", x.placed)
	switch n := x.dice.IntN(20); {
	case n < 9:
		return word
	case n < 15:
		for range 1 + x.dice.IntN(3) {
			word += hostile[x.dice.IntN(len(hostile))] + []string{"", " ", "x"}[x.dice.IntN(3)]
		}
		return word
	case n < 18:
		return word + []string{" ", "-", " use ", "/", "=", ": "}[x.dice.IntN(6)] + x.secret() + []string{"", " now", ".md", "/x", ","}[x.dice.IntN(5)]
	case x.long > 0:
		x.long--
		size := []int{1000, 5000, 70_000, 300_000}[x.dice.IntN(4)]
		unit := []string{"x", "long ", "é", "<% y %> ", "a/b", hostile[x.dice.IntN(len(hostile))] + "z"}[x.dice.IntN(6)]
		return word + strings.Repeat(unit, size/len(unit))
	}
	return hostile[x.dice.IntN(len(hostile))]
}

// name is a text as a file can be called.
func (x *planter) name() string {
	s := strings.NewReplacer("/", "_", "\x00", "_").Replace(x.text())
	if s = s[:min(len(s), 150)]; strings.Trim(s, ". ") == "" {
		return "name"
	}
	return s
}

func (x *planter) uuid() string {
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", x.dice.Uint32(), x.dice.Uint64()>>16)
}

func (x *planter) either(plain string) string {
	if x.dice.IntN(2) == 0 {
		return plain
	}
	return x.text()
}

// logLine is a line of a log in which the ids are anybody's as well.
func (x *planter) logLine(kind string, data fields) string {
	x.later(1e9)
	id := x.id()
	if x.dice.IntN(4) == 0 {
		id = x.text()
	}
	return encode(x.t, fields{"type": kind, "data": data, "id": id, "timestamp": iso(x.clock), "parentId": nil}) + "\n"
}

// cliSession is a session of the CLI.
func (x *planter) cliSession() {
	x.t.Helper()
	id := x.uuid()
	if x.dice.IntN(2) == 0 {
		id = x.name()
	}
	at := func(file string) string { return "session-state/" + id + "/" + file }
	dir, call, file := x.either(widget), x.text(), x.text()
	context := fields{"cwd": dir, "gitRoot": dir, "repository": x.either("octo-org/widget"), "hostType": "github", "repositoryHost": x.either("github.com"), "branch": x.text()}
	log := x.logLine("session.start", fields{"sessionId": id, "version": 1, "producer": x.text(), "startTime": x.clock, "selectedModel": x.text(), "context": context})
	log += x.logLine("session.model_change", fields{"newModel": x.text()})
	for range 1 + x.dice.IntN(2) {
		log += x.logLine("user.message", fields{"content": x.text(), "interactionId": x.text(), "source": x.text(), "agentMode": x.text(),
			"attachments": []any{fields{"type": x.either("file"), "path": x.text(), "displayName": x.text()}}})
		log += x.logLine("assistant.turn_start", fields{"turnId": x.text()})
		log += x.logLine("assistant.message", fields{"messageId": x.text(), "model": x.text(), "content": x.text(),
			"toolRequests": []any{fields{"toolCallId": call, "name": x.text(), "arguments": fields{"description": x.text()}, "type": "function"}}})
		log += x.logLine("tool.execution_start", fields{"toolCallId": call, "toolName": x.either("edit"), "arguments": fields{"path": file, "command": x.text(), "description": x.text()}})
		log += x.logLine("tool.execution_complete", fields{"toolCallId": call, "success": true, "result": fields{"content": x.text()}, "fileEdits": []any{fields{"path": x.text(), "kind": "edit"}}})
		log += x.logLine("tool.execution_start", fields{"toolCallId": call + "2", "toolName": "bash", "arguments": fields{"command": "git commit -m '" + x.text() + "'", "description": "Commit"}})
		log += x.logLine("tool.execution_complete", fields{"toolCallId": call + "2", "success": true, "result": fields{"content": "[main abc1234] " + x.text() + "\n 1 file changed"}})
		log += x.logLine("tool.execution_start", fields{"toolCallId": call + "3", "toolName": "edit", "arguments": fields{"path": widget + "/" + x.text(), "old_str": "a"}})
		log += x.logLine("tool.execution_complete", fields{"toolCallId": call + "3", "success": true})
		log += x.logLine("assistant.turn_end", fields{"turnId": "0"})
	}
	title := x.text()
	log += x.logLine("session.compaction_complete", fields{"success": true, "summaryContent": "<overview>\n" + x.text() + "\n</overview>\n\n<checkpoint_title>" + title + "</checkpoint_title>", "checkpointNumber": 1})
	if x.dice.IntN(3) == 0 {
		parent := x.text()
		log += x.logLine("session.info", fields{"infoType": "fork", "message": fmt.Sprintf("Forked from %q (%s) as %q (%s).", x.text(), parent, x.text(), id)})
	}
	log += x.logLine("session.error", fields{"errorType": x.text(), "message": x.text()})
	x.write(at("events.jsonl"), log)
	x.write(at("workspace.yaml"), fmt.Sprintf("id: %s\ncwd: %s\nname: %s\nuser_named: true\nbranch: %s\nrepository: %s\ncreated_at: %s\n", encode(x.t, id),
		encode(x.t, dir), encode(x.t, x.text()), encode(x.t, x.text()), encode(x.t, x.text()), iso(x.clock)))
	x.write(at("plan.md"), x.text())
	x.write(at("checkpoints/index.md"), "# Checkpoint History\n\n| # | Title | File |\n|---|-------|------|\n| 1 | "+x.text()+" | 001-x.md |\n| 2 | "+x.text()+" | "+x.text()+" |\n")
	x.write(at("checkpoints/001-x.md"), x.text())
	x.write(at("files/"+x.name()+".md"), x.text())
	x.write(at("files/"+x.name()), x.text())
	x.write(at("research/"+x.name()+".md"), x.text())
	x.todos(filepath.Join(x.home, at("session.db")))
}

func (x *planter) todos(path string) {
	one, other := x.text(), x.text()+" "
	x.database(path, `CREATE TABLE todos (id TEXT PRIMARY KEY, title TEXT NOT NULL, description TEXT, status TEXT, created_at TEXT, updated_at TEXT);
		CREATE TABLE todo_deps (todo_id TEXT, depends_on TEXT)`, func(db *sql.DB) error {
		for _, id := range []string{one, other} {
			if _, err := db.Exec("INSERT INTO todos VALUES (?1, ?2, ?3, ?4, ?5, ?5)", id, x.text(), x.text(), x.either("pending"), "2026-03-02 09:00:00"); err != nil {
				return err
			}
		}
		_, err := db.Exec("INSERT INTO todo_deps VALUES (?, ?)", one, other)
		return err
	})
}

// stores fills rows of sessions that have no folder.
func (x *planter) stores() {
	x.keepsStore()
	for range 1 + x.dice.IntN(2) {
		id := x.either(x.uuid())
		x.rows.exec("INSERT OR IGNORE INTO sessions VALUES (?, ?, ?, 'github', ?, ?, ?, ?)", id, x.either(widget), x.either("octo-org/widget"), x.text(), x.text(), iso(x.clock), iso(x.clock))
		x.rows.exec("INSERT OR IGNORE INTO turns (session_id, turn_index, user_message, assistant_response, timestamp) VALUES (?, 0, ?, ?, ?)", id, x.text(), x.text(), iso(x.clock))
		x.rows.exec("INSERT OR IGNORE INTO checkpoints (session_id, checkpoint_number, title, overview, created_at) VALUES (?, 1, ?, ?, ?)", id, x.text(), x.text(), iso(x.clock))
		x.rows.exec("INSERT OR IGNORE INTO session_files (session_id, file_path, tool_name, turn_index, first_seen_at) VALUES (?, ?, ?, 0, ?)", id, x.text(), x.either("edit"), iso(x.clock))
		x.rows.exec("INSERT OR IGNORE INTO session_refs (session_id, ref_type, ref_value, turn_index, created_at) VALUES (?, ?, ?, 0, ?)", id, x.either("commit"), x.text(), iso(x.clock))
		x.rows.exec("INSERT OR IGNORE INTO dynamic_context_items (repository, branch, src, name, description, content) VALUES (?, ?, ?, ?, ?, ?)",
			x.either("octo-org/widget"), x.text(), x.text(), x.text(), x.text(), x.text())
	}
}

// chats fills a window of VS Code.
func (x *planter) chats() {
	e := x.edition("Code")
	w := e.opens("/home/ada/" + strings.ToValidUTF8(x.text(), ""))
	for i := range 1 + x.dice.IntN(2) {
		id := x.uuid()
		if x.dice.IntN(2) == 0 {
			for id = x.name(); strings.Contains(id, ":"); { // an index takes what stands before it for a scheme
				id = x.name()
			}
			id = fmt.Sprintf("chat-%d-%s", i, id)
		}
		c := w.chat(id).asks(x.text(), fields{"kind": "file", "id": x.text(), "name": x.text(), "value": uriOf("/x/" + x.text())})
		c.edits(x.text()).runs(x.text(), 1).says(x.text()).isCalled(x.text()).remembers(x.name()+".md", x.text())
		if x.dice.IntN(2) == 0 {
			c.transcribes()
		}
	}
	w.remembers(x.name()+".md", x.text())
	e.remembers(x.name()+".md", x.text())
	w.indexes()
	if x.dice.IntN(3) == 0 {
		x.check(os.WriteFile(w.path("chatSessions/"+x.name()+".jsonl"), []byte("{broken"), 0o600))
	}
}

// broken are places that cannot be read, so that their names are told of.
func (x *planter) broken() {
	name := x.name()
	x.check(os.MkdirAll(filepath.Join(x.home, "session-state", name, "events.jsonl"), 0o700))
	_ = os.Symlink(x.home, filepath.Join(x.home, "session-state", x.name())) // it may be there
	x.write("session-state/"+x.name()+"/session.db", x.text())
}

// asciiLower leaves all bytes but A to Z where and as they are.
func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// hasNoSecret expects that no piece of a secret is in a text.
func (x *planter) hasNoSecret(where, text string) {
	x.t.Helper()
	lower := asciiLower(text)
	for _, s := range x.sown {
		s = strings.ToLower(s)
		for _, from := range []int{0, len(s)/2 - 4, len(s) - 8} {
			if i := strings.Index(lower, s[from:from+8]); i >= 0 {
				x.t.Errorf("%s holds a piece of a secret: %q", where, text[max(0, i-80):min(len(text), i+40)])
				return
			}
		}
	}
}

// lineBound is the most that a line of frontmatter may have, in bytes.
const lineBound = 2500

// harmless looks at every byte of a note.
func (x *planter) harmless(name, text string) {
	x.t.Helper()
	if i := strings.Index(text, "<%"); i >= 0 {
		x.t.Errorf("%q holds a command of Templater: %q", name, text[max(0, i-60):min(len(text), i+40)])
	}
	if i := strings.IndexFunc(text, moves); i >= 0 {
		x.t.Errorf("%q holds a control character: %q", name, text[max(0, i-60):min(len(text), i+20)])
	}
	block, _, _ := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	for line := range strings.Lines(block) {
		if len(line) > lineBound {
			x.t.Errorf("%q: a line of %d bytes in its frontmatter: %.60q", name, len(line), line)
		}
	}
}

// Whatever text is at whatever place of a history: what is written does
// nothing, shows no secret, and the next pass writes nothing.
func FuzzText(f *testing.F) {
	for _, seed := range few(2, []uint64{0, 1, 2, 3, 4, 5, 6, 7}) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		x := &planter{scenario: newStage(t), dice: rand.New(rand.NewPCG(seed, 13)), long: 2}
		x.config = "hot_files:\n  min_sessions: 1\nsources: {copilot_cli: {store_only: write}, vscode: {store_only: write}}\n"
		for range 1 + x.dice.IntN(3) {
			x.cliSession()
		}
		if x.dice.IntN(2) == 0 {
			x.stores()
		}
		if x.dice.IntN(2) == 0 {
			x.chats()
		}
		if x.dice.IntN(3) == 0 {
			x.broken()
		}
		x.rests()
		x.says("sync", "sync", "-v")
		first := walk(t, x.vault)
		for name, text := range wholeTexts(t, x.vault) {
			x.hasNoSecret("the name "+name, name)
			x.hasNoSecret(name, text)
			if strings.HasPrefix(name, "Agents/.sessionloom/") {
				continue
			}
			expect.Is(t, unfit(name), "", name, "no path for a note")
			if strings.HasSuffix(name, ".md") {
				x.harmless(name, text)
			}
		}
		x.judged(t)
		for name, text := range wholeTexts(t, x.vault+".state") {
			x.hasNoSecret("the state's "+name, name+text)
		}
		commands := []string{"status -v", "sources", "export", "sync --redactions", "sync --redactions --json",
			"search --limit 50 wor*", "search --json --limit 50 wor*", "standup --since 2000-01-01"}
		for _, i := range x.dice.Perm(len(commands))[:2] {
			command := commands[i]
			x.says(command, strings.Fields(command)...)
		}
		for _, line := range strings.Split(x.says("check", "check", "--full"), "\n") {
			if strings.Contains(line, "would act") || strings.Contains(line, "secret") || strings.Contains(line, "Templater") {
				t.Errorf("check: %s", line)
			}
		}
		if r, stderr, _ := x.pass(x.vault); len(r.Changed) > 0 {
			t.Errorf("a further pass changes %v: %s", r.Changed, stderr)
		}
		expect.Is(t, differences(first, walk(t, x.vault), true), "", "a further pass writes")
		for name, text := range wholeTexts(t, x.vault+".state") {
			x.hasNoSecret("the state's "+name, name+text)
		}
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
}

// says runs a command and expects nothing of the secrets in what it prints.
func (x *planter) says(what string, args ...string) string {
	x.t.Helper()
	stdout, stderr, code := runProgram(x.t, x.config, slices.Concat(args[:1], x.flags(x.vault), args[1:])...)
	if code == exitFailed || code == exitUsage {
		x.t.Errorf("%s: exit code %d: %.400s", what, code, stderr)
	}
	for _, out := range []string{stdout, stderr} {
		x.hasNoSecret("what "+what+" prints", out)
		if i := strings.IndexFunc(out, moves); i >= 0 {
			x.t.Errorf("%s writes %q", what, out[max(0, i-40):min(len(out), i+20)])
		}
	}
	return stdout + stderr
}
