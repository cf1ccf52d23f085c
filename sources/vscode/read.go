package vscode

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chat"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
)

type reading struct {
	files.Reading
	src *Source

	place    sources.Place // from workspace.json
	complete bool          // the mutation log holds the session from its start, undamaged
	chat     bool          // a chat has turns, or may have some that cannot be read now
}

// Read returns the layers of an item. Most items are a session; the others name theirs only inside: an index,
// a store, an export, shared memory.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{src: s, Reading: files.Reading{Item: item, Source: sourceName, Agent: agentName, Program: programName}}
	r.CountBytes(partWorkspace)
	if p, ok := item.Part(partWorkspace); ok { // if it is missing or empty, the chat itself may have the place
		var err error
		if r.place, err = editor.ReadWorkspace(item.File(p)); err != nil {
			r.Problem(item.File(p), err)
		}
	}
	r.place.Guessed = r.place.Cwd == "" && r.place.Workspace == "" && r.place.Repository == ""
	read := r.readSession
	if item.Session == "" {
		read = r.readSessions
	}
	if err := read(ctx); err != nil {
		return sources.Reading{}, err
	}
	for _, one := range append(r.Out.Sessions, sources.SessionLayers{Layers: r.Out.Layers}) {
		for _, la := range one.Layers {
			if la.Session != nil && !la.Session.Place.Guessed { // paths relative to its folder
				la.Session.ShortenFiles()
			}
		}
	}
	return r.Out, ctx.Err()
}

// readSession reads the layers of one session in order of authority: later ones know what earlier ones have.
func (r *reading) readSession(ctx context.Context) error {
	for _, one := range []struct {
		part, layer string
		rank        sources.Rank
		read        func(ctx context.Context, la *sources.Layer, path string) error
	}{
		{partLog, layerLog, sources.RankLog, r.readChat},
		{partDocument, layerDocument, sources.RankSidecar, r.readChat},
		{partTranscript, layerTranscript, sources.RankStore, r.readTranscript},
		{partEdits, layerEdits, sources.RankSidecar, r.readEdits},
	} {
		read := func(la *sources.Layer, path string) error { return one.read(ctx, la, path) }
		if err := r.Layer(ctx, sources.Layer{Name: one.layer, Rank: one.rank}, one.part, read); err != nil {
			return err
		}
	}
	if la := r.memories(memoryFolder); la != nil {
		r.Add(*la)
	}
	return nil
}

// readChat reads the mutation log, or the single file from before version 1.109. Later versions leave that
// behind when they begin a log, which holds the same and more; it is used if the log is unusable. A log that
// ends within the entry with the session is being rewritten, an emptied one is left by a crash, and one that
// never had a request does not replace a document beside it. VS Code reads nothing of a damaged document.
func (r *reading) readChat(ctx context.Context, la *sources.Layer, path string) error {
	if r.complete {
		return nil
	}
	f, err := chatlog.Read(ctx, path, r.src.cfg.Images)
	if err != nil {
		r.chat = true
		return err
	}
	la.Session = r.convert(f, r.Item.Session)
	r.chat = r.chat || f.Torn || len(la.Session.Turns) > 0
	if la.Name == layerDocument {
		la.Provisional = !f.Whole || len(f.Damage) > 0
		return nil
	}
	_, document := r.Item.Part(partDocument)
	la.Provisional = f.Torn || f.State == nil
	la.Session.Complete = f.Whole && (len(la.Session.Turns) > 0 || f.Rewound || !document)
	if r.complete = la.Session.Complete && len(f.Damage) == 0; r.complete {
		la.Session.Supersedes = []string{layerDocument}
	}
	return nil
}

// convert builds a session from a file. Without an id, it gets one from the file.
func (r *reading) convert(f chatlog.File, id string) *sources.Session {
	s, unknown := chat.Convert(f.State, id, r.place)
	r.Unknown(f.Unknown)
	r.Unknown(unknown)
	s.Complete, s.Rewound = f.Whole, s.Rewound || f.Rewound
	s.Damage = append(s.Damage, f.Damage...)
	return s
}

// readTranscript reads the extension's log: a supplement to the chat, or all there is.
func (r *reading) readTranscript(ctx context.Context, la *sources.Layer, path string) error {
	t, err := sidecars.Transcript(ctx, path)
	if err != nil {
		return err
	}
	r.Unknown(t.Unknown)
	_, log := r.Item.Part(partLog)
	_, document := r.Item.Part(partDocument)
	if t.Empty && !log && !document { // the run of a sub-agent: nobody asked it anything
		la.Session = &sources.Session{Damage: t.Session.Damage}
		return nil
	}
	la.Session = t.Session
	if la.Session.Place.Guessed = true; chat.IsKnown(r.place) || la.Session.Place.Cwd == "" {
		la.Session.Place = r.place
	}
	if r.chat {
		besideChat(la.Session)
	}
	return nil
}

// besideChat removes from a transcript the turn that began before it, and the sub-agents: the chat has that
// turn with its prompt, and the sub-agents under other ids.
func besideChat(s *sources.Session) {
	s.Delegated = nil
	if len(s.Turns) == 0 || s.Turns[0].User != "" {
		return
	}
	s.Turns = s.Turns[1:]
	for i := range s.Turns {
		s.Turns[i].Index = i
	}
	for i := range s.Files {
		s.Files[i].Turn = max(s.Files[i].Turn-1, -1) // the removed turn becomes unknown
	}
}

// readEdits reads which files the editor saw changed, and the person's decisions.
func (r *reading) readEdits(_ context.Context, la *sources.Layer, path string) (err error) {
	if la.Session, err = sidecars.Edits(path); err == nil {
		la.Session.Place = r.place
	}
	return err
}

