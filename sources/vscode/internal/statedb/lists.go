package statedb

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
)

// SchemeLocal names the sessions of VS Code's own chat, whose files are on disk.
const SchemeLocal = "local"

// Entry is one session as the lists of VS Code show it. The session has no agent;
// one that a list of marks alone knows has neither title nor times.
type Entry struct {
	sources.Session
	Scheme  string         // who provides the session: "local", "copilotcli", "claude-code", …; empty unknown
	Empty   bool           // it holds no request
	Status  sources.Status // of its last answer; empty: unknown
	Changes string         // "3 files, +10 -2"; empty: none, or unknown
}

// lists joins what all lists say; of two the first that was added knows better.
type lists struct {
	at      map[key]*Entry
	skipped int
}

// key tells sessions apart. Ids that are UUIDs name one session under every scheme,
// for sessions move from one provider to its successor; others name one session of
// their scheme.
type key struct{ scheme, id string }

func keyOf(scheme, id string) key {
	if sources.IsUUID(id) {
		scheme = ""
	}
	return key{scheme, id}
}

// indexEntry is one of chat.ChatSessionStore.index.
type indexEntry struct {
	SessionID         string     `json:"sessionId"`
	Title             string     `json:"title"`
	LastMessageDate   int64      `json:"lastMessageDate"`
	Timing            timing     `json:"timing"`
	Stats             changes    `json:"stats"`
	LastResponseState *int64     `json:"lastResponseState"`
	IsEmpty           bool       `json:"isEmpty"`
	IsExternal        bool       `json:"isExternal"`
	WorkingDirectory  editor.URI `json:"workingDirectory"`
}

// providerEntry is one of agentSessions.model.cache, and of agentSessions.state.cache.
type providerEntry struct {
	Resource    editor.URI `json:"resource"`
	Label       string     `json:"label"`
	Status      *int64     `json:"status"`
	StatusKnown *bool      `json:"statusKnown"`
	Archived    *bool      `json:"archived"`
	Pinned      bool       `json:"pinned"`
	Timing      timing     `json:"timing"`
	Changes     changes    `json:"changes"`
	Metadata    struct {
		WorkingDirectoryPath string `json:"workingDirectoryPath"`
		WorktreePath         string `json:"worktreePath"`
	} `json:"metadata"`
}

// timing are the times of a session, of any version.
type timing struct {
	Created            int64 `json:"created"`
	StartTime          int64 `json:"startTime"`
	LastRequestStarted int64 `json:"lastRequestStarted"`
	LastRequestEnded   int64 `json:"lastRequestEnded"`
	EndTime            int64 `json:"endTime"`
}

// changes are numbers of files and lines, or a list of files with theirs.
type changes struct {
	FileCount  int64     `json:"fileCount"` // the first three in the index, the others in the cache
	Added      int64     `json:"added"`
	Removed    int64     `json:"removed"`
	Files      int64     `json:"files"`
	Insertions int64     `json:"insertions"`
	Deletions  int64     `json:"deletions"`
	List       []changes `as:"list"`
}

// words are empty where nothing changed, or what cannot be.
func (c changes) words() string {
	files, added, removed := c.FileCount+c.Files, c.Added+c.Insertions, c.Removed+c.Deletions
	for _, f := range c.List {
		files, added, removed = files+1, added+f.Added+f.Insertions, removed+f.Removed+f.Deletions
	}
	if min(files, added, removed) < 0 || max(files, added, removed) == 0 {
		return ""
	}
	return fmt.Sprintf("%s, +%d -%d", words.Count(int(files), "file"), added, removed)
}

// The two enumerations of how a session stands: lastResponseState of the index, and
// status of the cache of agent sessions.
var (
	responseStates   = []sources.Status{sources.Pending, sources.Complete, sources.Cancelled, sources.Failed, sources.Pending}
	providerStatuses = []sources.Status{sources.Failed, sources.Complete, sources.Pending, sources.Pending}
)

// statusOf is empty for a number that is missing or not known.
func statusOf(n *int64, words []sources.Status) sources.Status {
	if n == nil || *n < 0 || *n >= int64(len(words)) {
		return ""
	}
	return words[*n]
}

