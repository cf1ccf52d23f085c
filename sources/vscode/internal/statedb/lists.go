package statedb

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// lists collects what all lists say. Ids that are UUIDs name one session under
// every scheme, for sessions move from one provider to its successor; others name
// one session of their scheme.
type lists struct {
	seen    []listed
	marks   map[key]*mark
	skipped int
}

type key struct{ scheme, id string }

func keyOf(scheme, id string) key {
	if sources.IsUUID(id) {
		scheme = ""
	}
	return key{scheme, id}
}

// listed is an entry of one list.
type listed struct {
	Entry
	rank int // the lower knows better
}

// mark is what the user did with a session in the list; nil: nothing.
type mark struct {
	scheme, id       string
	archived, pinned *bool
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
	WorkingDirectory  places.URI `json:"workingDirectory"`
}

// providerEntry is one of agentSessions.model.cache, and of agentSessions.state.cache.
type providerEntry struct {
	Resource    places.URI `json:"resource"`
	Label       string     `json:"label"`
	Status      *int64     `json:"status"`
	StatusKnown *bool      `json:"statusKnown"`
	Archived    *bool      `json:"archived"`
	Pinned      *bool      `json:"pinned"`
	Timing      timing     `json:"timing"`
	Changes     changes    `json:"changes"`
	Metadata    struct {
		WorkingDirectoryPath string `json:"workingDirectoryPath"`
		WorktreePath         string `json:"worktreePath"`
	} `json:"metadata"`
}

// readIndex reads chat.ChatSessionStore.index. VS Code itself gives up the whole
// list for one entry that is wrong.
func (l *lists) readIndex(value []byte) error {
	d := decode.New(bytes.NewReader(value))
	return members(d, func(name string) error {
		if name != "entries" {
			return d.SkipValue()
		}
		return members(d, func(name string) error {
			var e *indexEntry
			err := d.Read(&e)
			if err == nil {
				l.addIndex(name, e)
			}
			return err
		})
	})
}

func (l *lists) addIndex(name string, n *indexEntry) {
	if n == nil {
		l.skipped++
		return
	}
	s := listed{Entry: Entry{Title: clean(n.Title), Status: responseStatus(n.LastResponseState), Empty: n.IsEmpty,
		Changes: n.Stats.String(), WorkingDirectory: n.WorkingDirectory.File()}}
	var ok bool
	if s.Scheme, s.ID, ok = ResourceID(name); !ok {
		s.Scheme, s.ID, ok = ResourceID(n.SessionID)
	}
	if !ok {
		if s.Scheme, s.ID = SchemeLocal, plainID(cmp.Or(n.SessionID, name)); n.IsExternal {
			s.Scheme = ""
		}
	}
	if s.ID == "" {
		l.skipped++
		return
	}
	if s.Scheme != SchemeLocal {
		s.rank = 2
	}
	s.span(n.Timing, n.LastMessageDate)
	l.seen = append(l.seen, s)
}

// readModel reads agentSessions.model.cache.
func (l *lists) readModel(value []byte) error {
	return l.readArray(value, func(scheme, id string, n *providerEntry) {
		s := listed{rank: 1, Entry: Entry{
			ID: id, Scheme: scheme, Title: clean(n.Label), Status: providerStatus(n.Status), Changes: n.Changes.String(),
			Archived: n.Archived != nil && *n.Archived, WorkingDirectory: cmp.Or(n.Metadata.WorkingDirectoryPath, n.Metadata.WorktreePath),
		}}
		if n.StatusKnown != nil && !*n.StatusKnown {
			s.Status = ""
		}
		s.span(n.Timing, 0)
		l.seen = append(l.seen, s)
	})
}

// readState reads agentSessions.state.cache.
func (l *lists) readState(value []byte) error {
	l.marks = map[key]*mark{}
	return l.readArray(value, func(scheme, id string, n *providerEntry) {
		k := keyOf(scheme, id)
		if l.marks[k] == nil {
			l.marks[k] = &mark{scheme: scheme, id: id}
		}
		l.marks[k].archived = either(l.marks[k].archived, n.Archived)
		l.marks[k].pinned = either(l.marks[k].pinned, n.Pinned)
	})
}

// either is true where one of several resources of a session is marked.
func either(old, other *bool) *bool {
	if other == nil || old != nil && *old {
		return old
	}
	return other
}

func (l *lists) readArray(value []byte, add func(scheme, id string, n *providerEntry)) error {
	d := decode.New(bytes.NewReader(value))
	return elements(d, func() error {
		var n providerEntry
		if err := d.Read(&n); err != nil {
			return err
		}
		if scheme, id, ok := resourceID(n.Resource); ok {
			add(scheme, id, &n)
		} else {
			l.skipped++
		}
		return nil
	})
}

// entries joins the lists. The outcome does not depend on their order.
func (l *lists) entries() []Entry {
	slices.SortStableFunc(l.seen, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), b.Updated.Compare(a.Updated), cmp.Compare(a.Scheme, b.Scheme),
			cmp.Compare(a.Title, b.Title), cmp.Compare(a.Status, b.Status), cmp.Compare(a.Changes, b.Changes),
			cmp.Compare(a.WorkingDirectory, b.WorkingDirectory))
	})
	at := map[key]*Entry{}
	for _, s := range l.seen {
		k := keyOf(s.Scheme, s.ID)
		if at[k] == nil {
			at[k] = &Entry{ID: s.ID}
		}
		at[k].join(s.Entry)
	}
	for k, m := range l.marks {
		e := at[k]
		if e == nil {
			e = &Entry{ID: m.id, Scheme: m.scheme}
		}
		if m.archived != nil { // the user's word before that of the provider
			e.Archived = *m.archived
		}
		e.Pinned = m.pinned != nil && *m.pinned
		if e.Archived || e.Pinned {
			at[k] = e
		}
	}
	out := make([]Entry, 0, len(at))
	for _, e := range at {
		out = append(out, *e)
	}
	slices.SortFunc(out, func(a, b Entry) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Scheme, b.Scheme)) })
	return out
}

// join fills what is open from an entry that knows less well.
func (e *Entry) join(o Entry) {
	e.Scheme = cmp.Or(e.Scheme, o.Scheme)
	e.Title = cmp.Or(e.Title, o.Title)
	e.Status = cmp.Or(e.Status, o.Status)
	e.Changes = cmp.Or(e.Changes, o.Changes)
	e.WorkingDirectory = cmp.Or(e.WorkingDirectory, o.WorkingDirectory)
	e.Archived = e.Archived || o.Archived
	e.Empty = e.Empty || o.Empty
	if e.Created.IsZero() || !o.Created.IsZero() && o.Created.Before(e.Created) {
		e.Created = o.Created
	}
	if o.Updated.After(e.Updated) {
		e.Updated = o.Updated
	}
}

// clean is a title on one line.
func clean(title string) string { return strings.Join(strings.Fields(title), " ") }
