package vscode

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/statedb"
)

// readSessions reads an item that names its sessions only inside.
func (r *reading) readSessions(ctx context.Context) error {
	for part, read := range map[string]func(context.Context, string) error{
		partState: r.indexes, partStore: r.store, partMetadata: r.metadata, partExport: r.export,
	} {
		if p, ok := r.Item.Part(part); ok {
			return read(ctx, r.Item.File(p))
		}
	}
	for folder, scope := range map[string]sources.Scope{repoMemory: sources.ScopeRepo, userMemory: sources.ScopeUser} {
		if la := r.memories(folder); la != nil { // what the agent keeps of a repository, or of its user
			la.Session.IsMemory, la.Session.Scope = true, scope
			r.Give(sourceName+":"+r.Item.Key, *la)
			return nil
		}
	}
	return fmt.Errorf("read %q: nothing known among its parts", r.Item.Key)
}

// indexes reads a state.vscdb: the lists VS Code shows, and the sessions that versions before March
// 2025 kept in it. The name of the storage stands second from the end of the item's key.
func (r *reading) indexes(ctx context.Context, path string) error {
	state, err := statedb.Read(ctx, path, r.src.cfg.TempDir)
	if err != nil {
		return err
	}
	r.Unknown(map[string]int{"index entry without a session": state.Skipped})
	for _, d := range state.Damage {
		r.Out.Problems = append(r.Out.Problems, sources.Problem{Source: sourceName, Item: r.Item.Key, Path: path, Err: errors.New(d)})
	}
	segments := strings.Split(r.Item.Key, "/")
	storage := segments[max(0, len(segments)-2)]
	for _, e := range state.Entries {
		if e.Empty {
			continue
		}
		r.Agent = map[string]string{statedb.SchemeLocal: agentName}[e.Scheme]
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

// store reads the extension's own database: rows of sessions that are listed fill gaps; the others may
// have been deleted by the user, so they are named, and given only where Config.StoreOnly says so.
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

// metadata reads what the extension notes of CLI sessions it started.
func (r *reading) metadata(_ context.Context, path string) error {
	sessions, err := statedb.Metadata(path)
	r.Agent = "" // the CLI's
	for _, id := range slices.Sorted(maps.Keys(sessions)) {
		r.Give(identity(id, "metadata"), sources.Layer{Name: layerMetadata, Rank: sources.RankIndex, Session: sessions[id]})
	}
	return err
}
