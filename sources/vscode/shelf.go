package vscode

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/stamp"
	"github.com/sessionloom/sessionloom/sources/internal/storerows"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/statedb"
)

// onlyRows tells in a note that nothing else was left.
const onlyRows = "only the rows of the extension's store are left"

// shelf is what an item holds that names no session.
type shelf struct {
	sessions []sources.SessionLayers
	rowsOnly []string
	missed   bool // something of it could not be read now
}

// readShelf reads an item that names its sessions only inside. It is given again
// only when what it holds changed.
func (s *Source) readShelf(ctx context.Context, item sources.Item, prior sources.Prior) (sources.Reading, error) {
	r := &reading{src: s, item: item, prior: prior}
	r.readWorkspace()
	basis := stamp.Hash(r.basis, boolWord(s.cfg.StoreOnly))
	raw := prior.Cursor(layerShelf)
	old := decodeCursor(raw)
	mark := stamp.NewMark(item.Parts, basis, s.cfg.Now())
	if old.Stands(mark) {
		return shelfReading(r.out, raw, true, shelf{}), nil
	}
	all, err := r.shelf(ctx)
	if err != nil {
		return sources.Reading{}, err
	}
	mark.Young = mark.Young || all.missed
	next := cursor{Mark: mark, Told: r.told, Content: all.digest()}
	same := old.Basis == basis && old.Content == next.Content
	return shelfReading(r.out, next.encode(), same, all), nil
}

func shelfReading(out sources.Reading, cursor []byte, same bool, all shelf) sources.Reading {
	out.Layers = []sources.Layer{{Name: layerShelf, Rank: sources.RankIndex, Same: same, Cursor: cursor}}
	out.RowsOnly = all.rowsOnly
	if !same {
		out.Sessions = all.sessions
	}
	return out
}

func (x shelf) digest() string {
	b, err := json.Marshal(x.sessions)
	if err != nil {
		return "" // plain data always encodes
	}
	return stamp.Hash(string(b), strings.Join(x.rowsOnly, "\x00"))
}

// shelf reads whatever kind of item it is.
func (r *reading) shelf(ctx context.Context) (shelf, error) {
	for _, p := range r.item.Parts {
		path := r.item.File(p)
		switch p.Name {
		case partState:
			return r.indexes(ctx, p, path)
		case partStore:
			return r.store(ctx, p, path)
		case partMetadata:
			return r.metadata(path)
		case partExport:
			return r.export(ctx, path)
		}
		for folder, scope := range map[string]sources.Scope{repoMemory: sources.ScopeRepo, userMemory: sources.ScopeUser} {
			if strings.HasPrefix(p.Name, folder) {
				return r.sharedMemory(folder, scope)
			}
		}
	}
	return shelf{}, fmt.Errorf("read %q: nothing known among its parts", r.item.Key)
}

func (x *shelf) add(id, layer string, rank sources.Rank, s *sources.Session) {
	s.ID = id
	finish(s)
	x.sessions = append(x.sessions, sources.SessionLayers{ID: id, Layers: []sources.Layer{{Name: layer, Rank: rank, Session: s}}})
}

// indexes reads a state.vscdb: the lists VS Code shows, and the sessions that
// versions before March 2025 kept in it (section 3.1).
func (r *reading) indexes(ctx context.Context, p sources.Part, path string) (all shelf, err error) {
	state, err := statedb.Read(ctx, path, r.src.cfg.TempDir)
	if err != nil {
		return all, err
	}
	r.out.BytesRead += p.Stamp.Size
	r.count(map[string]int{"index entry without a session": state.Skipped})
	for _, d := range state.Damage {
		r.out.Problems = append(r.out.Problems, sources.Problem{Source: sourceName, Item: r.item.Key, Path: path, Err: errors.New(d)})
	}
	for _, e := range state.Entries {
		if e.Empty {
			continue
		}
		s := e.Session()
		if e.Scheme == statedb.SchemeLocal {
			s.Agent = agentName
		}
		all.add(identity(e.ID, r.storage()), layerIndex, sources.RankIndex, s)
	}
	for _, legacy := range state.Legacy {
		s := r.convertDocument(chatlog.File{State: legacy, Whole: true}, "")
		if id := legacy.Get("sessionId").Text(); id != "" {
			s.ID = identity(id, r.storage())
		}
		if len(s.Turns) > 0 {
			all.add(s.ID, layerDocument, sources.RankSidecar, s)
		}
	}
	return all, nil
}

