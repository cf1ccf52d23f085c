// Package vscode reads the history of GitHub Copilot Chat in VS Code, its forks
// and its servers: chat sessions, transcripts, memories and indexes below each
// edition's user folder, and chats its user exported.
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
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
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
type Source struct{ cfg Config }

var (
	_ sources.Source   = (*Source)(nil)
	_ sources.Watcher  = (*Source)(nil)
	_ sources.Detailer = (*Source)(nil)
)

// New returns a reader; nothing is opened yet.
func New(c Config) *Source { return &Source{cfg: c} }

// Name is "vscode".
func (*Source) Name() string { return sourceName }

// listedSessions are the ids of all sessions that List finds.
func (s *Source) listedSessions(ctx context.Context) (map[string]bool, error) {
	l, err := s.List(ctx)
	return sessionsOf(l.Items), err
}

func sessionsOf(items []sources.Item) map[string]bool {
	ids := map[string]bool{}
	for _, it := range items {
		if it.Kind == sources.KindSession && it.Session != "" {
			ids[it.Session] = true
		}
	}
	return ids
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

// Watch names the user folders. What changes elsewhere, exports and what the agent host
// keeps, is seldom and found by the next List.
func (s *Source) Watch(ctx context.Context) []sources.WatchRoot {
	var roots []sources.WatchRoot
	for _, r := range places.Roots(s.places()) {
		if ctx.Err() != nil {
			return nil
		}
		roots = append(roots, sources.WatchRoot{Path: r.Path, Files: userFiles()})
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

// The layers of a session. They are listed in notes, so they never change.
const (
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

// Read returns the layers of an item. Most items are a session; the others name
// theirs only inside: an index, a store, an export, memory that is shared.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{src: s, Reading: files.Reading{
		Item: item, Source: sourceName, Agent: agentName, Program: programName,
	}}
	r.CountBytes(partWorkspace)
	r.readWorkspace()
	layers := []func(context.Context) error{
		r.readLog, r.readDocument, r.readTranscript, r.readMemory, r.readEdits, r.readHost,
	}
	if item.Session == "" {
		layers = []func(context.Context) error{r.readMultiSession}
	}
	for _, layer := range layers { // in order of authority; a later one is told what the earlier ones know
		if err := ctx.Err(); err != nil {
			return sources.Reading{}, err
		}
		if err := layer(ctx); err != nil {
			return sources.Reading{}, err
		}
	}
	for _, la := range r.Out.Layers {
		shorten(la.Session)
	}
	return r.Out, ctx.Err()
}

// reading is one Read of an item under way.
type reading struct {
	files.Reading
	src *Source

	place    sources.Place // as workspace.json tells it
	complete bool          // the mutation log holds the session from its start, undamaged
	chat     bool          // a chat tells turns, or may have told some that cannot be read now
}

// readWorkspace finds out what folder the storage is of. A workspace that cannot
// be read is told. Where one is gone, or says nothing, the place is guessed by
// what the chat itself says.
func (r *reading) readWorkspace() {
	if p, ok := r.Item.Part(partWorkspace); ok {
		var err error
		if r.place, err = editor.ReadWorkspace(r.Item.File(p)); err != nil {
			r.Problem(r.Item.File(p), err)
		}
	}
	r.place.Guessed = r.place.Cwd == "" && r.place.Workspace == "" && r.place.Repository == ""
}

// memories reads the files of one scope; nil: there are none. All but the user's
// lie in a folder that stands for the scope and is no part of their name. One that
// cannot be read now is told as a problem.
func (r *reading) memories(folder string) *sources.Layer {
	s := &sources.Session{Place: r.place}
	found := false
	for _, p := range r.Item.Parts {
		name, ok := strings.CutPrefix(p.Name, folder)
		if !ok {
			continue
		}
		found = true
		if folder == memoryFolder {
			_, name, _ = strings.Cut(name, "/")
		}
		a, err := r.Artifact(p, sources.Memory, name, sidecars.MaxMemory)
		if err != nil {
			r.Problem(r.Item.File(p), err)
			continue
		}
		sidecars.Memory(&a)
		s.Artifacts = append(s.Artifacts, a)
	}
	if !found {
		return nil
	}
	slices.SortStableFunc(s.Artifacts, func(a, b sources.Artifact) int { return strings.Compare(a.Name, b.Name) })
	return &sources.Layer{Name: layerMemory, Rank: sources.RankSidecar, Session: s, Accumulates: true}
}

// shorten tells files from the folder that a session worked in, if that is known.
func shorten(s *sources.Session) {
	if s != nil && !s.Place.Guessed {
		s.ShortenFiles()
	}
}
