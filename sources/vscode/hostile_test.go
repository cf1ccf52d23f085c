package vscode_test

import (
	"bytes"
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
	s := vscode.New(vscode.Config{UserDirs: []string{dir}})
	r := readItem(t, s, itemWith(t, s, "chat/"+id))
	if len(r.Layers) != 1 || r.Layers[0].Name != "vscode/chatlog" {
		t.Errorf("layers %+v", r.Layers)
	}
}

// A chat that a crash cut off or emptied, or that is being written, is told as far
// as it can be read, and as provisional.
func TestPoorerChatIsProvisional(t *testing.T) {
	logOnly := func(t *testing.T, dir string) (path string, whole []byte) {
		logs{}.Write(t, dir, id, at, prompts(3))
		return logOf(dir, id), read(t, logOf(dir, id))
	}
	compacted := func(t *testing.T, dir string) (path string, whole []byte) {
		documents{}.Write(t, dir, id, at, prompts(3))
		whole = append(append([]byte(`{"kind":0,"v":`), bytes.ReplaceAll(read(t, documentOf(dir, id)), []byte("\n"), nil)...), "}\n"...)
		must(t, os.Remove(documentOf(dir, id)))
		return logOf(dir, id), whole
	}
	document := func(t *testing.T, dir string) (path string, whole []byte) {
		documents{}.Write(t, dir, id, at, prompts(3))
		return documentOf(dir, id), read(t, documentOf(dir, id))
	}
	all := func(whole []byte) []byte { return whole }
	torn := func(whole []byte) []byte { return whole[:len(whole)*3/4] }
	broken := func(whole []byte) []byte { return bytes.Replace(whole, []byte(`"two"`), []byte(`"two`), 1) }
	for name, c := range map[string]struct {
		write func(t *testing.T, dir string) (string, []byte)
		cut   func([]byte) []byte
		layer string
		turns int
		want  bool
	}{
		"log":                   {logOnly, all, "vscode/chatlog", 3, false},
		"log with a torn tail":  {logOnly, torn, "vscode/chatlog", 2, false},
		"log with a lost entry": {logOnly, broken, "vscode/chatlog", 3, false},
		"log, emptied":          {logOnly, func([]byte) []byte { return nil }, "vscode/chatlog", 0, true},
		"log, one entry":        {compacted, all, "vscode/chatlog", 3, false},
		"log, one entry, torn":  {compacted, torn, "vscode/chatlog", 3, true},
		"document":              {document, all, "vscode/chat", 3, false},
		"document, torn":        {document, torn, "vscode/chat", 3, true},
		"document, broken":      {document, broken, "vscode/chat", 2, true},
		"document, emptied":     {document, func([]byte) []byte { return nil }, "vscode/chat", 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path, whole := c.write(t, dir)
			write(t, path, c.cut(whole))
			s := vscode.New(vscode.Config{UserDirs: []string{dir}})
			r := readItem(t, s, itemWith(t, s, "chat/"+id))
			la := layer(t, r, c.layer)
			if got := len(la.Session.Turns); got != c.turns || la.Provisional != c.want || len(r.Problems) > 0 {
				t.Errorf("%d turns, provisional %v, damage %q, problems %v", got, la.Provisional, la.Session.Damage, r.Problems)
			}
		})
	}
}

// A part that cannot be read now is told as failed, and the others are read.
func TestFailedLayerLeavesTheOthers(t *testing.T) {
	dir := t.TempDir()
	documents{}.Write(t, dir, id, at, prompts(1))
	logs{}.Write(t, dir, id, at, prompts(3))
	s := vscode.New(vscode.Config{UserDirs: []string{dir}})
	it := itemWith(t, s, "chat/"+id)
	must(t, os.Remove(logOf(dir, id)))
	must(t, os.Mkdir(logOf(dir, id), 0o700)) // since the list was made
	r := readItem(t, s, it)
	log := layer(t, r, "vscode/chatlog")
	if !log.Failed || log.Session != nil || len(r.Problems) != 1 || !r.Problems[0].Fatal {
		t.Errorf("layer %+v, problems %+v", log, r.Problems)
	}
	if got := userTexts(layer(t, r, "vscode/chat").Session); !slices.Equal(got, []string{"one"}) {
		t.Errorf("the document tells %q", got)
	}
}

// One file of the agent's memory that cannot be read does not hide the others.
func TestUnreadableMemoryLeavesTheOthers(t *testing.T) {
	dir := t.TempDir()
	folder := storageFile(dir, "GitHub.copilot-chat", "memory-tool", "memories", "repo")
	write(t, filepath.Join(folder, "a.md"), []byte("a\n"))
	write(t, filepath.Join(folder, "b.md"), []byte("b\n"))
	s := vscode.New(vscode.Config{UserDirs: []string{dir}})
	it := itemWith(t, s, "/memory")
	must(t, os.Remove(filepath.Join(folder, "a.md")))
	must(t, os.Mkdir(filepath.Join(folder, "a.md"), 0o700)) // since the list was made
	r, err := s.Read(t.Context(), it)
	if err != nil || len(r.Problems) != 1 || !r.Problems[0].Fatal || len(r.Sessions) != 1 {
		t.Fatalf("%v %+v", err, r)
	}
	if got := r.Sessions[0].Layers[0].Session.Artifacts; len(got) != 1 || got[0].Name != "b.md" {
		t.Errorf("memories %+v", got)
	}
}

// A transcript stays whole beside a chat that says nothing.
func TestTranscriptBesideAnEmptyChat(t *testing.T) {
	dir := t.TempDir()
	logs{}.Write(t, dir, id, at, nil)
	write(t, storageFile(dir, "GitHub.copilot-chat", "transcripts", id+".jsonl"),
		[]byte(`{"type":"assistant.message","data":{"messageId":"m","content":"done"},"timestamp":"2026-04-02T09:00:00Z"}`+"\n"))
	s := vscode.New(vscode.Config{UserDirs: []string{dir}})
	r := readItem(t, s, itemWith(t, s, "chat/"+id))
	if got := layer(t, r, "vscode/transcript").Session.Turns; len(got) != 1 || got[0].Assistant != "done" {
		t.Errorf("turns %+v", got)
	}
}
