package sidecars

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
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// State is the content of a state.vscdb. Its lists are caches: they are trimmed while files stay, and name
// sessions whose files are gone or never existed.
type State struct {
	Entries []Entry            // one for each session, sorted by ID
	Legacy  []*chatlog.Session // sessions of interactive.sessions, in the order of writing; nil for invalid ones
	Skipped int                // entries of the lists without a session
	Damage  []string           // unreadable parts, in plain words
}

// SchemeLocal is the scheme of VS Code's own sessions, whose files are on disk.
const SchemeLocal = "local"

// Entry is a session in the lists of VS Code, without agent; if only a list of marks has it, also without
// title and times.
type Entry struct {
	sources.Session
	Scheme string // provider of the session: "local", "copilotcli", "claude-code", …; empty: unknown
	Empty  bool   // without requests
}

// Keys of ItemTable.
const (
	keyIndex  = "chat.ChatSessionStore.index"
	keyModel  = "agentSessions.model.cache"
	keyState  = "agentSessions.state.cache"
	keyLegacy = "interactive.sessions"
)

// ReadState reads the state.vscdb at path. A file without values was emptied, or never filled. tempDir is for
// copies, as in sqlite.View. A broken value is reported, and the others are read.
func ReadState(ctx context.Context, path, tempDir string) (s State, err error) {
	values, err := sqlite.Values(ctx, path, tempDir, keyIndex, keyModel, keyState, keyLegacy)
	if err != nil {
		return s, fmt.Errorf("read state %q: %w", path, err)
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
	for i := range model {
		scheme, id := resourceID(model[i].Resource)
		l.add(scheme, id, &model[i])
	}
	l.addIndex(&index.Entries)
	l.addMarks(marks)
	s.Entries, s.Skipped = l.entries(), l.skipped
	return s, nil
}

// row is an entry of any list of VS Code, of any version.
type row struct {
	SessionID        string     `json:"sessionId"`
	Title            string     `json:"title"`
	Label            string     `json:"label"`
	Resource         editor.URI `json:"resource"`
	WorkingDirectory editor.URI `json:"workingDirectory"`
	LastMessageDate  int64      `json:"lastMessageDate"` // the one date that the index always had
	Timing           struct {
		Created            int64 `json:"created"`
		StartTime          int64 `json:"startTime"`
		LastRequestStarted int64 `json:"lastRequestStarted"`
		LastRequestEnded   int64 `json:"lastRequestEnded"`
		EndTime            int64 `json:"endTime"`
	} `json:"timing"`
	IsEmpty    bool  `json:"isEmpty"`
	IsExternal bool  `json:"isExternal"`
	Archived   *bool `json:"archived"`
	Pinned     bool  `json:"pinned"`
	Metadata   struct {
		WorkingDirectoryPath string `json:"workingDirectoryPath"`
		WorktreePath         string `json:"worktreePath"`
	} `json:"metadata"`
}

// lists merges all lists by the raw ids of sessions; the first one added takes precedence.
type lists struct {
	at      map[string]*Entry
	skipped int
}

// addIndex adds the entries of the index. VS Code itself drops the whole list for one invalid entry.
func (l *lists) addIndex(list *decode.Table[*row]) {
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
		l.add(scheme, cmp.Or(id, plainID(cmp.Or(n.SessionID, name))), n)
	}
}

// addMarks adds the user's marks of sessions, which override the provider's. A session with several resources
// is marked if one of them is.
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

// entries returns the entries of all lists. The title of VS Code's own session is often a cut of the first
// prompt; other providers give their sessions a name.
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

// resourceID returns provider and raw session id of a session resource: "vscode-chat-session://local/<base64url of the
// id>", "copilotcli:/<id>", "claude-code:<id>" and the like. The id is empty if it names no session.
func resourceID(u editor.URI) (scheme, id string) {
	scheme, id = u.Scheme, strings.Trim(u.Path, "/")
	if scheme == "vscode-chat-session" {
		scheme = cmp.Or(strings.ToLower(u.Authority), SchemeLocal)
		if decoded, ok := Segment(id); ok {
			id = decoded
		}
	}
	if scheme == "file" {
		return "", ""
	}
	return scheme, plainID(id)
}

// plainID returns an id as this reader writes it: a UUID in lower case.
func plainID(id string) string { return sources.FoldUUID(strings.TrimSpace(id)) }

func clean(title string) string { return strings.Join(strings.Fields(title), " ") }

// maxMetadata limits copilotcli.session.metadata.json, which has a few hundred bytes for each session.
const maxMetadata = 64 << 20

// Metadata reads copilotcli.session.metadata.json, VS Code's data about sessions of Copilot CLI that it
// started, by id. They hold a place and a title by the user; those without either are left out.
func Metadata(path string) (map[string]*sources.Session, error) {
	var said decode.Table[words.Metadata]
	damaged, err := decode.File(path, maxMetadata, &said)
	if damaged {
		err = errors.New("it is damaged")
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
