// Package vscode reads the history of GitHub Copilot Chat in VS Code, its forks
// and its servers: chat sessions, transcripts, memories and indexes below each
// edition's user folder, and chats its user exported
// (formats/vscode-copilot-chat.md).
//
// A session gets one item in each storage that holds it; those are joined by its id. A chat log
// is the whole conversation (rank log). The older document is left behind when a log begins, an
// export is whole but of a moment of the past, and memory, edits and the agent host complete a
// chat (rank sidecar). Transcripts and stores are append-only or cut: they fill gaps and know
// nothing of a rewind (rank store). Indexes alone make no note (rank index).
//
// Limits: a storage that no longer tells its folder gives a guessed place, and without a ledger
// the note then tells the project but not the folder. An edited .code-workspace moves no part of
// an item: its folders are seen when a session of it changes.
package vscode

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// Names that stand in notes and never change.
const (
	sourceName = "vscode"
	agentName  = "vscode-copilot"
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config struct {
	UserDirs []string // user folders to read, as given by the user
	Exports  []string // files and folders made by "Chat: Export Chat…"
	Defaults bool     // also read the user folder of every edition

	Env  func(string) string // looks up environment variables; nil: none is set
	Home string              // the user's home folder
	GOOS string              // operating system the default places are those of

	TempDir string // for copies of databases; "" means the system's

	StoreOnly bool // yield sessions of which only rows of the store are left
	Images    bool // keep the bytes of images that were added to a prompt
}

// Source reads the history of Copilot Chat. It implements sources.Source,
// sources.Watcher and sources.Detailer.
type Source struct {
	cfg Config

	mu     sync.Mutex
	listed map[string]bool // ids of the sessions of the last List
}

var (
	_ sources.Source   = (*Source)(nil)
	_ sources.Watcher  = (*Source)(nil)
	_ sources.Detailer = (*Source)(nil)
)

// New returns a reader; nothing is opened yet.
func New(c Config) *Source { return &Source{cfg: c} }

// Name is "vscode".
func (*Source) Name() string { return sourceName }

// listedSessions are the ids of the last List, which is made up for where there
// was none.
func (s *Source) listedSessions(ctx context.Context) (map[string]bool, error) {
	s.mu.Lock()
	listed := s.listed
	s.mu.Unlock()
	if listed != nil {
		return listed, nil
	}
	if _, err := s.List(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed, nil
}

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
