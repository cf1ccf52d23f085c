package vscode_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources/vscode"
)

// A damaged log is not also read as if it were the one file of older versions,
// which would be a session without turns that claims to be whole.
func TestDamagedLogIsNoDocument(t *testing.T) {
	dir := t.TempDir()
	logs{}.Write(t, dir, id, at, prompts(3))
	logs{}.Break(t, dir, id)
	s, p := open(vscode.Config{UserDirs: []string{dir}}), prior{}
	r := readItem(t, s, itemWith(t, s, "chat/"+id), p)
	if len(r.Layers) != 1 || r.Layers[0].Name != "vscode/chatlog" {
		t.Errorf("layers %+v", r.Layers)
	}
}

// Where only the edited files tell the folder, a later edit moves it, and with it
// how the files of earlier turns are told.
func TestResumedReadTellsFilesFromTheSameFolder(t *testing.T) {
	dir := t.TempDir()
	turn := func(n int, file string) []byte {
		edit := fmt.Sprintf(`{"kind":"toolInvocationSerialized","toolId":"copilot_replaceString","toolCallId":"c%d","isComplete":true,"isConfirmed":true,"pastTenseMessage":{"value":"Edited [](file://%s)"}}`, n, file)
		return fmt.Appendf(nil, `{"kind":2,"k":["requests"],"v":[{"requestId":"request_%d","timestamp":1794216000000,"message":{"text":"p%d"},"response":[{"value":"a"},%s],"modelState":{"value":1,"completedAt":1794216001000}}]}`+"\n", n, n, edit)
	}
	body := line(map[string]any{"kind": 0, "v": header(id, at, []any{})})
	body = append(body, turn(1, "/srv/dev/widget/web/a.go")...)
	body = append(body, turn(2, "/srv/dev/widget/web/b.go")...)
	log := filepath.Join(dir, "globalStorage", "emptyWindowChatSessions", id+".jsonl")
	write(t, log, body)
	s, p := open(vscode.Config{UserDirs: []string{dir}}), prior{}
	readItem(t, s, itemWith(t, s, "chat/"+id), p)
	write(t, log, append(body, turn(3, "/srv/dev/widget/api/c.go")...))
	readItem(t, s, itemWith(t, s, "chat/"+id), p)
	whole := prior{}
	readItem(t, s, itemWith(t, s, "chat/"+id), whole)
	got, err := json.Marshal(p["vscode/chatlog"].Session)
	must(t, err)
	want, err := json.Marshal(whole["vscode/chatlog"].Session)
	must(t, err)
	if string(got) != string(want) {
		t.Errorf("read on:\n%s\nread whole:\n%s", got, want)
	}
}

// A document that a crash cut off, or that is being written, takes nothing away.
func TestTornDocumentKeepsWhatWasRead(t *testing.T) {
	dir := t.TempDir()
	documents{}.Write(t, dir, id, at, prompts(3))
	s, p := open(vscode.Config{UserDirs: []string{dir}}), prior{}
	readItem(t, s, itemWith(t, s, "chat/"+id), p)
	whole := read(t, documentOf(dir, id))
	for _, size := range []int{len(whole) * 2 / 3, 40, 0} {
		write(t, documentOf(dir, id), whole[:size])
		r, err := s.Read(t.Context(), itemWith(t, s, "chat/"+id), p)
		must(t, err)
		p.take(r)
		if got := userTexts(p["vscode/chat"].Session); !slices.Equal(got, []string{"one", "two", "three"}) {
			t.Errorf("of %d bytes: %q; layers %+v", size, got, r.Layers)
		}
	}
}

// A damaged log that a crash then emptied takes nothing away: only of a whole one
// is the beginning kept elsewhere.
func TestEmptiedLogKeepsWhatWasRead(t *testing.T) {
	dir := t.TempDir()
	logs{}.Write(t, dir, id, at, prompts(3))
	logs{}.Break(t, dir, id)
	s, p := open(vscode.Config{UserDirs: []string{dir}}), prior{}
	readItem(t, s, itemWith(t, s, "chat/"+id), p)
	before := userTexts(p["vscode/chatlog"].Session)
	write(t, logOf(dir, id), nil)
	r, err := s.Read(t.Context(), itemWith(t, s, "chat/"+id), p)
	must(t, err)
	p.take(r)
	if got := userTexts(p["vscode/chatlog"].Session); len(before) == 0 || !slices.Equal(got, before) {
		t.Errorf("turns %q, before %q", got, before)
	}
}

