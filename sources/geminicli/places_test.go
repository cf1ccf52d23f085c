package geminicli_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// document is a session of versions to 0.38.
func document(id, hash, context string, messages ...string) []byte {
	all := append([]string{user("c", 0, context)}, messages...)
	return []byte("{\n  \"sessionId\": " + quoted(id) + ",\n  \"projectHash\": " + quoted(hash) + ",\n  \"startTime\": \"2026-04-02T09:00:00.000Z\",\n  \"messages\": [" +
		strings.Join(all, ",\n") + "],\n  \"summary\": \"Old\"\n}")
}

func hashOf(folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return hex.EncodeToString(sum[:])
}

// A session of before 2026: one document in a folder that is named by a hash.
func TestDocument(t *testing.T) {
	hash := hashOf("/home/dev/w")
	name := "tmp/" + hash + "/chats/session-2026-04-02T09-00-" + firstID[:8] + ".json"
	old := document(firstID, hash, "This is the Gemini CLI. We are setting up the context for our chat.\nI'm currently working in the directory: /home/dev/w\nHere is the folder structure",
		gemini("t", 0, "Got it. Thanks for the context!"), user("u", 1, "p"), gemini("g", 1, "a"))
	f := files{name: old}
	s := readHome(t, config(f.write(t, t.TempDir()))).logs[firstID[:8]]
	if told(s.Turns) != "p | a | complete\n" || s.Title != "Old" || !s.Complete || s.Place.Cwd != "/home/dev/w" || s.Place.Guessed {
		t.Errorf("%+v", s)
	}

	// It goes on in a log, which repeats it: what is in both is one.
	f[name+"l"] = linesOfChat(head(firstID), user("u", 1, "p"), gemini("g", 1, "a"), sets(`"sessionId":"`+firstID+`"`), user("v", 2, "q"), gemini("h", 2, "b"), rewindTo("g"), gemini("i", 2, "c"))
	s = readHome(t, config(f.write(t, t.TempDir()))).logs[firstID[:8]]
	if told(s.Turns) != "p | c | complete\n" || len(s.TakenBack) != 2 {
		t.Errorf("%s%s", told(s.Turns), told(s.TakenBack))
	}

	// One that is torn says so, and is tried again.
	dir := files{name: old[:len(old)-60]}.write(t, t.TempDir())
	src := open(dir)
	l := expect.Value(src.List(context.Background()))(t)
	r := expect.Value(src.Read(context.Background(), l.Items[0]))(t)
	la := r.Sessions[0].Layers[0]
	if !la.Provisional || la.Session.Complete || len(la.Session.Damage) != 1 || told(la.Session.Turns) != "p |  | pending\n" {
		t.Errorf("%+v\n%+v", la, la.Session)
	}
}

// Where a session worked: a file beside it says it, or the list of projects, or the session
// itself, which a hash confirms.
func TestPlace(t *testing.T) {
	hash := hashOf("/home/dev/w")
	chat := func(hash, context string) []byte {
		return linesOfChat(strings.Replace(head(firstID), "97dfbcf365a54407d43284375e055a6bcf49820a8845497edffbdf5b604a1c8f", hash, 1),
			sets(`"messages":[`+user("c", 0, context)+`]`), user("u", 1, "p"), gemini("g", 1, "a"))
	}
	context := "<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - /home/dev/w\n  - /home/dev/x\n</session_context>"
	for name, c := range map[string]struct {
		files files
		want  sources.Place
	}{
		"beside":            {files{chatAt("w", firstID): chat("", ""), "tmp/w/.project_root": []byte("/home/dev/y\n")}, sources.Place{Cwd: "/home/dev/y"}},
		"by its slug":       {files{chatAt("w", firstID): chat("", ""), "projects.json": []byte(`{"projects":{"/home/dev/z":"w","/a":"b"}}`)}, sources.Place{Cwd: "/home/dev/z"}},
		"by its hash":       {files{chatAt(hash, firstID): chat("", ""), "projects.json": []byte(`{"projects":{"/home/dev/w":"w"}}`)}, sources.Place{Cwd: "/home/dev/w"}},
		"by itself":         {files{chatAt("w", firstID): chat(hash, context)}, sources.Place{Cwd: "/home/dev/w"}},
		"guessed":           {files{chatAt("w", firstID): chat("0", context)}, sources.Place{Cwd: "/home/dev/w", Guessed: true}},
		"unknown":           {files{chatAt("w", firstID): chat("0", "")}, sources.Place{Guessed: true}},
		"damaged projects":  {files{chatAt("w", firstID): chat(hash, context), "projects.json": []byte(`{"projects":`)}, sources.Place{Cwd: "/home/dev/w"}},
		"a binary beside":   {files{chatAt("w", firstID): chat(hash, context), "tmp/w/.project_root": {0, 1, 2}}, sources.Place{Cwd: "/home/dev/w"}},
		"in another folder": {files{"tmp/" + hash + "/chats/session-2026-04-01T09-00-" + firstID[:8] + ".jsonl": chat("", ""), chatAt("w", firstID): chat("", ""), "tmp/w/.project_root": []byte("/home/dev/y")}, sources.Place{Cwd: "/home/dev/y"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := readHome(t, config(c.files.write(t, t.TempDir())))
			if s := h.logs[firstID[:8]]; s == nil || s.Place.Cwd != c.want.Cwd || s.Place.Guessed != c.want.Guessed || len(h.problems) > 0 || told(s.Turns) != "p | a | complete\n" {
				t.Errorf("%+v", h)
			}
		})
	}
}

