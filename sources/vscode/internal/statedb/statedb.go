// Package statedb reads what VS Code keeps of chats in small databases and
// indexes: the lists of sessions in a state.vscdb, and what the Copilot extension
// remembers of CLI sessions it started.
package statedb

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// State is what one state.vscdb says. The lists in it are caches: they are
// trimmed while files stay, and name sessions whose files are gone or never were.
type State struct {
	Entries []Entry            // one for each session, sorted by ID, then by Scheme
	Legacy  []*chatlog.Session // sessions of interactive.sessions, in the order of writing; nil: one that is none
	Skipped int                // entries of the lists that name no session
	Damage  []string           // what could not be read, in plain words
}

// Keys of ItemTable.
const (
	keyIndex  = "chat.ChatSessionStore.index"
	keyModel  = "agentSessions.model.cache"
	keyState  = "agentSessions.state.cache"
	keyLegacy = "interactive.sessions"
)

// maxValue bounds a value in bytes; all sessions of a workspace stood in one
// before March 2025.
const maxValue = 256 << 20

// backup is what VS Code adds to the name of a database when it closes it well.
const backup = ".backup"

// errNoTable says that a database holds no values: it was emptied, or never filled.
var errNoTable = errors.New("it has no table of values")

// Read reads the state.vscdb at path, or its backup where the database is damaged or
// empty, which is told. One that is busy is an error that wraps files.ErrBusy, for its
// backup is older than it. tempDir is for copies, as in sqlite.View.
func Read(ctx context.Context, path, tempDir string) (State, error) {
	s, err := readOne(ctx, path, tempDir)
	if err == nil || ctx.Err() != nil || errors.Is(err, files.ErrBusy) {
		return s, err
	}
	if older, failed := readOne(ctx, path+backup, tempDir); failed == nil {
		told := fmt.Sprintf("%v; its backup was read instead", err)
		older.Damage = append([]string{told}, older.Damage...)
		return older, nil
	}
	if errors.Is(err, errNoTable) {
		return State{}, nil
	}
	return State{}, err
}

// readOne reads one database. Values are read as UTF-8, the only encoding VS Code
// writes. One that is broken is told and leaves the others.
func readOne(ctx context.Context, path, tempDir string) (State, error) {
	var s State
	var values map[string]string
	err := sqlite.View(ctx, path, tempDir, func(db *sqlite.DB) (err error) {
		s = State{}
		values, err = s.values(ctx, db)
		return err
	})
	if err != nil {
		return State{}, fmt.Errorf("read state %q: %w", path, err)
	}
	var index struct {
		Entries decode.Table[*indexEntry] `json:"entries"`
	}
	var model, marks []providerEntry
	for _, list := range []struct {
		key  string
		kind jsontext.Kind
		into any
	}{
		{keyIndex, '{', &index}, {keyModel, '[', &model}, {keyState, '[', &marks}, {keyLegacy, '[', &s.Legacy},
	} {
		value := strings.TrimSpace(strings.TrimPrefix(values[list.key], "\ufeff"))
		d := decode.New(strings.NewReader(value))
		if len(value) > 0 && (d.PeekKind() != list.kind || d.Read(list.into) != nil) {
			s.Damage = append(s.Damage, fmt.Sprintf("%s is not readable to its end", list.key))
		}
	}
	l := lists{at: map[key]*Entry{}}
	l.addIndex(&index.Entries, true)
	l.addModel(model)
	l.addIndex(&index.Entries, false)
	l.addMarks(marks)
	s.Entries, s.Skipped = l.entries(), l.skipped
	return s, nil
}

// values are those of the known keys.
func (s *State) values(ctx context.Context, db *sqlite.DB) (map[string]string, error) {
	columns, err := db.Columns(ctx, "ItemTable")
	if err == nil && (!columns["key"] || !columns["value"]) {
		err = errNoTable
	}
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	return values, db.Each(ctx, `SELECT key, octet_length(value) > ?1, CASE WHEN octet_length(value) <= ?1 THEN CAST(value AS TEXT) END
		FROM ItemTable WHERE key IN (?2, ?3, ?4, ?5)`, func(c []string) {
		values[c[0]] = c[2]
		if c[1] == "1" {
			s.Damage = append(s.Damage, fmt.Sprintf("%s is larger than %d bytes", c[0], maxValue))
		}
	}, maxValue, keyIndex, keyModel, keyState, keyLegacy)
}

// maxMetadata bounds copilotcli.session.metadata.json, which has a few hundred
// bytes for each session.
const maxMetadata = 64 << 20

// Metadata reads copilotcli.session.metadata.json: what VS Code remembers of the
// sessions of Copilot CLI it started, by id. They hold a place and a title the user
// gave; those without either are left out.
func Metadata(path string) (map[string]*sources.Session, error) {
	text, err := files.ReadText(path, maxMetadata)
	if err == nil && text.Left != "" {
		err = fmt.Errorf("it is %s", text.Left)
	}
	var said decode.Table[words.Metadata]
	if err == nil && strings.TrimSpace(text.Body) != "" {
		err = decode.Text(text.Body, &said)
	}
	if err != nil {
		return nil, fmt.Errorf("read metadata %q: %w", path, err)
	}
	all := map[string]*sources.Session{}
	for id, m := range said.All() {
		s := &sources.Session{ID: plainID(id), Title: clean(m.CustomTitle), Place: m.Place()}
		if s.Title != "" {
			s.TitleFrom = sources.TrustCustom
		}
		known := s.Title != "" || s.Place.Cwd != "" || s.Place.GitRoot != "" || s.Place.Branch != ""
		if known && !strings.HasPrefix(id, "untitled") { // not begun
			all[s.ID] = s
		}
	}
	return all, nil
}
