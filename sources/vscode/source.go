// Package vscode reads the history of GitHub Copilot Chat in VS Code, its forks and its servers: chat sessions,
// transcripts, memories and indexes below each edition's user folder, and chats its user exported.
//
// A session gets one item in each storage that holds it; those are joined by its id. A chat log is the whole
// conversation (rank log). The older document is left behind when a log begins, an export is whole but of a moment of
// the past, and memory, edits and the agent host complete a chat (rank sidecar). Transcripts and stores are append-only
// or cut: they fill gaps and know nothing of a rewind (rank store). Indexes alone make no note (rank index).
//
// Limits: a storage that no longer tells its folder gives a guessed place, and without a ledger the note then tells the
// project but not the folder. An edited .code-workspace moves no part of an item: its folders are seen when a session
// of it changes.
package vscode

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/statedb"
)

// Names that stand in notes and never change, and what people call the program.
const (
	sourceName  = "vscode"
	agentName   = "vscode-copilot"
	programName = "VS Code"

	layerLog        = sourceName + "/chatlog"
	layerDocument   = sourceName + "/chat"
	layerExport     = sourceName + "/export"
	layerTranscript = sourceName + "/transcript"
	layerMemory     = sourceName + "/memory"
	layerEdits      = sourceName + "/edits"
	layerHost       = sourceName + "/agenthost"
	layerIndex      = sourceName + "/index"
	layerStore      = sourceName + "/store"
	layerMetadata   = sourceName + "/metadata"
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config struct {
	UserDirs []string // user folders to read, as given by the user
	Exports  []string // files and folders made by "Chat: Export Chat…"
	Defaults bool     // also read the user folder of every edition

	Env       func(string) string // looks up environment variables; nil: none is set
	Home      string              // the user's home folder
	GOOS      string              // operating system the default places are those of
	TempDir   string              // for copies of databases; "" means the system's
	StoreOnly bool                // yield sessions of which only rows of the store are left
	Images    bool                // keep the bytes of images that were added to a prompt
}

// Source reads the history of Copilot Chat. It implements sources.Source, sources.Watcher and sources.Detailer.
type Source struct{ cfg Config }

// New returns a reader; nothing is opened yet.
func New(c Config) *Source { return &Source{cfg: c} }

// Name is "vscode".
func (*Source) Name() string { return sourceName }

// roots are the user folders.
func (s *Source) roots() []places.Root {
	return places.Roots(places.Config{Users: s.cfg.UserDirs, Defaults: s.cfg.Defaults, Env: s.cfg.Env, Home: s.cfg.Home, GOOS: s.cfg.GOOS})
}

// sessionsOf are the ids of all sessions of a listing.
func sessionsOf(l sources.Listing) map[string]bool {
	ids := map[string]bool{}
	for _, it := range l.Items {
		if it.Kind == sources.KindSession && it.Session != "" {
			ids[it.Session] = true
		}
	}
	return ids
}

// watched are patterns of what is worth a look when it changes, in a user folder and the profiles in
// it. VS Code writes to state.vscdb all the time, seldom something that is shown, and to
// chatEditingSessions only together with a chat: neither is among them.
var watched = func() (all []string) {
	const extension = "[Gg]it[Hh]ub.copilot-chat/" // however it is spelled
	for _, half := range []string{"", "profiles/*/"} {
		for _, folder := range []string{"workspaceStorage/*/chatSessions/", "globalStorage/emptyWindowChatSessions/", "globalStorage/transferredChatSessions/"} {
			all = append(all, half+folder+"*.jsonl", half+folder+"*.json")
		}
		for _, file := range []string{"transcripts/*.jsonl", "memory-tool/memories/*", "memory-tool/memories/*/*",
			"session-store.db", "session-store.db-wal", "copilotcli/copilotcli.session.metadata.json"} {
			all = append(all, half+"workspaceStorage/*/"+extension+file, half+"globalStorage/"+extension+file)
		}
	}
	return all
}()

// Watch names the user folders. What changes elsewhere, exports and what the agent host keeps, is
// seldom and found by the next List.
func (s *Source) Watch(context.Context) (roots []sources.WatchRoot) {
	for _, r := range s.roots() {
		roots = append(roots, sources.WatchRoot{Path: r.Path, Files: watched})
	}
	return roots
}

// Details lists the sessions that stand in an index and have no chat on this disk: deleted ones, and
// those another provider runs. An index that cannot be read is told as such.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	list, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	listed, out := sessionsOf(list), map[string][]string{}
	for _, st := range places.Storages(s.roots(), func(string, error) {}) { // List tells the problems
		if st.StateDB == "" {
			continue
		}
		state, err := statedb.Read(ctx, st.StateDB, s.cfg.TempDir)
		root := st.Root.Path
		if err != nil {
			out[root] = append(out[root], "index of "+st.Name+" cannot be read: "+err.Error())
		}
		for _, e := range state.Entries {
			if e.Title != "" && !listed[identity(e.ID, st.Name)] {
				out[root] = append(out[root], indexLine(e))
			}
		}
	}
	return out, ctx.Err()
}

