// Package sidecars reads what VS Code and its Copilot Chat extension keep beside
// a chat: transcripts, files of the memory tool, editing sessions and the
// database of the agent host. Each gives a sparse session, or a part of one, that
// completes the chat or stands for it where the chat is gone.
package sidecars

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chat"
)

// AgentHost reads agentSessionData/<id>/session.db, which holds no messages but
// the changes the agent made to files, in order, and what the editor noted of the
// session. The contents of files in
// it are not read. Copies, where needed, are made below tempDir.
func AgentHost(ctx context.Context, path, tempDir string) (*sources.Session, error) {
	var s *sources.Session
	err := sqlite.View(ctx, path, tempDir, func(db *sqlite.DB) error {
		s = &sources.Session{}
		return errors.Join(fileEdits(ctx, db, s), sessionMetadata(ctx, db, s))
	})
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
		if t := (sources.FileTouch{Path: editor.FileOf(path), Kind: kind, Turn: -1}); t.Path != "" && !seen[t] {
			seen[t] = true
			s.Files = append(s.Files, t)
		}
	}
	q := sqlite.Select(columns, "file_edits", "ORDER BY rowid", "file_path", "edit_type", "original_path")
	return db.Each(ctx, q, func(c []string) {
		kind := words.ChangeKind(c[1])
		if kind == sources.Renamed {
			add(c[2], sources.Deleted)
		}
		add(c[0], kind)
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
			s.Place.Cwd = editor.FileOf(value)
		case "copilot.project.uri":
			s.Place.GitRoot = editor.FileOf(value)
		case "copilot.worktree.branchName":
			s.Place.Branch = value
		}
	})
}

// TranscriptFile is what a transcript holds.
type TranscriptFile struct {
	// Session has no Agent, and is never Whole: a transcript begins
	// when something first asks for it, most in the middle of a turn. What
	// precedes the first prompt is a turn with an empty User. Turns have no ID.
	Session *sources.Session
	Unknown map[string]int // types of events that are not known
	Empty   bool           // nobody wrote a message: the run of a sub-agent
}

// Transcript reads GitHub.copilot-chat/transcripts/<id>.jsonl, an event log of few
// types of events. VS Code makes the ids of
// calls unique by a suffix, which stays in what it replays of the chat's history alone.
// Damage inside it is told in Session.Damage, and a last line without its end is left for
// the next time; the error is for a file that cannot be read, or a cancelled context.
func Transcript(ctx context.Context, path string) (TranscriptFile, error) {
	log, err := eventlog.ReadDialect(ctx, path, eventlog.Dialect{
		Typed:    func(prompt string) (string, bool) { return chat.CleanPrompt(prompt), !chat.NobodyTyped(prompt) },
		PathOf:   editor.FileOf,
		Replayed: "__vscode-",
		Of:       " of the transcript",
	})
	if err != nil {
		return TranscriptFile{}, err
	}
	s, empty := log.Session, true
	for i := range s.Turns {
		t := &s.Turns[i]
		t.ID, t.Attachments = "", nil
		empty = empty && t.User == ""
	}
	s.Complete, s.Place.Cwd, s.Updated = false, editor.FileOf(s.Place.Cwd), time.Time{}
	return TranscriptFile{Session: s, Unknown: log.Unknown, Empty: empty}, nil
}