// Two sessions may begin alike, and a file may not say of which it is.
func TestNamesOfSessions(t *testing.T) {
	twin := firstID[:8] + thirdID[8:]
	dir := files{
		chatAt("w", firstID): linesOfChat(head(firstID), user("u", 1, "p"), gemini("g", 1, "a")),
		"tmp/v/chats/session-2026-04-02T09-01-" + twin[:8] + ".jsonl":    linesOfChat(head(strings.ToUpper(twin)), user("u", 1, "q"), gemini("g", 1, "b")),
		"tmp/w/chats/session-2026-04-02T09-01-1057abcd.jsonl":            linesOfChat(user("u", 1, "r"), gemini("g", 1, "c")),
		"tmp/w/chats/session-2026-04-02T09-02-" + firstID[:8] + ".jsonl": linesOfChat(user("v", 2, "go on"), gemini("h", 2, "d")),
		"tmp/w/chats/session-2026-04-02T09-01-emptyxxx.jsonl":            {},
		"tmp/w/chats/checkpoint-x.json":                                  {},
		"tmp/w/checkpoint-x.json":                                        []byte(`[]`),
		"tmp/w/chats/session-x.json":                                     []byte(`{}`),
	}.write(t, t.TempDir())
	h := readHome(t, config(dir))
	got := map[string]string{}
	for id, s := range h.others {
		got[id] = told(s.Turns)
	}
	want := map[string]string{
		firstID + " gemini-cli/chat": "p | a | complete\n", twin + " gemini-cli/chat": "q | b | complete\ngo on | d | complete\n",
		"gemini-cli:w:1057abcd gemini-cli/chat": "r | c | complete\n",
	}
	if len(h.problems) > 0 || len(got) != len(want) {
		t.Errorf("%q, problems %q", got, h.problems)
	}
	for id, text := range want {
		if got[id] == "" || !strings.HasPrefix(text, got[id]) && got[id] != text+"go on | d | complete\n" {
			t.Errorf("%s: %q, want %q", id, got[id], text)
		}
	}
}

// Sub-agents stand in the session that they worked for, however deep they were asked; what
// they edited counts for it.
func TestSubagents(t *testing.T) {
	chat := func(id, prompt, answer string) []byte {
		return linesOfChat(strings.Replace(head(id), `"main"`, `"subagent"`, 1), user("u", 1, prompt),
			gemini("g", 1, "", ran(tool("replace", "success", `{"file_path":"/w/`+answer+`.go"}`, "ok"), tool("read_file", "success", `{"file_path":"/w/x.go"}`, "ok"))), gemini("h", 2, answer))
	}
	dir := files{
		"tmp/w/chats/" + firstID + "/" + secondID + ".jsonl":  chat(secondID, "around <objective>\nlook\n</objective> it", "found"),
		"tmp/w/chats/" + secondID + "/" + thirdID + ".jsonl":  chat(thirdID, "deeper", "deep"),
		"tmp/w2/chats/" + firstID + "/" + secondID + ".jsonl": chat(secondID, "a copy", "copied"),
		"tmp/w/chats/" + firstID + "/empty.jsonl":             {},
		chatAt("w", "ffffffff"):                               linesOfChat(strings.Replace(head(thirdID), `"main"`, `"subagent"`, 1), user("u", 1, "nobody typed it"), gemini("g", 1, "a")),
		"tmp/w/.project_root":                                 []byte("/w"),
	}.write(t, t.TempDir())
	h := readHome(t, config(dir))
	l := expect.Value(open(dir).List(context.Background()))(t)
	var all []string
	for _, it := range l.Items {
		if r, err := open(dir).Read(context.Background(), it); err == nil && strings.Contains(it.Key, "/agent/") {
			for _, of := range r.Sessions {
				s := of.Layers[0].Session
				d := s.Delegated[0]
				all = append(all, of.ID[:2]+" "+d.ID[:2]+" "+d.Task+" "+d.Answer+" "+s.Files[0].Path)
				if len(s.Files) != 1 || s.Files[0].Turn != -1 || d.Calls != 2 || s.Class != sources.Automatic || s.Place.Cwd != "/w" {
					t.Errorf("%+v", s)
				}
			}
		}
	}
	slices.Sort(all)
	if want := []string{"0a 1b look found /w/found.go", "0a 2c deeper deep /w/deep.go"}; !slices.Equal(all, want) || len(h.problems) > 0 {
		t.Errorf("got %q, problems %q", all, h.problems)
	}
	if s := h.logs[thirdID[:8]]; s == nil || s.Class != sources.Automatic {
		t.Errorf("an older chat of a sub-agent: %+v", s)
	}
}

