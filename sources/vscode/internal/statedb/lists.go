package statedb

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/uri"
)

// lists collects what all lists say. Ids that are UUIDs name one session under
// every scheme, for sessions move from one provider to its successor; others name
// one session of their scheme.
type lists struct {
	seen    []sighting
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

// sighting is an entry of one list.
type sighting struct {
	Entry
	rank int // the lower knows better
}

// mark is what the user did with a session in the list; nil: nothing.
type mark struct {
	scheme, id       string
	archived, pinned *bool
}

// Members that are read, by list.
var (
	indexFields = []string{"sessionId", "title", "lastMessageDate", "timing", "stats", "lastResponseState", "isEmpty", "isExternal", "workingDirectory"}
	modelFields = []string{"providerType", "resource", "label", "status", "statusKnown", "archived", "timing", "changes", "metadata"}
	stateFields = []string{"resource", "archived", "pinned"}
)

// readIndex reads chat.ChatSessionStore.index. VS Code itself gives up the whole
// list for one entry that is wrong.
func (l *lists) readIndex(value []byte) error {
	d := tree.NewDecoder(bytes.NewReader(value))
	return members(d, func(name string) error {
		if name != "entries" {
			return d.SkipValue()
		}
		return members(d, func(name string) error {
			n, err := tree.Read(d, only(indexFields...))
			if err == nil {
				l.addIndex(name, n)
			}
			return err
		})
	})
}

func (l *lists) addIndex(name string, n *tree.Node) {
	s := sighting{Entry: Entry{Title: clean(n.Get("title")), Status: responseStatus(n.Get("lastResponseState"))}}
	var ok bool
	if s.Scheme, s.ID, ok = ResourceID(name); !ok {
		s.Scheme, s.ID, ok = ResourceID(n.Get("sessionId").Text())
	}
	external, _ := n.Get("isExternal").Bool()
	if !ok {
		if s.Scheme, s.ID = SchemeLocal, plainID(cmp.Or(n.Get("sessionId").Text(), name)); external {
			s.Scheme = ""
		}
	}
	if n.Kind() != tree.Object || s.ID == "" {
		l.skipped++
		return
	}
	if s.Scheme != SchemeLocal {
		s.rank = 2
	}
	s.Empty, _ = n.Get("isEmpty").Bool()
	s.span(n.Get("timing"), n.Get("lastMessageDate"))
	s.Changes = change(n.Get("stats"), "fileCount", "added", "removed")
	if u, ok := uri.Of(n.Get("workingDirectory")); ok {
		s.WorkingDirectory = u.File()
	}
	l.seen = append(l.seen, s)
}

// readModel reads agentSessions.model.cache.
func (l *lists) readModel(value []byte) error {
	return l.readArray(value, modelFields, func(scheme, id string, n *tree.Node) {
		s := sighting{rank: 1, Entry: Entry{
			ID: id, Scheme: scheme, Title: clean(n.Get("label")), Status: providerStatus(n.Get("status")),
			Changes: change(n.Get("changes"), "files", "insertions", "deletions"),
		}}
		if known, ok := n.Get("statusKnown").Bool(); ok && !known {
			s.Status = ""
		}
		s.Archived, _ = n.Get("archived").Bool()
		s.span(n.Get("timing"), nil)
		m := n.Get("metadata")
		s.WorkingDirectory = cmp.Or(m.Get("workingDirectoryPath").Text(), m.Get("worktreePath").Text())
		l.seen = append(l.seen, s)
	})
}

// readState reads agentSessions.state.cache.
func (l *lists) readState(value []byte) error {
	l.marks = map[key]*mark{}
	return l.readArray(value, stateFields, func(scheme, id string, n *tree.Node) {
		k := keyOf(scheme, id)
		if l.marks[k] == nil {
			l.marks[k] = &mark{scheme: scheme, id: id}
		}
		l.marks[k].archived = either(l.marks[k].archived, n.Get("archived"))
		l.marks[k].pinned = either(l.marks[k].pinned, n.Get("pinned"))
	})
}

// either is true where one of several resources of a session is marked.
func either(old *bool, n *tree.Node) *bool {
	v, ok := n.Bool()
	if !ok {
		return old
	}
	v = v || old != nil && *old
	return &v
}

func (l *lists) readArray(value []byte, fields []string, add func(scheme, id string, n *tree.Node)) error {
	d := tree.NewDecoder(bytes.NewReader(value))
	return elements(d, func() error {
		n, err := tree.Read(d, only(fields...))
		if err != nil {
			return err
		}
		if scheme, id, ok := resourceOf(n.Get("resource")); ok {
			add(scheme, id, n)
		} else {
			l.skipped++
		}
		return nil
	})
}

// entries joins the lists. The outcome does not depend on their order.
func (l *lists) entries() []Entry {
	slices.SortStableFunc(l.seen, func(a, b sighting) int {
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
func clean(n *tree.Node) string { return strings.Join(strings.Fields(n.Text()), " ") }
