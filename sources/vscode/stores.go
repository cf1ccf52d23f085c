package vscode

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
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
			la.Session.Agent, la.Session.IsMemory, la.Session.Scope = agentName, true, scope
			r.give(sourceName+":"+r.Item.Key, *la)
			return nil
		}
	}
	return fmt.Errorf("read %q: nothing known among its parts", r.Item.Key)
}

// give adds what layers say of one session.
func (r *reading) give(id string, layers ...sources.Layer) {
	for _, la := range layers {
		la.Session.ID = id
		shorten(la.Session)
		files.SetUpdated(la.Session)
	}
	r.Out.Sessions = append(r.Out.Sessions, sources.SessionLayers{ID: id, Layers: layers})
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
		if e.Scheme == statedb.SchemeLocal {
			e.Agent = agentName
		}
		layers := []sources.Layer{{Name: layerIndex, Rank: sources.RankIndex, Session: &e.Session}}
		if edits := r.hashedEdits(e); edits != nil {
			layers = append(layers, sources.Layer{Name: layerEdits, Rank: sources.RankSidecar, Session: edits})
		}
		r.give(identity(e.ID, storage), layers...)
	}
	for _, legacy := range state.Legacy {
		if legacy == nil {
			continue
		}
		s := r.convert(chatlog.File{State: legacy, Whole: true}, "")
		if id := legacy.SessionID; id != "" {
			s.ID = identity(id, storage)
		}
		if len(s.Turns) > 0 {
			r.give(s.ID, sources.Layer{Name: layerDocument, Rank: sources.RankSidecar, Session: s})
		}
	}
	return nil
}

// hashedEdits reads which files the editor saw changed by a session that another provider runs; nil: it kept nothing,
// or that cannot be read now. Its folder is named by the sha1 of the session's address, which changes where the
// session moves to the provider's successor. The requests are the editor's: no log of such a session knows their ids.
func (r *reading) hashedEdits(e statedb.Entry) (all *sources.Session) {
	folders := map[string]bool{}
	for _, scheme := range []string{e.Scheme, "copilotcli", "agent-host-copilotcli"} {
		sum := sha1.Sum([]byte(scheme + ":/" + e.ID))
		folders[editsFolder+hex.EncodeToString(sum[:])] = true
	}
	for _, p := range r.Item.Parts {
		if !folders[p.Name] {
			continue
		}
		s, err := sidecars.Edits(r.Item.File(p))
		if err != nil {
			r.Problem(r.Item.File(p), err)
			return nil
		}
		for i := range s.Files {
			s.Files[i].TurnID = ""
		}
		if all == nil {
			all = &sources.Session{}
		}
		all.Files, all.Damage = append(all.Files, s.Files...), append(all.Damage, s.Damage...)
	}
	return all
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
	if errors.Is(err, sqlite.ErrReplaced) {
		r.Problem(path, err)
	} else if err != nil {
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
		row.Session.Agent = agentName
		r.give(id, sources.Layer{Name: layerStore, Rank: sources.RankStore, Session: row.Session})
	}
	return nil
}

// metadata reads what the extension notes of CLI sessions it started.
func (r *reading) metadata(_ context.Context, path string) error {
	sessions, err := statedb.Metadata(path)
	for _, id := range slices.Sorted(maps.Keys(sessions)) {
		r.give(identity(id, "metadata"), sources.Layer{Name: layerMetadata, Rank: sources.RankIndex, Session: sessions[id]})
	}
	return err
}
