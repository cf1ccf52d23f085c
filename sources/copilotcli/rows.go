package copilotcli

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/snapshot"
)

// Columns that are read, by name, for their order changed when databases were
// migrated. updated_at is not among them: it moves on resume and rename only.
var (
	sessionColumns    = []string{"id", "cwd", "repository", "host_type", "branch", "summary", "created_at"}
	checkpointColumns = []string{"checkpoint_number", "title", "overview", "history", "work_done",
		"technical_details", "important_files", "next_steps", "created_at"}
)

// rowsReader makes a session of the store's rows.
type rowsReader struct {
	*store
	db     *snapshot.DB
	name   string // id as the store writes it
	hasLog bool
	log    facts
	known  []int // checkpoints that log or files know
}

// onlyRows tells in a note that nothing else was left.
const onlyRows = "only the store's rows are left"

// session returns nil where the store has no row of it.
func (r *rowsReader) session(ctx context.Context) (*sources.Session, error) {
	s := &sources.Session{}
	var found bool
	var summary string
	err := r.each(ctx, "sessions", "id", "", sessionColumns, func(c []string) {
		found, summary = true, c[5]
		s.Place = sources.Place{Cwd: c[1], Repository: c[2], HostType: c[3], Branch: c[4]}
		s.Created = parseTime(c[6])
	})
	if err != nil || !found {
		return nil, err
	}
	if !r.hasLog || !r.log.complete() && !r.log.Rewound {
		err = r.turns(ctx, s)
	}
	if err == nil && !r.log.Rewound {
		err = r.checkpoints(ctx, s)
	}
	// A fork's rows may be its parent's, and rows outlive what was rewound.
	if err == nil && !r.log.Rewound && (!r.log.Fork || !r.log.complete()) {
		err = firstError(r.files(ctx, s), r.refs(ctx, s))
	}
	if err != nil {
		return nil, err
	}
	prompt := r.log.First
	if len(prompt) == 0 && len(s.Turns) > 0 {
		prompt = promptHashes(s.Turns[0].User)
	}
	offer(s, summary, trustOf(prompt, summary, sources.TrustDerived))
	return s, nil
}

func (r *rowsReader) turns(ctx context.Context, s *sources.Session) error {
	want := []string{"turn_index", "user_message", "assistant_response", "timestamp"}
	return r.each(ctx, "turns", "session_id", "turn_index", want, func(c []string) {
		t := sources.Turn{Index: len(s.Turns), At: parseTime(c[3]), User: c[1], Assistant: c[2], Status: sources.Complete}
		if t.Assistant == "" {
			t.Status = sources.Pending
		}
		s.Turns = append(s.Turns, t)
	})
}

// checkpoints takes all where there is nothing better, else those that are known
// elsewhere, for the time and the sections a file may lack.
func (r *rowsReader) checkpoints(ctx context.Context, s *sources.Session) error {
	return r.each(ctx, "checkpoints", "session_id", "checkpoint_number", checkpointColumns, func(c []string) {
		n, err := strconv.Atoi(c[0])
		if err != nil || r.hasLog && r.log.complete() && !slices.Contains(r.known, n) {
			return
		}
		s.Checkpoints = append(s.Checkpoints, sources.Checkpoint{
			Number: n, Title: c[1], Overview: c[2], History: c[3], WorkDone: c[4],
			Technical: c[5], Important: c[6], NextSteps: c[7], At: parseTime(c[8]),
		})
	})
}

func (r *rowsReader) files(ctx context.Context, s *sources.Session) error {
	want := []string{"file_path", "tool_name", "turn_index", "first_seen_at"}
	return r.each(ctx, "session_files", "session_id", "id", want, func(c []string) {
		if c[0] == "" || inSessionState(c[0]) {
			return
		}
		kind := sources.Edited
		if c[1] == "create" {
			kind = sources.Created
		}
		s.Files = append(s.Files, sources.FileTouch{Path: c[0], Kind: kind, Tool: c[1], Turn: r.turn(c[2]), At: parseTime(c[3])})
	})
}

func (r *rowsReader) refs(ctx context.Context, s *sources.Session) error {
	want := []string{"ref_type", "ref_value", "turn_index"}
	return r.each(ctx, "session_refs", "session_id", "id", want, func(c []string) {
		if c[0] != "" && c[1] != "" {
			s.Refs = append(s.Refs, sources.Ref{Type: strings.ToLower(c[0]), Value: c[1], Turn: r.turn(c[2])})
		}
	})
}

// turn gives the index of a turn where the store counts as the session does:
// beside a log it may not, after a rewind, a fork or a reindex.
func (r *rowsReader) turn(index string) int {
	if n, err := strconv.Atoi(index); err == nil && n >= 0 && !r.hasLog {
		return n
	}
	return -1
}

// each runs over the rows of the session in one table.
func (r *rowsReader) each(ctx context.Context, table, key, order string, want []string, row func([]string)) error {
	columns := r.columns[table]
	if !columns[key] {
		return nil
	}
	rest := "WHERE " + key + " = ?"
	if columns[order] {
		rest += " ORDER BY " + order
	}
	return eachRow(ctx, r.db, snapshot.Select(columns, table, rest, want...), row, r.name)
}

// artifacts takes texts the CLI copied into its search index. It scans the whole
// index, so it serves only sessions of which nothing else is left.
func (r *rowsReader) artifacts(ctx context.Context, s *sources.Session) error {
	const query = `SELECT CAST(source_id AS TEXT), CAST(content AS TEXT) FROM search_index
		WHERE source_type = 'workspace_artifact' AND session_id = ? ORDER BY source_id`
	rows, err := r.db.Query(ctx, "SELECT 1 FROM sqlite_schema WHERE name = 'search_index' AND sql LIKE 'CREATE VIRTUAL TABLE%fts5%'")
	if err != nil {
		return err
	}
	has := rows.Next()
	if err := firstError(rows.Err(), rows.Close()); err != nil || !has {
		return err
	}
	return eachRow(ctx, r.db, query, func(c []string) {
		if a, ok := indexedArtifact(r.name, c[0], c[1]); ok {
			s.Artifacts = append(s.Artifacts, a)
		}
	}, r.name)
}

// indexedArtifact reads "<session>:workspace:<absolute path>".
func indexedArtifact(session, id, text string) (sources.Artifact, bool) {
	path, ok := strings.CutPrefix(id, session+":workspace:")
	path = strings.ReplaceAll(path, `\`, "/")
	_, rel, inside := strings.Cut(path, "/session-state/"+session+"/")
	if !ok || !inside {
		return sources.Artifact{}, false
	}
	folder, rest, nested := strings.Cut(rel, "/")
	a := sources.Artifact{Name: rest, Text: text, Size: int64(len(text))}
	switch {
	case nested && (folder == "files" || folder == "research"):
		a.Kind = artifactKind(folder)
	case rel == partPlan:
		a.Kind, a.Name = sources.Plan, partPlan
	default:
		return sources.Artifact{}, false
	}
	return a, true
}