// One file of the agent's memory that cannot be read does not hide the others.
func TestUnreadableMemoryLeavesTheOthers(t *testing.T) {
	dir := t.TempDir()
	folder := storageFile(dir, "GitHub.copilot-chat", "memory-tool", "memories", "repo")
	write(t, filepath.Join(folder, "a.md"), []byte("a\n"))
	write(t, filepath.Join(folder, "b.md"), []byte("b\n"))
	s, p := open(vscode.Config{UserDirs: []string{dir}}), prior{}
	it := itemWith(t, s, "/memory")
	must(t, os.Remove(filepath.Join(folder, "a.md")))
	must(t, os.Mkdir(filepath.Join(folder, "a.md"), 0o700)) // since the list was made
	r, err := s.Read(t.Context(), it, p)
	if err != nil || len(r.Problems) == 0 || len(r.Sessions) != 1 {
		t.Fatalf("%v %+v", err, r)
	}
	if got := r.Sessions[0].Layers[0].Session.Artifacts; len(got) != 1 || got[0].Name != "b.md" {
		t.Errorf("memories %+v", got)
	}
	p.take(r)
	if r, err = s.Read(t.Context(), it, p); err != nil || len(r.Problems) == 0 {
		t.Errorf("what was missed is not tried again: %v %+v", err, r.Problems)
	}
}

// Beside a folder that is no edition's own lies what nobody asked to read.
func TestAgentHostOfANamedCopyIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "agentSessionData", other, "session.db"), nil)
	for name, want := range map[string]int{"copy": 0, "User": 1} {
		logs{}.Write(t, filepath.Join(dir, name), id, at, prompts(1))
		n := 0
		for _, it := range list(t, open(vscode.Config{UserDirs: []string{filepath.Join(dir, name)}})).Items {
			if it.Session == other {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d items of the agent host, want %d", name, n, want)
		}
	}
}

// A transcript stays whole beside a chat that says nothing.
func TestTranscriptBesideAnEmptyChat(t *testing.T) {
	dir := t.TempDir()
	logs{}.Write(t, dir, id, at, nil)
	write(t, storageFile(dir, "GitHub.copilot-chat", "transcripts", id+".jsonl"),
		[]byte(`{"type":"assistant.message","data":{"messageId":"m","content":"done"},"timestamp":"2026-04-02T09:00:00Z"}`+"\n"))
	s, p := open(vscode.Config{UserDirs: []string{dir}}), prior{}
	readItem(t, s, itemWith(t, s, "chat/"+id), p)
	if got := p["vscode/transcript"].Session.Turns; len(got) != 1 || got[0].Assistant != "done" {
		t.Errorf("turns %+v", got)
	}
}

// Lists that are longer than any of VS Code's own cost no more than their length.
func TestLongListsTakeNoQuadraticTime(t *testing.T) {
	many := func(n int, f string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString("," + strings.ReplaceAll(f, "#", fmt.Sprintf("%06d", i)))
		}
		return b.String()[1:]
	}
	parts := func(p string) string {
		return `{"requestId":"request_1","message":{"text":"x"},"modelState":{"value":1},"response":[` + p + `]}`
	}
	address := `{"scheme":"file","path":"/home/dev/src/widget/f#.go"}`
	reference := `{"kind":"inlineReference","inlineReference":{"scheme":"file","path":"/a#.go"}}`
	for name, requests := range map[string]string{
		"requests nobody typed": many(40000, `{"requestId":"r#","isSystemInitiated":true,"message":{"text":"x"},"response":[{"value":"`+
			strings.Repeat("a", 80)+`"},{"kind":"toolInvocationSerialized","toolId":"x"}],"modelState":{"value":1}}`),
		"changed files": parts(`{"kind":"multiDiffData","multiDiffData":{"resources":[` + many(60000, `{"modifiedUri":`+address+`}`) + `]}}`),
		"a long line":   parts(`{"value":"` + strings.Repeat(" ", 1<<20) + `b"},` + many(20000, reference)),
		"a long fence":  parts("{\"value\":\"```\\n" + strings.Repeat(" ", 1<<20) + `"},` + many(20000, `{"kind":"codeblockUri","uri":`+address+`}`)),
		"links": parts(`{"kind":"toolInvocationSerialized","toolId":"x","pastTenseMessage":{"value":"` + strings.ReplaceAll(many(60000, `[](file:///a#)`), ",", " ") +
			`","uris":{` + many(60000, `"file:///a#":`+address) + `}}}`),
	} {
		dir := t.TempDir()
		write(t, logOf(dir, id), []byte(`{"kind":0,"v":{"requests":[`+requests+"]}}\n"))
		s, begin := open(vscode.Config{UserDirs: []string{dir}}), time.Now()
		readItem(t, s, itemWith(t, s, "chat/"+id), prior{})
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("%s took %v", name, took)
		}
	}
}
