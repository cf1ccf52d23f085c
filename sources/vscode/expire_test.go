package vscode_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode"
)

// The listing tells when VS Code deletes memories and transcripts, by stat alone.
func TestListTellsWhatExpires(t *testing.T) {
	dir := t.TempDir()
	logs{}.Write(t, dir, id, at, prompts(1))
	extension := storageFile(dir, "GitHub.copilot-chat")
	aged := func(path string, used time.Time) string {
		write(t, path, []byte("{}\n"))
		must(t, os.Chtimes(path, used, used))
		return path
	}
	memory := filepath.Join(extension, "memory-tool", "memories", "MGE2ZmExZjQtNWEzYi00ZDM1LTljNWUtMGYxZjBjNmYwYTAx")
	aged(filepath.Join(memory, "plan.md"), at.Add(time.Hour))
	aged(filepath.Join(memory, "deep", "notes.md"), at)
	aged(filepath.Join(extension, "memory-tool", "memories", "repo", "facts.json"), at)
	paths := make([]string, 22)
	for i := range paths { // the first is the oldest
		paths[i] = aged(filepath.Join(extension, "transcripts", fmt.Sprintf("%08d-0000-4000-8000-000000000000.jsonl", 99-i)), at.Add(time.Duration(i)*time.Minute))
	}
	told := map[string]sources.Expiry{}
	for _, it := range list(t, vscode.New(vscode.Config{UserDirs: []string{dir}})).Items {
		for _, x := range it.Expires {
			told[x.Path] = x
		}
	}
	if len(told) != 1+len(paths) {
		t.Errorf("%d expire, want %d", len(told), 1+len(paths))
	}
	if x := told[memory]; x.What != "memory" || !x.Used.Equal(at) || !x.At.Equal(at.AddDate(0, 0, 14)) {
		t.Errorf("the memory: %+v", x)
	}
	for i, after := range map[int]int{0: 0, 1: 0, 2: 1, 21: 20} {
		if x := told[paths[i]]; x.What != "transcript" || x.After != after || !x.At.IsZero() {
			t.Errorf("transcript %d: %+v, want after %d", i, x, after)
		}
	}
}