// Plans, memory, and what was typed at the terminal.
func TestBesides(t *testing.T) {
	logs := `[{"sessionId":"` + firstID + `","messageId":0,"type":"user","message":"p","timestamp":"2026-04-02T09:00:59.000Z"},
{"sessionId":"` + firstID + `","messageId":1,"type":"user","message":"/memory show","timestamp":"2026-04-02T08:59:59.000Z"},
{"sessionId":"` + firstID + `","messageId":2,"type":"user","message":"/quit","timestamp":"2026-04-02T09:03:00.000Z"},
{"sessionId":"` + secondID + `","messageId":0,"type":"user","message":"/quit","timestamp":"2026-04-02T09:03:00.000Z"},
{"sessionId":"` + thirdID + `","messageId":0,"type":"user","message":"Who reads it?","timestamp":"2026-04-02T10:00:00.000Z"},
{"sessionId":"` + thirdID + `","messageId":1,"type":"user","message":"/quit","timestamp":"2026-04-02T10:01:00.000Z"},
{"sessionId":"no-uuid","messageId":1,"type":"user","message":"x","timestamp":"2026-04-02T10:01:00.000Z"},{"sess`
	dir := files{
		chatAt("w", firstID): linesOfChat(head(firstID), user("u", 1, "p"), gemini("g", 1, "a")), "tmp/w/.project_root": []byte("/w"), "tmp/w/logs.json": []byte(logs),
		"tmp/w/" + firstID + "/plans/rotate.md": []byte("# Rotate\n- [ ] one\n"), "tmp/w/" + firstID + "/plans/x.txt": {}, "tmp/w/" + secondID + "/plans/lost.md": []byte("x"),
		"GEMINI.md": []byte("## Gemini Added Memories\n- tabs\n"), "settings.json": []byte("no JSON"), "oauth_creds.json": []byte("no JSON"),
	}.write(t, t.TempDir())
	h := readHome(t, config(dir))
	s := h.logs[firstID[:8]]
	var typed []string
	for _, a := range s.Actions {
		typed = append(typed, a.Text+" "+string(rune('1'+a.Turn)))
	}
	expect.List(t, typed, []string{"/memory show 0", "/quit 1"}, "typed")
	if p := h.others[firstID+" gemini-cli/plans"]; p == nil || len(p.Artifacts) != 1 || p.Artifacts[0].Name != "rotate.md" || p.Artifacts[0].Kind != sources.Plan {
		t.Errorf("plans %+v", p)
	}
	memory := 0
	for id, s := range h.others {
		if s.IsMemory && s.Scope == sources.ScopeUser && strings.HasSuffix(id, "/memory gemini-cli/memory") && strings.Contains(s.Artifacts[0].Text, "tabs") {
			memory++
		}
	}
	if memory != 1 || !slices.Equal(h.rowsOnly, []string{thirdID}) || h.others[thirdID+" gemini-cli/logs"] != nil || len(h.problems) > 0 {
		t.Errorf("%d memories, rows only %q, %q", memory, h.rowsOnly, h.problems)
	}
	c := config(dir)
	c.PromptOnly = true
	if s := readHome(t, c).others[thirdID+" gemini-cli/logs"]; s == nil || told(s.Turns) != "Who reads it? |  | \n" || len(s.Actions) != 1 || s.Place.Cwd != "/w" || len(s.Damage) != 1 {
		t.Errorf("%+v", s)
	}
}

