package copilotcli

import (
	"context"
	"path/filepath"

	"github.com/sessionloom/sessionloom/sources"
)

// watched are the patterns of what is worth a look when it changes. What an agent
// keeps in folders of a session comes with a line in its log.
var watched = []string{
	"session-store.db", "session-store.db-wal",
	"history-session-state/session_*.json",
	"session-state/*.jsonl", "session-state/*/" + partLog, "session-state/*/" + partPlan, "session-state/*/" + partSummary,
	"session-state/*/" + partWorkspace, "session-state/*/" + partTodos, "session-state/*/" + partTodos + "-wal",
}

// Watch names the homes.
func (s *Source) Watch(ctx context.Context) []sources.WatchRoot {
	var roots []sources.WatchRoot
	for _, h := range s.cfg.homes() {
		if ctx.Err() != nil {
			return nil
		}
		roots = append(roots, sources.WatchRoot{Path: h.root.Path, Files: watched})
		if dir := filepath.Dir(h.store); h.store != "" && dir != h.root.Path { // a link leads to it
			roots = append(roots, sources.WatchRoot{Path: dir, Files: watched[:2]})
		}
	}
	return roots
}
