package copilotcli

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf16"

	"gopkg.in/yaml.v3"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// workspace is workspace.yaml: flat keys and one-line values, by older versions
// of the CLI written without quotes even where YAML would want them.
type workspace map[string]string

var (
	// keyLine is a key at the start of a line, as all keys of the file are.
	keyLine = pattern.Lazy(`^([A-Za-z_][A-Za-z0-9_]*):(?:\s+(.*))?$`)
	// structure is a list, a map, the beginning of a text of several lines, or a name for one.
	structure = pattern.Lazy(`^((&\S+ )?[\[{].*[\]}]|[|>][-+]?|\*\S+)$`)
)

// readWorkspace reads the file line by line, so that a path, a colon or a number sign
// in a value stays as it was written. damaged says that it holds something that the CLI
// does not write, which is left out.
func readWorkspace(text string) (w workspace, damaged bool) {
	w = workspace{}
	for line := range strings.Lines(text) {
		m := keyLine().FindStringSubmatch(strings.TrimRight(line, " \t\r\n"))
		if m == nil {
			continue
		}
		value := strings.TrimSpace(m[2])
		switch {
		case structure().MatchString(value):
			damaged = true
			continue
		case strings.HasPrefix(value, "'") || strings.HasPrefix(value, `"`):
			var quoted string
			if yaml.Unmarshal([]byte(value), &quoted) == nil {
				value = quoted
			}
		case value == "null" || value == "~":
			value = ""
		}
		w[m[1]] = value
	}
	return w, damaged || len(w) == 0 && strings.TrimSpace(text) != ""
}

// apply fills a session. The branch is that of the start; updated_at is left
// out, for it moves on resume and rename, not with the conversation.
func (w workspace) apply(s *sources.Session, prompt string) {
	trust := sources.TrustNamed
	if w["user_named"] == "true" {
		trust = sources.TrustUser
	}
	offer(s, prompt, w["name"], trust)
	offer(s, prompt, w["summary"], sources.TrustNamed)
	s.Place = sources.Place{
		Cwd: w["cwd"], GitRoot: w["git_root"], Repository: w["repository"],
		HostType: w["host_type"], Branch: w["branch"],
	}
	s.Created = words.Time(w["created_at"])
}

// storeCut is where the CLI cuts the first prompt for the store's summary, in
// UTF-16 units, before it adds "...".
const storeCut = 100

// isPrompt says that a name is only the first prompt: it whole, its first line, or cut.
func isPrompt(prompt, title string) bool {
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	prompt, title = oneLine(prompt), oneLine(title)
	cut := strings.TrimSuffix(strings.TrimSuffix(title, "…"), "...")
	if cut == title {
		return title == prompt || title == oneLine(line)
	}
	// A cut of full length is one of a prompt, even of one that was taken back.
	return strings.HasPrefix(prompt, strings.TrimSpace(cut)) || len(utf16.Encode([]rune(cut))) >= storeCut-1
}

// oneLine folds white space into single blanks, in as much of a text as a title may have.
func oneLine(s string) string { return strings.Join(strings.Fields(s[:min(len(s), 64<<10)]), " ") }

// offer sets the title where it is trusted more than the one that stands. A name that
// is only the first prompt is trusted as little, but where the user gave it.
func offer(s *sources.Session, prompt, title string, trust sources.Trust) {
	if title = strings.TrimSpace(title); title == "" {
		return
	}
	if trust < sources.TrustCustom && isPrompt(prompt, title) {
		trust = sources.TrustPrompt
	}
	if trust > s.TitleFrom {
		s.Title, s.TitleFrom = title, trust
	}
}

// store is session-store.db during one pass. The CLI derives it from the logs, a turn
// behind, and never deletes rows; it fills gaps and owns nothing.
type store struct {
	sqlite.Snapshot
	told atomic.Bool // that it cannot be read: one problem a pass is enough for all its sessions
}

// digest changes when what the store says of a session changes. "" means no rows.
func (s *store) digest(ctx context.Context, name string) (digest string, err error) {
	err = s.View(ctx, func(db *sqlite.DB) error {
		scanned, err := db.Scan(ctx)
		digest = ""
		if rows, ok := scanned[name]; ok {
			digest = files.Hash(rows.Parts...)
		}
		return err
	})
	return digest, err
}

// readRows fills gaps from the store.
func (r *reading) readRows(ctx context.Context) error {
	if r.store == nil {
		return nil
	}
	la := sources.Layer{Name: layerStore, Rank: sources.RankStore, Provisional: r.poorer}
	err := r.store.View(ctx, func(db *sqlite.DB) (err error) {
		la.Session, err = rowsOf(ctx, db, sessionName(r.Item), r.log, r.known)
		return err
	})
	if la.Failed = err != nil; la.Failed {
		la.Session = nil
		if ctx.Err() == nil && !r.store.told.Swap(true) {
			r.Problem(r.store.Path, err)
		}
	}
	if la.Failed || la.Session != nil {
		r.Add(la)
	}
	return ctx.Err()
}

// rowsOf makes a session of its rows, nil where the store has none of it. known are the
// checkpoints that log or files know.
func rowsOf(ctx context.Context, db *sqlite.DB, name string, log facts, known []int) (*sources.Session, error) {
	whole := log.read && log.whole
	var without []string
	if whole || log.rewound {
		without = append(without, sqlite.Turns)
	}
	if log.rewound { // rows outlive it
		without = append(without, sqlite.Checkpoints)
	}
	if log.rewound || log.fork && whole { // a fork's rows may be its parent's
		without = append(without, sqlite.Files, sqlite.Refs)
	}
	s, err := db.Session(ctx, name, without...)
	if err != nil || s == nil {
		return nil, err
	}
	s.Files = slices.DeleteFunc(s.Files, func(f sources.FileTouch) bool { return eventlog.InStateFolder(f.Path) })
	if whole { // only for the time and the sections a file may lack
		s.Checkpoints = slices.DeleteFunc(s.Checkpoints, func(c sources.Checkpoint) bool { return !slices.Contains(known, c.Number) })
	}
	if log.read { // after a rewind, a fork or a reindex the rows count turns as the log does not
		for i := range s.Files {
			s.Files[i].Turn = -1
		}
		for i := range s.Refs {
			s.Refs[i].Turn = -1
		}
	}
	prompt := log.prompt
	if prompt == "" && len(s.Turns) > 0 {
		prompt = s.Turns[0].User
	}
	if s.Title != "" && isPrompt(prompt, s.Title) {
		s.TitleFrom = sources.TrustPrompt
	}
	return s, nil
}
