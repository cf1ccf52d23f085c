package vscode_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

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