// Of what many sessions share, each is told apart.
func TestDigest(t *testing.T) {
	line := func(id, text string) string {
		return `{"sessionId":"` + id + `","type":"user","message":"` + text + `","timestamp":"2026-04-02T09:00:59.000Z"}`
	}
	dir := files{chatAt("w", firstID): linesOfChat(head(firstID)), chatAt("w", secondID): linesOfChat(head(secondID)),
		"tmp/w/logs.json": []byte("[" + line(firstID, "/a") + "]"), "projects.json": []byte(`{"projects":{"/w":"w"}}`)}.write(t, t.TempDir())
	src := open(dir)
	digests := func() (out []string) {
		l := expect.Value(src.List(context.Background()))(t)
		for _, it := range l.Items {
			for _, part := range []string{"logs.json", "projects.json", "nothing"} {
				if p, ok := it.Part(part); it.Kind == sources.KindSession && (!ok || p.Shared) {
					d := expect.Value(src.Digest(context.Background(), it, part))(t)
					out = append(out, d)
				}
			}
		}
		must(t, src.Close())
		return out
	}
	before := digests()
	files{"tmp/w/logs.json": []byte("[" + line(firstID, "/a") + "," + line(secondID, "/longer") + "]"), "projects.json": []byte(`{"projects":{"/w":"w","/new":"new"}}`)}.write(t, dir)
	after := digests()
	if len(before) != 6 || before[0] == "" || before[1] == "" || before[3] != "" || after[0] != before[0] || after[1] != before[1] || after[3] == "" || after[4] != before[4] {
		t.Errorf("%q\n%q", before, after)
	}
}

// What cannot be read is told, and tried again; the rest is read.
func TestFailures(t *testing.T) {
	dir := files{chatAt("w", firstID): linesOfChat(head(firstID), user("u", 1, "p")), chatAt("w", secondID): linesOfChat(head(secondID), user("u", 1, "q"))}.write(t, t.TempDir())
	must(t, os.Mkdir(filepath.Join(dir, "tmp", "w", "logs.json"), 0o700))
	must(t, os.Mkdir(filepath.Join(dir, "GEMINI.md"), 0o700))
	src := open(dir)
	l := expect.Value(src.List(context.Background()))(t)
	if len(l.Items) != 2 || len(l.Problems) < 2 {
		t.Errorf("%d items, problems %v", len(l.Items), l.Problems)
	}
	must(t, os.Remove(filepath.Join(dir, filepath.FromSlash(chatAt("w", firstID)))))
	if _, err := src.Read(context.Background(), l.Items[0]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a chat that is gone: %v", err)
	}
	if r, err := src.Read(context.Background(), l.Items[1]); err != nil || len(r.Sessions) != 1 {
		t.Errorf("the other: %+v %v", r, err)
	}
}

// Homes: the one that the environment names, the usual one, each once.
func TestHomes(t *testing.T) {
	dir := t.TempDir()
	files{".gemini/" + chatAt("w", firstID): linesOfChat(head(firstID)), "x/.gemini/" + chatAt("w", firstID): linesOfChat(head(firstID))}.write(t, dir)
	for want, env := range map[string]string{filepath.Join(dir, ".gemini"): "", filepath.Join(dir, "x", ".gemini"): filepath.Join(dir, "x")} {
		s := geminicli.New(geminicli.Config{Defaults: true, Home: dir, Env: func(name string) string {
			return map[string]string{"GEMINI_CLI_HOME": env}[name]
		}})
		l := expect.Value(s.List(context.Background()))(t)
		if len(l.Roots) != 1 || l.Roots[0].Path != want || len(l.Items) != 1 || !strings.HasPrefix(l.Items[0].Key, "~/") {
			t.Errorf("%+v", l)
		}
	}
	must(t, os.Symlink(".gemini", filepath.Join(dir, "link")))
	l := expect.Value(open(filepath.Join(dir, ".gemini"), filepath.Join(dir, "link")).List(context.Background()))(t)
	expect.Is(t, len(l.Items), 1, "a home by two names", "items")
}

func TestWatch(t *testing.T) {
	dir := t.TempDir()
	roots := open(dir).Watch(context.Background())
	for file, want := range map[string]bool{
		chatAt("w", firstID): true, "tmp/w/chats/session-2026-04-02T09-00-0a6fa1f4.json": true, "GEMINI.md": true,
		"antigravity-cli/brain/" + firstID + "/.system_generated/logs/transcript_full.jsonl": true, "antigravity/brain/" + firstID + "/task.md": true,
		"tmp/w/logs.json": false, "settings.json": false, "oauth_creds.json": false,
	} {
		expect.Is(t, sourcetest.Matters(roots, filepath.ToSlash(filepath.Join(dir, file))), want, file, "matters")
	}
}