// memories reads the files of one scope, or returns nil. Except for the user's, they are in a folder for the
// scope, which is not part of their name. A file that cannot be read now is reported as a problem.
func (r *reading) memories(folder string) *sources.Layer {
	s, found := &sources.Session{Place: r.place}, false
	for _, p := range r.Item.Parts {
		name, ok := strings.CutPrefix(p.Name, folder)
		if !ok {
			continue
		}
		if found = true; folder == memoryFolder {
			_, name, _ = strings.Cut(name, "/")
		}
		if a, err := r.Artifact(p, sources.Memory, name, sidecars.MaxMemory); err != nil {
			r.Problem(r.Item.File(p), err)
		} else {
			sidecars.Memory(&a)
			s.Artifacts = append(s.Artifacts, a)
		}
	}
	if !found {
		return nil
	}
	slices.SortStableFunc(s.Artifacts, func(a, b sources.Artifact) int { return strings.Compare(a.Name, b.Name) })
	return &sources.Layer{Name: layerMemory, Rank: sources.RankSidecar, Session: s, Accumulates: true}
}

// export reads a chat saved by its user. It has no id, unless it is a copied session file: the first request
// gives it one, which a later, longer export shares.
func (r *reading) export(ctx context.Context, path string) error {
	f, err := chatlog.Read(ctx, path, r.src.cfg.Images)
	if err != nil {
		return err
	}
	s := r.convert(f, "")
	if len(s.Turns) == 0 { // reported once: it is not read again until it changes
		why := strings.Join(append([]string{"no chat in it that can be read"}, s.Damage...), ", ")
		r.Out.Problems = append(r.Out.Problems, sources.Problem{Source: sourceName, Item: r.Item.Key, Path: path,
			Err: fmt.Errorf("read %q: %s", path, why), Hint: `exports are made in VS Code with "Chat: Export Chat…"`})
		return nil
	}
	r.Give(s.ID, sources.Layer{Name: layerExport, Rank: sources.RankSidecar, Session: s})
	return nil
}

func (r *reading) readSessions(ctx context.Context) error {
	for part, read := range map[string]func(context.Context, string) error{
		partState: r.indexes, partStore: r.store, partMetadata: r.metadata, partExport: r.export,
	} {
		if p, ok := r.Item.Part(part); ok {
			return read(ctx, r.Item.File(p))
		}
	}
	for folder, scope := range map[string]sources.Scope{repoMemory: sources.ScopeRepo, userMemory: sources.ScopeUser} {
		if la := r.memories(folder); la != nil { // memories about a repository, or its user
			la.Session.IsMemory, la.Session.Scope = true, scope
			r.Give(sourceName+":"+r.Item.Key, *la)
			return nil
		}
	}
	return fmt.Errorf("read %q: nothing known among its parts", r.Item.Key)
}

// indexes reads a state.vscdb: VS Code's lists, and the sessions that versions before March 2025 kept in it.
// The name of the storage is second from the end of the item's key.
func (r *reading) indexes(ctx context.Context, path string) error {
	state, err := sidecars.ReadState(ctx, path, r.src.cfg.TempDir)
	if err != nil {
		return err
	}
	r.Unknown(map[string]int{"index entry without a session": state.Skipped})
	for _, d := range state.Damage {
		r.Damaged(path, errors.New(d))
	}
	segments := strings.Split(r.Item.Key, "/")
	storage := segments[max(0, len(segments)-2)]
	for _, e := range state.Entries {
		if e.Empty {
			continue
		}
		r.Agent = map[string]string{sidecars.SchemeLocal: agentName}[e.Scheme]
		r.Give(identity(e.ID, storage), sources.Layer{Name: layerIndex, Rank: sources.RankIndex, Session: &e.Session})
	}
	r.Agent = agentName
	for _, legacy := range state.Legacy {
		if legacy == nil {
			continue
		}
		s := r.convert(chatlog.File{State: legacy, Whole: true}, "")
		if id := legacy.SessionID; id != "" {
			s.ID = identity(id, storage)
		}
		if len(s.Turns) > 0 {
			r.Give(s.ID, sources.Layer{Name: layerDocument, Rank: sources.RankSidecar, Session: s})
		}
	}
	return nil
}

// store reads the extension's own database: rows of listed sessions fill gaps; the user may have deleted the
// others, so they are named, and returned only if Config.StoreOnly is set.
func (r *reading) store(ctx context.Context, path string) error {
	list, err := r.src.List(ctx)
	if err != nil {
		return err
	}
	listed := sessionsOf(list)
	rows, err := sqlite.StoreRows(ctx, path, r.src.cfg.TempDir)
	if err != nil {
		return err
	}
	for _, row := range rows {
		id := identity(row.ID, "store")
		if !listed[id] && row.Spoken {
			r.Out.RowsOnly = append(r.Out.RowsOnly, id)
			if !r.src.cfg.StoreOnly {
				continue
			}
			row.Session.Damage = []string{"only the rows of the extension's store are left"}
		}
		r.Give(id, sources.Layer{Name: layerStore, Rank: sources.RankStore, Session: row.Session})
	}
	return nil
}

func (r *reading) metadata(_ context.Context, path string) error {
	sessions, err := sidecars.Metadata(path)
	r.Agent = "" // the CLI's
	for _, id := range slices.Sorted(maps.Keys(sessions)) {
		r.Give(identity(id, "metadata"), sources.Layer{Name: layerMetadata, Rank: sources.RankIndex, Session: sessions[id]})
	}
	return err
}
