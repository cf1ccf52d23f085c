// Package statedb reads what VS Code keeps of chats in small databases and indexes: the lists of
// sessions in a state.vscdb, and what the Copilot extension remembers of CLI sessions it started.
package statedb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
)

// State is what one state.vscdb says. The lists in it are caches: they are trimmed while files stay,
// and name sessions whose files are gone or never were.
type State struct {
	Entries []Entry            // one for each session, sorted by ID
	Legacy  []*chatlog.Session // sessions of interactive.sessions, in the order of writing; nil: one that is none
	Skipped int                // entries of the lists that name no session
	Damage  []string           // what could not be read, in plain words
}

// SchemeLocal names the sessions of VS Code's own chat, whose files are on disk.
const SchemeLocal = "local"

// Entry is one session as the lists of VS Code show it. The session has no agent; one that a list of
// marks alone knows has neither title nor times.
type Entry struct {
	sources.Session
	Scheme  string         // who provides the session: "local", "copilotcli", "claude-code", …; empty unknown
	Empty   bool           // it holds no request
	Status  sources.Status // of its last answer; empty: unknown
	Changes string         // "3 files, +10 -2"; empty: none, or unknown
}

// Keys of ItemTable.
const (
	keyIndex  = "chat.ChatSessionStore.index"
	keyModel  = "agentSessions.model.cache"
	keyState  = "agentSessions.state.cache"
	keyLegacy = "interactive.sessions"
)

// maxValue bounds a value in bytes; all sessions of a workspace stood in one before March 2025.
const maxValue = 256 << 20

// errNoTable says that a database holds no values: it was emptied, or never filled.
var errNoTable = errors.New("it has no table of values")

// Read reads the state.vscdb at path, or its backup where the database is damaged or empty, which is
// told. One that is busy is an error that wraps files.ErrBusy, for its backup is older than it.
// tempDir is for copies, as in sqlite.View.
func Read(ctx context.Context, path, tempDir string) (State, error) {
	s, err := readOne(ctx, path, tempDir)
	if err == nil || ctx.Err() != nil || errors.Is(err, files.ErrBusy) {
		return s, err
	}
	if older, failed := readOne(ctx, path+".backup", tempDir); failed == nil {
		older.Damage = append([]string{fmt.Sprintf("%v; its backup was read instead", err)}, older.Damage...)
		return older, nil
	}
	if errors.Is(err, errNoTable) {
		err = nil
	}
	return State{}, err
}

