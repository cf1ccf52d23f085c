package opencode

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// list finds the sessions of a home and makes an item of each.
func (h *home) list(ctx context.Context, tempDir string) {
	for _, name := range h.databases() {
		parts := h.Parts(h.Tag)
		parts.Database(name, h.in(name))
		for _, p := range parts.List {
			p.Path, p.Shared = h.in(name), true
			h.Root.Bytes += p.Stamp.Size
			if err := h.look(ctx, p, tempDir); err != nil && ctx.Err() == nil {
				h.Problem(h.Tag, p.Path, err)
			}
		}
	}
	if h.Root.Found {
		h.lookAtFiles(ctx)
	}
	for id, at := range h.found {
		item := sources.Item{Source: agentName, Key: h.Tag + "/" + id, Kind: sources.KindSession, Session: id, Root: h.Root.Path}
		if at.database != nil {
			item.Path, item.Parts = at.database.Path, []sources.Part{*at.database}
		} else {
			item.Path, item.Parts = at.file, h.fileParts(id, at.file)
		}
		if len(item.Parts) > 0 {
			h.Out.Items = append(h.Out.Items, item)
		}
	}
}

// in is the path of something in the home.
func (h *home) in(name string) string { return files.Below(h.Root.Path, name) }

// look finds the sessions of a database.
func (h *home) look(ctx context.Context, p sources.Part, tempDir string) error {
	found := map[string]*place{}
	err := sqlite.View(ctx, p.Path, tempDir, func(db *sqlite.DB) error {
		clear(found)
		return sessionsIn(ctx, db, func(id string, updated int64, spoken bool) {
			if at := (&place{database: &p, updated: updated, spoken: spoken}); id != "" && at.betterThan(found[id]) {
				found[id] = at
			}
		})
	})
	if err != nil {
		return fmt.Errorf("list sessions: %w", err)
	}
	for id, at := range found {
		if at.betterThan(h.found[id]) {
			h.found[id] = at
		}
	}
	return nil
}

// sessionsIn gives the sessions of a database: their ids, when they were written last, and
// whether there are messages of them. None are in that of another program of the same name.
func sessionsIn(ctx context.Context, db *sqlite.DB, each func(id string, updated int64, spoken bool)) error {
	spoken := "0"
	for _, table := range []string{tableMessage, tableMessageV2} {
		columns, err := db.Columns(ctx, table)
		if err != nil {
			return err
		}
		if columns["session_id"] {
			spoken += " OR EXISTS (SELECT 1 FROM " + table + " m WHERE m.session_id = s.id)"
		}
	}
	for _, table := range []string{tableSession, tableSessionV2} {
		columns, err := db.Columns(ctx, table)
		if err != nil {
			return err
		}
		if !columns["id"] || !columns["time_updated"] {
			continue
		}
		err = db.Each(ctx, "SELECT s.id, CAST(s.time_updated AS TEXT), "+spoken+" FROM "+table+" s", func(c []string) {
			updated, _ := decode.Number(c[1])
			each(sessionID(c[0]), updated, c[2] == "1")
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sessionID is the id of a session as it is kept, empty for what can be none.
func sessionID(id string) string {
	if len(id) > 200 || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r == '/' || r == '\\' || r == 0x7f || r == '\ufffd' }) {
		return ""
	}
	return id
}

// lookAtFiles finds the sessions of the JSON store that no database has with messages: moving
// them into the database left many behind.
func (h *home) lookAtFiles(ctx context.Context) {
	sessions := h.in(filepath.Join("storage", "session"))
	for _, project := range h.ReadDir(h.Tag, sessions) {
		if ctx.Err() != nil || !project.IsDir() {
			continue
		}
		folder := files.Below(sessions, project.Name())
		for _, e := range h.ReadDir(h.Tag, folder) {
			id, ok := strings.CutSuffix(e.Name(), ".json")
			if id = sessionID(id); !ok || id == "" || e.IsDir() {
				continue
			}
			if at := h.found[id]; at == nil || at.database != nil && !at.spoken && h.hasMessages(id) {
				h.found[id] = &place{file: files.Below(folder, e.Name()), spoken: true}
			}
		}
	}
	if _, err := os.Lstat(h.in("project")); err == nil {
		h.Root.Notes = append(h.Root.Notes, "sessions of the oldest versions, in project/, are not read")
	}
}

func (h *home) messages(id string) string { return h.in(filepath.Join("storage", "message", id)) }

func (h *home) hasMessages(id string) bool { return len(h.ReadDir(h.Tag, h.messages(id))) > 0 }

// fileParts are the parts of a session in the JSON store. A message is written once more when its
// parts are complete, so that the parts themselves need no look.
func (h *home) fileParts(id, file string) []sources.Part {
	parts := h.Parts(h.Tag + "/" + id)
	parts.File("session", file, nil)
	parts.File("todo", h.in(filepath.Join("storage", "todo", id+".json")), nil)
	all := sources.Part{Name: "messages", Path: h.messages(id)}
	names := map[string]bool{}
	for _, e := range h.ReadInfo(h.Tag, all.Path) {
		info, err := e.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			h.Problem(h.Tag+"/"+id, all.Path, err)
		default:
			names[e.Name()] = true
			all.Stamp.Size += info.Size()
			all.Stamp.MTime = max(all.Stamp.MTime, info.ModTime().UnixNano())
		}
	}
	if len(names) > 0 {
		all.Stamp.Inode = files.StampNames(names).Inode
		parts.List = append(parts.List, all)
	}
	return parts.Sorted()
}