// indexLine tells of a session of which only an index entry is here.
func indexLine(e statedb.Entry) string {
	words := []string{"no chat on this disk", string(e.Status), e.Changes, path.Base(e.Place.Cwd)}
	if e.Scheme != statedb.SchemeLocal {
		words[0] = "run by " + e.Scheme
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" || w == "." })
	return e.ID + " " + e.Title + " (" + strings.Join(words, ", ") + ")"
}

// identity is a UUID in lower case, else the id with the storage it counts in.
func identity(id, storage string) string {
	if id = sources.FoldUUID(id); sources.IsUUID(id) {
		return id
	}
	return sourceName + ":" + path.Base(storage) + ":" + id
}

// Names of parts. Memories of a session are named "memory/<folder>/<path>".
const (
	partLog        = "chat.jsonl"
	partDocument   = "chat.json"
	partTranscript = "transcript.jsonl"
	partEdits      = "edits"
	partWorkspace  = "workspace.json"
	partState      = "state.vscdb"
	partStore      = "store"
	partMetadata   = "metadata"
	partHost       = "agent-host"
	partExport     = "export"
	editsFolder    = "edits/" // of sessions that the state tells
	memoryFolder   = "memory/"
	repoMemory     = "repo-memory/"
	userMemory     = "user-memory/"
)

// List finds chats, memories and indexes in every storage of every edition, and the exports, by folder
// walks and stat alone.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	l := &lister{files.Lister{Source: sourceName, Program: programName}}
	roots := s.roots()
	for _, r := range roots {
		l.Out.Roots = append(l.Out.Roots, sources.Root{Path: r.Path, Found: r.Found, Why: r.Why})
		if r.Err != nil {
			l.Problem("", r.Path, r.Err)
		}
		if r.Found && filepath.Base(r.Path) == "User" { // beside a copy lies what nobody named
			l.agentHost(r)
		}
	}
	for _, st := range places.Storages(roots, func(path string, err error) { l.Problem("", path, err) }) {
		if ctx.Err() == nil {
			l.storage(st)
		}
	}
	l.exports(s.cfg.Exports, s.cfg.Home)
	names := files.StampNames(sessionsOf(l.Out))
	for _, it := range l.Out.Items {
		for j, p := range it.Parts {
			if p.Name == files.Names {
				it.Parts[j].Stamp = names
			}
		}
	}
	return l.Finish(partWorkspace), ctx.Err()
}

// lister gathers a listing.
type lister struct{ files.Lister }

// add lists an item, if it has any parts.
func (l *lister) add(it sources.Item, parts *files.Parts) {
	if len(parts.List) > 0 {
		it.Source, it.Parts = sourceName, parts.Sorted()
		l.Out.Items = append(l.Out.Items, it)
	}
}

// exports lists the files the user exported, each once. They say only inside which session they are of.
func (l *lister) exports(all []string, home string) {
	const depth = 4 // of the folders below a named one that are entered
	seen := map[string]bool{}
	for named := range homes.Paths(all, map[string]bool{}) {
		root, found := sources.Root{Path: named}, []string{named}
		info, err := os.Stat(named)
		if root.Found = err == nil; !root.Found {
			root.Why, found = files.WhyMissing(err), nil
		} else if info.IsDir() {
			found = l.exported(named, depth)
		}
		l.Out.Roots = append(l.Out.Roots, root)
		for _, path := range found {
			real, err := filepath.EvalSymlinks(path)
			if err != nil {
				l.Problem("export", path, err)
				continue
			}
			if seen[real] {
				continue
			}
			if seen[real] = true; path == named {
				path = real
			}
			parts := l.Parts("export")
			parts.File(partExport, path, nil)
			key := "export/" + words.PathTag(path, home, filepath.Base(path))
			l.add(sources.Item{Key: key, Kind: sources.KindSession, Root: named, Path: path}, &parts)
		}
	}
}

// exported are the exports in a folder: the dialog suggests chat.json, and some are kept as text.
func (l *lister) exported(dir string, depth int) (all []string) {
	for _, e := range l.ReadDir("export", dir) {
		path := filepath.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir() && depth > 0:
			all = append(all, l.exported(path, depth-1)...)
		case e.Type().IsRegular() && slices.Contains([]string{".json", ".txt"}, strings.ToLower(filepath.Ext(path))): // a link could lead anywhere
			all = append(all, path)
		}
	}
	return all
}

// agentHost lists what the agent host keeps of the sessions it runs: in <edition>/agentSessionData/<id>, beside the
// user folder. The name of a folder may have its provider before the id: one session may be known by several.
func (l *lister) agentHost(r places.Root) {
	const uuid = 36
	dir := filepath.Join(filepath.Dir(r.Path), "agentSessionData")
	entries, _ := os.ReadDir(dir) // rarely there
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		name, id := e.Name(), identity(e.Name(), "agent-host")
		if tail := sources.FoldUUID(name[max(0, len(name)-uuid):]); sources.IsUUID(tail) {
			id = tail
		}
		path, parts := filepath.Join(dir, name, "session.db"), l.Parts(r.Tag+"/agent-host")
		parts.Database(partHost, path)
		l.add(sources.Item{Key: r.Tag + "/agent-host/" + name, Kind: sources.KindSession, Session: id, Root: r.Path, Path: path}, &parts)
	}
}