// addIndex takes in the local entries of the index, or the others. VS Code itself
// gives up the whole list for one entry that is wrong.
func (l *lists) addIndex(list *decode.Table[*indexEntry], local bool) {
	for name, n := range list.All() {
		if n == nil {
			n = &indexEntry{}
			name = ""
		}
		e := Entry{Empty: n.IsEmpty, Status: statusOf(n.LastResponseState, responseStates), Changes: n.Stats.words()}
		e.Title, e.Place.Cwd = clean(n.Title), n.WorkingDirectory.File()
		named, _ := editor.ParseURI(name)
		told, _ := editor.ParseURI(n.SessionID)
		if e.Scheme, e.ID = resourceID(named); e.ID == "" {
			e.Scheme, e.ID = resourceID(told)
		}
		if e.ID == "" && !n.IsExternal {
			e.Scheme = SchemeLocal
		}
		if e.ID = cmp.Or(e.ID, plainID(cmp.Or(n.SessionID, name))); (e.Scheme == SchemeLocal) == local {
			l.add(e, n.Timing, n.LastMessageDate)
		}
	}
}

// addModel takes in agentSessions.model.cache.
func (l *lists) addModel(list []providerEntry) {
	for _, n := range list {
		scheme, id := resourceID(n.Resource)
		if n.StatusKnown != nil && !*n.StatusKnown {
			n.Status = nil
		}
		l.add(Entry{Scheme: scheme, Status: statusOf(n.Status, providerStatuses), Changes: n.Changes.words(), Session: sources.Session{
			ID: id, Title: clean(n.Label), Archived: n.Archived != nil && *n.Archived,
			Place: sources.Place{Cwd: cmp.Or(n.Metadata.WorkingDirectoryPath, n.Metadata.WorktreePath)},
		}}, n.Timing, 0)
	}
}

// addMarks takes in agentSessions.state.cache: what the user did with sessions in
// the list, whose word counts before that of the provider. A session that has
// several resources is marked where one of them is.
func (l *lists) addMarks(list []providerEntry) {
	marked := map[key]bool{}
	for _, n := range list {
		scheme, id := resourceID(n.Resource)
		k, archived := keyOf(scheme, id), n.Archived != nil && *n.Archived
		if id == "" {
			l.skipped++
			continue
		}
		e := l.at[k]
		if e == nil && (archived || n.Pinned) {
			e = &Entry{Scheme: scheme, Session: sources.Session{ID: id}}
			l.at[k] = e
		}
		if e == nil {
			continue
		}
		if n.Archived != nil {
			e.Archived = archived || marked[k] && e.Archived
			marked[k] = true
		}
		e.Pinned = e.Pinned || n.Pinned
	}
}

// add takes in an entry of one list. last is the one date the index always had.
func (l *lists) add(n Entry, at timing, last int64) {
	if n.ID == "" {
		l.skipped++
		return
	}
	k := keyOf(n.Scheme, n.ID)
	e := l.at[k]
	if e == nil {
		e = &Entry{Session: sources.Session{ID: n.ID}}
		l.at[k] = e
	}
	e.Scheme = cmp.Or(e.Scheme, n.Scheme)
	e.Title = cmp.Or(e.Title, n.Title)
	e.Status = cmp.Or(e.Status, n.Status)
	e.Changes = cmp.Or(e.Changes, n.Changes)
	e.Place.Cwd = cmp.Or(e.Place.Cwd, n.Place.Cwd)
	e.Archived = e.Archived || n.Archived
	e.Empty = e.Empty || n.Empty
	created := chatlog.When(cmp.Or(at.Created, at.StartTime))
	if e.Created.IsZero() || !created.IsZero() && created.Before(e.Created) {
		e.Created = created
	}
	for _, ms := range []int64{at.Created, at.StartTime, at.LastRequestStarted, at.LastRequestEnded, at.EndTime, last} {
		if t := chatlog.When(ms); t.After(e.Updated) {
			e.Updated = t
		}
	}
}

// entries are those of all lists. The title of a session of VS Code's own is often
// a cut of the first prompt, that of others is the name their provider gave them.
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
	slices.SortFunc(out, func(a, b Entry) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Scheme, b.Scheme)) })
	return out
}

// resourceID gives provider and raw session id of a session resource:
// "vscode-chat-session://local/<base64url of the id>", "copilotcli:/<id>",
// "agent-host-copilotcli:/<id>", "claude-code:<id>" and their like. The id is empty
// where it names no session.
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
