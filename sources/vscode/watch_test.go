package vscode_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/sources/vscode"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

var (
	_ sources.Watcher  = (*vscode.Source)(nil)
	_ sources.Detailer = (*vscode.Source)(nil)
)

func TestWatchedFiles(t *testing.T) {
	base := t.TempDir()
	expect.OK(t, os.MkdirAll(filepath.Join(base, "Code", "User", "workspaceStorage"), 0o700))
	s := vscode.New(vscode.Config{UserDirs: []string{filepath.Join(base, "Code", "User")}})
	roots := s.Watch(t.Context())
	const ws, hash = "Code/User/workspaceStorage/", "8cd9e7a1b1b9d0a4e3d5c1b0a9f8e7d6/"
	for file, want := range map[string]bool{
		ws + hash + "chatSessions/a.jsonl":                                             true,
		ws + hash + "chatSessions/a.json":                                              true,
		ws + hash + "GitHub.copilot-chat/transcripts/a.jsonl":                          true,
		ws + hash + "github.copilot-chat/memory-tool/memories/c2Vzc2lvbg/plan.md":      true,
		"Code/User/globalStorage/emptyWindowChatSessions/a.json":                       true,
		"Code/User/globalStorage/github.copilot-chat/memory-tool/memories/x.md":        true,
		"Code/User/globalStorage/github.copilot-chat/session-store.db-wal":             true,
		"Code/User/profiles/-4f/" + "workspaceStorage/" + hash + "chatSessions/a.json": true,
		ws + hash + "state.vscdb":                                                      false,
		ws + hash + "chatEditingSessions/a/state.json":                                 false,
		"Code/User/settings.json":                                                      false,
		"Code/logs/a.jsonl":                                                            false,
	} {
		expect.Is(t, sourcetest.Matters(roots, filepath.ToSlash(base)+"/"+file), want, file)
	}
}
