package copilotcli

import (
	"context"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

// rowsReader makes a session of the store's rows.
type rowsReader struct {
	db     *sqlite.Store
	name   string // id as the store writes it
	hasLog bool
	log    facts
	known  []int // checkpoints that log or files know
}

// onlyRows tells in a note that nothing else was left.
const onlyRows = "only the store's rows are left"

// session returns nil where the store has no row of it. Beside a log the rows may
// count turns as the log does not, after a rewind, a fork or a reindex.
func (r rowsReader) session(ctx context.Context) (*sources.Session, error) {
	whole := r.hasLog && r.log.whole
	s, err := r.db.Session(ctx, r.name, sqlite.Take{
		Turns:       !r.hasLog || !r.log.whole && !r.log.rewound,
		Checkpoints: !r.log.rewound,
		// A fork's rows may be its parent's, and rows outlive what was rewound.
		Touches: !r.log.rewound && (!r.log.fork || !r.log.whole),
		// Beside a whole log only for the time and the sections a file may lack.
		Checkpoint: func(n int) bool { return !whole || slices.Contains(r.known, n) },
		File:       func(path string) bool { return !inSessionState(path) },
		Numbered:   !r.hasLog,
	})
	if err != nil || s == nil {
		return nil, err
	}
	prompt := r.log.first
	if len(prompt) == 0 && len(s.Turns) > 0 {
		prompt = promptForms(s.Turns[0].User)
	}
	if s.Title != "" {
		s.TitleFrom = trustOf(prompt, s.Title, s.TitleFrom)
	}
	return s, nil
}

// artifacts takes texts the CLI copied into its search index. It scans the whole
// index, so it serves only sessions of which nothing else is left.
func (r rowsReader) artifacts(ctx context.Context, s *sources.Session) error {
	const (
		index = "SELECT 1 FROM sqlite_schema WHERE name = 'search_index' AND sql LIKE 'CREATE VIRTUAL TABLE%fts5%'"
		texts = `SELECT CAST(source_id AS TEXT), CAST(content AS TEXT) FROM search_index
			WHERE source_type = 'workspace_artifact' AND session_id = ? ORDER BY source_id`
	)
	has := false
	if err := r.db.Each(ctx, index, func([]string) { has = true }); err != nil || !has {
		return err
	}
	return r.db.Each(ctx, texts, func(c []string) {
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