// storage is the name of the item's storage, which stands second from the end of
// its key.
func (r *reading) storage() string {
	segments := strings.Split(r.item.Key, "/")
	return segments[max(0, len(segments)-2)]
}

// store reads the extension's own database: rows of sessions that are listed
// fill gaps; the others may have been deleted by the user, so they are named, and
// given only where Config.StoreOnly says so (section 5.4).
func (r *reading) store(ctx context.Context, p sources.Part, path string) (all shelf, err error) {
	listed, err := r.src.listedSessions(ctx)
	if err != nil {
		return all, err
	}
	rows, err := storerows.All(ctx, path, r.src.cfg.TempDir)
	if errors.Is(err, storerows.ErrReplaced) {
		r.problem(path, err)
	} else if err != nil {
		return all, err
	}
	r.out.BytesRead += p.Stamp.Size
	for _, row := range rows {
		id := identity(row.ID, "store")
		if !listed[id] && row.Spoken {
			all.rowsOnly = append(all.rowsOnly, id)
			if !r.src.cfg.StoreOnly {
				continue
			}
			row.Session.Damage = []string{onlyRows}
		}
		row.Session.Agent = agentName
		all.add(id, layerStore, sources.RankStore, row.Session)
	}
	return all, nil
}

// metadata reads what the extension notes of CLI sessions it started.
func (r *reading) metadata(path string) (all shelf, err error) {
	sessions, n, err := statedb.Metadata(path)
	if err != nil {
		return all, err
	}
	r.out.BytesRead += n
	for _, id := range slices.Sorted(maps.Keys(sessions)) {
		all.add(identity(id, "metadata"), layerMetadata, sources.RankIndex, sessions[id])
	}
	return all, nil
}

// export reads a chat its user saved. It carries no id: the first request gives
// it one, which a later, longer export shares (section 2.1).
func (r *reading) export(ctx context.Context, path string) (all shelf, err error) {
	f, err := chatlog.ReadDocument(ctx, path, r.options())
	if err != nil {
		return all, err
	}
	r.out.BytesRead += f.BytesRead
	id := ""
	if own := sources.FoldUUID(f.State.Get("sessionId").Text()); sources.IsUUID(own) {
		id = own // a session file that somebody copied
	}
	s := r.convertDocument(f, id)
	if len(s.Turns) == 0 { // told once: it is not tried again until it changes
		why := strings.Join(append([]string{"no chat in it that can be read"}, s.Damage...), ", ")
		r.out.Problems = append(r.out.Problems, sources.Problem{Source: sourceName, Item: r.item.Key, Path: path,
			Err: fmt.Errorf("read %q: %s", path, why), Hint: `exports are made in VS Code with "Chat: Export Chat…"`})
		return all, nil
	}
	all.add(s.ID, layerExport, sources.RankSidecar, s)
	return all, nil
}

// sharedMemory reads what the agent keeps of a repository, or of its user.
func (r *reading) sharedMemory(folder string, scope sources.Scope) (all shelf, err error) {
	now, missed, err := r.memories(partsNamed(r.item, folder), folder)
	if err != nil {
		return all, err
	}
	all.missed = missed
	s := &sources.Session{Agent: agentName, Shelf: true, Scope: scope, Place: r.place, Artifacts: now}
	all.add(sourceName+":"+r.item.Key, layerMemory, sources.RankSidecar, s)
	return all, nil
}
