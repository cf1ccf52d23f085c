package sidecars

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// AgentHost reads agentSessionData/<id>/session.db, which holds no messages but
// the changes the agent made to files, in order, and what the editor noted of the
// session (formats/vscode-copilot-chat.md, section 5.4). The contents of files in
// it are not read. Copies, where needed, are made below tempDir.
func AgentHost(ctx context.Context, path, tempDir string) (*sources.Session, error) {
	db, err := sqlite.Open(ctx, path, tempDir)
	if err != nil {
		return nil, err
	}
	s := &sources.Session{}
	err = errors.Join(fileEdits(ctx, db, s), sessionMetadata(ctx, db, s), db.Unchanged(), db.Close())
	if err != nil {
		return nil, fmt.Errorf("read agent session %q: %w", path, err)
	}
	return s, nil
}

// fileEdits reads the changes. Before schema version 3 all were edits.
func fileEdits(ctx context.Context, db *sqlite.DB, s *sources.Session) error {
	columns, err := db.Columns(ctx, "file_edits")
	if err != nil || !columns["file_path"] {
		return err
	}
	seen := map[sources.FileTouch]bool{}
	add := func(path, kind string) {
		if t := (sources.FileTouch{Path: places.FileOf(path), Kind: kind, Turn: -1}); t.Path != "" && !seen[t] {
			seen[t] = true
			s.Files = append(s.Files, t)
		}
	}
	q := sqlite.Select(columns, "file_edits", "ORDER BY rowid", "file_path", "edit_type", "original_path")
	return db.Each(ctx, q, func(c []string) {
		switch c[1] {
		case "create":
			add(c[0], sources.Created)
		case "delete":
			add(c[0], sources.Deleted)
		case "rename":
			add(c[2], sources.Deleted)
			add(c[0], sources.Renamed)
		default:
			add(c[0], sources.Edited)
		}
	})
}

// sessionMetadata reads the title, the place and whether the user archived the
// session.
func sessionMetadata(ctx context.Context, db *sqlite.DB, s *sources.Session) error {
	columns, err := db.Columns(ctx, "session_metadata")
	if err != nil || !columns["key"] || !columns["value"] {
		return err
	}
	q := sqlite.Select(columns, "session_metadata", "ORDER BY key", "key", "value")
	return db.Each(ctx, q, func(c []string) {
		value := strings.TrimSpace(c[1])
		switch c[0] {
		case "customTitle":
			if value != "" {
				s.Title, s.TitleFrom = value, sources.TrustCustom
			}
		case "isArchived":
			s.Archived = value == "true"
		case "copilot.workingDirectory":
			s.Place.Cwd = places.FileOf(value)
		case "copilot.project.uri":
			s.Place.GitRoot = places.FileOf(value)
		case "copilot.worktree.branchName":
			s.Place.Branch = value
		}
	})
}
