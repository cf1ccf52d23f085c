package sqlite

import (
	"context"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Columns that are read, by name, for their order changed when databases were
// migrated. updated_at is not among them: it moves on resume and rename only.
var (
	sessionColumns    = []string{"id", "cwd", "repository", "host_type", "branch", "summary", "created_at"}
	turnColumns       = []string{"turn_index", "user_message", "assistant_response", "timestamp"}
	checkpointColumns = []string{"checkpoint_number", "title", "overview", "history", "work_done",
		"technical_details", "important_files", "next_steps", "created_at"}
	fileColumns = []string{"file_path", "tool_name", "turn_index", "first_seen_at"}
	refColumns  = []string{"ref_type", "ref_value", "turn_index"}
)

// Take says what to take of a session beside its own row.
type Take struct {
	Turns       bool
	Checkpoints bool
	Touches     bool // files and refs

	Checkpoint func(number int) bool  // which checkpoints; nil: each
	File       func(path string) bool // which files; nil: each
	// Numbered says that the rows count turns as the session does; else files and
	// refs get no turn.
	Numbered bool
}

// Session makes a session of its rows: sparse, without agent, its summary as a
// derived title. It is nil where the store has no row of it.
func (d *Store) Session(ctx context.Context, name string, take Take) (*sources.Session, error) {
	s := &sources.Session{}
	found := false
	err := d.of(ctx, name, "sessions", "id", "", sessionColumns, func(c []string) {
		found = true
		s.Place = sources.Place{Cwd: c[1], Repository: c[2], HostType: c[3], Branch: c[4]}
		s.Created = words.Time(c[6])
		if s.Title = strings.TrimSpace(c[5]); s.Title != "" {
			s.TitleFrom = sources.TrustDerived
		}
	})
	if err != nil || !found {
		return nil, err
	}
	for _, part := range []struct {
		wanted bool
		read   func(context.Context, string, Take, *sources.Session) error
	}{
		{take.Turns, d.turns}, {take.Checkpoints, d.checkpoints}, {take.Touches, d.files}, {take.Touches, d.refs},
	} {
		if !part.wanted {
			continue
		}
		if err := part.read(ctx, name, take, s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (d *Store) turns(ctx context.Context, name string, _ Take, s *sources.Session) error {
	return d.of(ctx, name, "turns", "session_id", "turn_index", turnColumns, func(c []string) {
		n, err := strconv.Atoi(c[0]) // what files and refs name it by
		if err != nil {
			n = len(s.Turns)
		}
		t := sources.Turn{Index: n, At: words.Time(c[3]), User: c[1], Assistant: c[2], Status: sources.Complete}
		if t.Assistant == "" {
			t.Status = sources.Pending
		}
		s.Turns = append(s.Turns, t)
	})
}

func (d *Store) checkpoints(ctx context.Context, name string, take Take, s *sources.Session) error {
	return d.of(ctx, name, "checkpoints", "session_id", "checkpoint_number", checkpointColumns, func(c []string) {
		n, err := strconv.Atoi(c[0])
		if err != nil || n <= 0 || n >= 1<<31 || take.Checkpoint != nil && !take.Checkpoint(n) {
			return
		}
		s.Checkpoints = append(s.Checkpoints, sources.Checkpoint{
			Number: n, Title: c[1], Overview: c[2], History: c[3], WorkDone: c[4],
			Technical: c[5], Important: c[6], NextSteps: c[7], At: words.Time(c[8]),
		})
	})
}

func (d *Store) files(ctx context.Context, name string, take Take, s *sources.Session) error {
	return d.of(ctx, name, "session_files", "session_id", "id", fileColumns, func(c []string) {
		if c[0] == "" || take.File != nil && !take.File(c[0]) {
			return
		}
		kind := sources.Edited
		switch words.ToolKind(c[1], "", "") {
		case sources.ToolCreate:
			kind = sources.Created
		case sources.ToolRead, sources.ToolSearch, sources.ToolList:
			kind = sources.Viewed
		}
		s.Files = append(s.Files, sources.FileTouch{Path: c[0], Kind: kind, Tool: c[1], Turn: take.turn(c[2]), At: words.Time(c[3])})
	})
}

func (d *Store) refs(ctx context.Context, name string, take Take, s *sources.Session) error {
	return d.of(ctx, name, "session_refs", "session_id", "id", refColumns, func(c []string) {
		if c[0] != "" && c[1] != "" {
			s.Refs = append(s.Refs, sources.Ref{Type: refType(c[0]), Value: c[1], Turn: take.turn(c[2])})
		}
	})
}

func (t Take) turn(index string) int {
	if n, err := strconv.Atoi(index); err == nil && n >= 0 && t.Numbered {
		return n
	}
	return -1
}

// refType is the kind of a ref; one of no known kind stays as it is.
func refType(s string) string {
	switch low := strings.ToLower(s); low {
	case sources.Commit, sources.PR, sources.Issue:
		return low
	}
	return s
}