// readOne reads one database. Values are read as UTF-8, the only encoding VS Code writes. One that is
// broken is told and leaves the others.
func readOne(ctx context.Context, path, tempDir string) (s State, err error) {
	var values map[string]string
	err = sqlite.View(ctx, path, tempDir, func(db *sqlite.DB) (err error) {
		s = State{}
		values, err = s.values(ctx, db)
		return err
	})
	if err != nil {
		return State{}, fmt.Errorf("read state %q: %w", path, err)
	}
	var index struct {
		Entries decode.Table[*row] `json:"entries"`
	}
	var model, marks []row
	read := func(key string, kind jsontext.Kind, into any) {
		value := strings.TrimSpace(strings.TrimPrefix(values[key], "\ufeff"))
		d := decode.New(strings.NewReader(value))
		if len(value) > 0 && (d.PeekKind() != kind || d.Read(into) != nil) {
			s.Damage = append(s.Damage, fmt.Sprintf("%s is not readable to its end", key))
		}
	}
	read(keyIndex, '{', &index)
	read(keyModel, '[', &model)
	read(keyState, '[', &marks)
	read(keyLegacy, '[', &s.Legacy)
	l := lists{at: map[string]*Entry{}}
	l.addIndex(&index.Entries, true)
	for i := range model {
		scheme, id := resourceID(model[i].Resource)
		l.add(scheme, id, &model[i])
	}
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

// lists joins what all lists say, by the raw ids of sessions; of two the first that was added knows better.
type lists struct {
	at      map[string]*Entry
	skipped int
}

// addIndex takes in the local entries of the index, or the others. VS Code itself gives up the whole
// list for one entry that is wrong.
func (l *lists) addIndex(list *decode.Table[*row], local bool) {
	for name, n := range list.All() {
		if n == nil {
			n, name = &row{}, ""
		}
		named, _ := editor.ParseURI(name)
		told, _ := editor.ParseURI(n.SessionID)
		scheme, id := resourceID(named)
		if id == "" {
			scheme, id = resourceID(told)
		}
		if id == "" && !n.IsExternal {
			scheme = SchemeLocal
		}
		if (scheme == SchemeLocal) == local {
			l.add(scheme, cmp.Or(id, plainID(cmp.Or(n.SessionID, name))), n)
		}
	}
}

// addMarks takes in what the user did with sessions in the list, whose word counts before that of
// the provider. A session that has several resources is marked where one of them is.
func (l *lists) addMarks(list []row) {
	marked := map[string]bool{}
	for _, n := range list {
		scheme, id := resourceID(n.Resource)
		e, archived := l.at[id], n.Archived != nil && *n.Archived
		switch {
		case id == "":
			l.skipped++
			continue
		case e == nil && !archived && !n.Pinned:
			continue
		case e == nil:
			e = &Entry{Scheme: scheme, Session: sources.Session{ID: id}}
			l.at[id] = e
		}
		if n.Archived != nil {
			e.Archived = archived || marked[id] && e.Archived
			marked[id] = true
		}
		e.Pinned = e.Pinned || n.Pinned
	}
}

// add takes in an entry of one list.
func (l *lists) add(scheme, id string, n *row) {
	if id == "" {
		l.skipped++
		return
	}
	e := l.at[id]
	if e == nil {
		e = &Entry{Session: sources.Session{ID: id}}
		l.at[id] = e
	}
	e.Scheme = cmp.Or(e.Scheme, scheme)
	e.Title = cmp.Or(e.Title, clean(n.Title), clean(n.Label))
	e.Status = cmp.Or(e.Status, n.status())
	e.Changes = cmp.Or(e.Changes, n.Stats.words(), n.Changes.words())
	e.Place.Cwd = cmp.Or(e.Place.Cwd, n.WorkingDirectory.File(), n.Metadata.WorkingDirectoryPath, n.Metadata.WorktreePath)
	e.Archived = e.Archived || n.Archived != nil && *n.Archived
	e.Empty = e.Empty || n.IsEmpty
	created := chatlog.When(cmp.Or(n.Timing.Created, n.Timing.StartTime))
	if e.Created.IsZero() || !created.IsZero() && created.Before(e.Created) {
		e.Created = created
	}
	for _, ms := range []int64{n.Timing.Created, n.Timing.StartTime, n.Timing.LastRequestStarted, n.Timing.LastRequestEnded, n.Timing.EndTime, n.LastMessageDate} {
		if t := chatlog.When(ms); t.After(e.Updated) {
			e.Updated = t
		}
	}
}

// entries are those of all lists. The title of a session of VS Code's own is often a cut of the first
// prompt, that of others is the name their provider gave them.
func (l *lists) entries() []Entry {
	out := make([]Entry, 0, len(l.at))
	for _, e := range l.at {
		switch {
		case e.Empty: // it is called "New Chat"
			e.Title = ""
		case e.Title != "" && e.Scheme == SchemeLocal:
			e.TitleFrom = sources.TrustDerived
		case e.Title != "":
			e.TitleFrom = sources.TrustNamed
		}
		out = append(out, *e)
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// resourceID gives provider and raw session id of a session resource: "vscode-chat-session://local/<base64url of the
// id>", "copilotcli:/<id>", "claude-code:<id>" and their like. The id is empty where it names no session.
func resourceID(u editor.URI) (scheme, id string) {
	scheme, id = u.Scheme, strings.Trim(u.Path, "/")
	if scheme == "vscode-chat-session" {
		scheme = cmp.Or(strings.ToLower(u.Authority), SchemeLocal)
		if decoded, ok := sidecars.Segment(id); ok {
			id = decoded
		}
	}
	if scheme == "file" {
		return "", ""
	}
	return scheme, plainID(id)
}

// plainID is an id as this reader gives it: a UUID in lower case.
func plainID(id string) string { return sources.FoldUUID(strings.TrimSpace(id)) }

// clean is a title on one line.
func clean(title string) string { return strings.Join(strings.Fields(title), " ") }
