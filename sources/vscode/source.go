// Package vscode reads the history of GitHub Copilot Chat in VS Code, its forks and its servers: chat sessions,
// transcripts, memories and indexes below each edition's user folder, and exported chats.
//
// A session has one item in each storage that holds it; they are joined by its id. A chat log is the whole conversation
// (rank log). An older document is left behind when a log begins, an export is whole up to a moment of the past, and memory
// and edits complete a chat (rank sidecar). Transcripts and stores are append-only or cut: they fill gaps and know no
// rewinds (rank store). Indexes alone make no note (rank index).
//
// Limits: if a storage no longer names its folder, the place is guessed, and without a ledger the note then has the project
// but not the folder. An edited .code-workspace changes no part of an item: its folders are read when a session of it
// changes.
package vscode

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
)

// Names that are in notes and never change, and the display name of the program.
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
	layerIndex      = sourceName + "/index"
	layerStore      = sourceName + "/store"
	layerMetadata   = sourceName + "/metadata"
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config struct {
	// UserDirs are user folders given by the user: "…/Code/User", the folder above it, a server's
	// ("~/.vscode-server") or a portable install.
	UserDirs []string
	Exports  []string // files and folders made by "Chat: Export Chat…"
	Defaults bool     // also read the user folder of every edition

	Env       func(string) string // looks up environment variables; nil: none is set
	Home      string              // the user's home folder
	GOOS      string              // operating system of the default places
	TempDir   string              // for copies of databases; "" means the system's
	StoreOnly bool                // yield sessions of which only rows of the store are left
	Images    bool                // keep the bytes of images in prompts

	drives string // where WSL mounts the drives of Windows; empty means /mnt
}

// Source reads the history of Copilot Chat. It implements sources.Source, sources.Watcher and sources.Detailer.
type Source struct{ cfg Config }

// New returns a reader; it opens nothing.
func New(c Config) *Source {
	if c.Env == nil {
		c.Env = func(string) string { return "" }
	}
	return &Source{cfg: c}
}

// Name returns "vscode".
func (*Source) Name() string { return sourceName }

func sessionsOf(l sources.Listing) map[string]bool {
	ids := map[string]bool{}
	for _, it := range l.Items {
		if it.Kind == sources.KindSession && it.Session != "" {
			ids[it.Session] = true
		}
	}
	return ids
}

// watched are patterns of files that matter when they change, in a user folder and the profiles in it.
// state.vscdb is not among them, as VS Code writes it all the time and rarely something that is shown, nor is
// chatEditingSessions, written only together with a chat.
var watched = func() (all []string) {
	const extension = "[Gg]it[Hh]ub.copilot-chat/" // in any spelling
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

// Watch returns the user folders. Exports change rarely, and are found by the next List.
func (s *Source) Watch(context.Context) (roots []sources.WatchRoot) {
	for _, u := range s.users() {
		roots = append(roots, sources.WatchRoot{Path: u.Root.Path, Files: watched})
	}
	return roots
}

// Details lists the sessions of an index that have no chat on this disk: deleted ones, and another
// provider's. An index that cannot be read is reported.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	list, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	listed, out := sessionsOf(list), map[string][]string{}
	for _, st := range storages(s.users()) { // List reports the problems
		if st.isTransferred() {
			continue
		}
		state, err := sidecars.ReadState(ctx, files.Below(st.dir, partState), s.cfg.TempDir)
		root := st.Root.Path
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			out[root] = append(out[root], "index of "+st.name+" cannot be read: "+err.Error())
		}
		for _, e := range state.Entries {
			if e.Title != "" && !listed[identity(e.ID, st.name)] {
				out[root] = append(out[root], indexLine(e))
			}
		}
	}
	return out, ctx.Err()
}

// indexLine describes a session of which only an index entry is here.
func indexLine(e sidecars.Entry) string {
	why := "no chat on this disk"
	if e.Scheme != sidecars.SchemeLocal {
		why = "run by " + e.Scheme
	}
	return e.ID + " " + e.Title + " (" + why + ")"
}

// identity returns a UUID in lower case, else the id with its storage.
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
	partExport     = "export"
	memoryFolder   = "memory/"
	repoMemory     = "repo-memory/"
	userMemory     = "user-memory/"
)

// List finds chats, memories and indexes of every edition, and the exports. It only walks folders and calls stat.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	out, users := lister(), s.users()
	for _, st := range storages(users) {
		if ctx.Err() == nil {
			st.list()
		}
	}
	for _, u := range users {
		u.AddTo(&out)
	}
	s.exports(&out)
	names := files.StampNames(sessionsOf(out.Out))
	for _, it := range out.Out.Items {
		for j, p := range it.Parts {
			if p.Name == files.Names {
				it.Parts[j].Stamp = names
			}
		}
	}
	return out.Finish(partWorkspace), ctx.Err()
}

func lister() files.Lister { return files.Lister{Source: sourceName, Program: programName} }

// exports lists the user's exported files, each once: the dialog suggests chat.json, and some are saved as
// text. Only their content says which session they belong to.
func (s *Source) exports(l *files.Lister) {
	const deepest = 4 // limit of folders below a named one
	seen := map[string]bool{}
	for named := range homes.Paths(s.cfg.Exports, map[string]bool{}) {
		top, err := filepath.EvalSymlinks(named)
		h := homes.Home{Lister: lister(), Root: sources.Root{Path: named, Found: err == nil}}
		if err != nil {
			h.Root.Why = files.WhyMissing(err)
			h.AddTo(l)
			continue
		}
		_ = filepath.WalkDir(top, func(path string, e fs.DirEntry, err error) error {
			isNamed, isExport := path == top, slices.Contains([]string{".json", ".txt"}, strings.ToLower(filepath.Ext(path)))
			switch {
			case err != nil:
				h.Problem("export", path, err)
			case e.IsDir() && !isNamed && (e.Name()[0] == '.' || strings.Count(path[len(top):], string(filepath.Separator)) > deepest):
				return filepath.SkipDir
			case seen[path] || e.IsDir():
			case isNamed || isExport && e.Type().IsRegular() && e.Name()[0] != '.': // a link could lead anywhere
				seen[path] = true
				parts := h.Parts("export")
				parts.File(partExport, path, nil)
				h.Add(sources.Item{Key: "export/" + words.PathTag(path, s.cfg.Home, filepath.Base(path)), Kind: sources.KindSession, Path: path}, parts)
			}
			return nil
		})
		h.AddTo(l)
	}
}
