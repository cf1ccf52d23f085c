package vscode

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// Patterns of what is worth a look when it changes. VS Code writes to state.vscdb
// all the time, seldom something that is shown, and to chatEditingSessions only
// together with a chat: neither is among them.
var (
	chatFiles    = []string{"*.jsonl", "*.json"}
	copilotFiles = []string{
		"transcripts/*.jsonl", "memory-tool/memories/*", "memory-tool/memories/*/*",
		"session-store.db", "session-store.db-wal", "copilotcli/copilotcli.session.metadata.json",
	}
)

// copilotFolder is the extension's folder, however it is spelled.
const copilotFolder = "[Gg]it[Hh]ub.copilot-chat"

// Watch names the user folders, what the agent host keeps beside them, and the
// exports.
func (s *Source) Watch(ctx context.Context) []sources.WatchRoot {
	var roots []sources.WatchRoot
	for _, r := range places.Roots(s.places()) {
		if ctx.Err() != nil {
			return nil
		}
		roots = append(roots, sources.WatchRoot{Path: r.Path, Files: userFiles()})
		if r.Found && filepath.Base(r.Path) == "User" {
			if info, err := os.Stat(hostsBeside(r)); err == nil && info.IsDir() { // rarely there
				patterns := []string{"*/session.db", "*/session.db-wal"}
				roots = append(roots, sources.WatchRoot{Path: hostsBeside(r), Files: patterns})
			}
		}
	}
	for _, named := range s.cfg.Exports {
		if path, err := filepath.Abs(named); err == nil {
			roots = append(roots, exportWatch(path))
		}
	}
	return roots
}

// userFiles are the patterns of a user folder and of the profiles in it.
func userFiles() []string {
	var out []string
	for _, half := range []string{"", "profiles/*/"} {
		workspace, global := half+"workspaceStorage/*/", half+"globalStorage/"
		for _, f := range chatFiles {
			out = append(out, workspace+"chatSessions/"+f, global+"emptyWindowChatSessions/"+f, global+"transferredChatSessions/"+f)
		}
		for _, f := range copilotFiles {
			out = append(out, workspace+copilotFolder+"/"+f, global+copilotFolder+"/"+f)
		}
	}
	return out
}

// exportWatch is the folder of exports the user named, or the one that holds the
// file they named.
func exportWatch(path string) sources.WatchRoot {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return sources.WatchRoot{Path: filepath.Dir(path), Files: []string{literal(filepath.Base(path))}}
	}
	w := sources.WatchRoot{Path: path}
	for depth := range exportDepth + 1 {
		for _, ending := range exportNames {
			w.Files = append(w.Files, strings.Repeat("*/", depth)+"*"+ending)
		}
	}
	return w
}

// literal makes a pattern of a name.
func literal(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}
