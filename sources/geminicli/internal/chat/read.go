package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
)

// Chat is what files hold of one session.
type Chat struct {
	ID string // empty: none of them names it
	fold
	Torn    bool // a document ends where it cannot
	Unknown map[string]int
	damage  []string
}

// reader reads files, which may be of several sessions.
type reader struct {
	all []*Chat
	at  *Chat // of the records that are read
}

// Read reads files in order. One that names no session is of the one that was named last.
func Read(ctx context.Context, paths []string) ([]*Chat, error) {
	var r reader
	for _, path := range paths {
		r.enter("")
		read := r.log
		if strings.HasSuffix(path, ".json") {
			read = r.document
		}
		if err := read(ctx, path); err != nil {
			return nil, err
		}
	}
	return r.all, nil
}

// enter goes on with the session of an id; empty: with the one at hand.
func (r *reader) enter(id string) {
	id = sources.FoldUUID(id)
	i := slices.IndexFunc(r.all, func(c *Chat) bool { return c.ID == id })
	switch {
	case r.at != nil && (id == "" || id == r.at.ID):
	case i >= 0:
		r.at = r.all[i]
	case r.at != nil && r.at.ID == "":
		r.at.ID = id
	default:
		r.at = &Chat{ID: id, Unknown: map[string]int{}}
		r.all = append(r.all, r.at)
	}
}

func (r *reader) log(ctx context.Context, path string) error {
	bad := 0
	log := jsonl.Log[record]{Heads: []string{`{"id":"`, `{"$set":`, `{"$rewindTo":`}}
	log.Pass = func(head []byte) (unknown string, pass bool) { return "", r.at.pass(head) }
	log.Take = func(m *record) (unknown string, ok bool) {
		if m.SessionID != "" {
			r.enter(m.SessionID)
		}
		if log.Bad > bad {
			bad = log.Bad
			r.at.add(&message{Type: gap})
		}
		return r.at.take(m), true
	}
	err := log.ReadFile(ctx, path)
	r.at.damage = append(r.at.damage, log.Damage()...)
	for what, n := range log.Unknown {
		r.at.Unknown[what] += n
	}
	return err
}

// document reads a session of versions to 0.38: one document, written anew each time, so that it may be torn.
func (r *reader) document(ctx context.Context, path string) error {
	f, info, err := files.OpenLog(path)
	if err != nil {
		return fmt.Errorf("open chat: %w", err)
	}
	defer f.Close()
	d := decode.New(f)
	var head record
	err = d.Members(func(name string) error {
		if name != "messages" {
			return d.Member(&head, name)
		}
		r.enter(head.SessionID)
		return d.Elements(func() error {
			var m message
			if err := d.Read(&m); err != nil {
				return err
			}
			r.at.Records++
			if what := r.at.message(m); what != "" {
				r.at.Unknown[what]++
			}
			return ctx.Err()
		})
	})
	if head.SessionID != "" {
		r.enter(head.SessionID)
		r.at.Records, r.at.begun = r.at.Records+1, true
		r.at.describe(&head)
	}
	d.Unknown(r.at.Unknown)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && info.Size() > 0 {
		r.at.Torn = true
		r.at.damage = append(r.at.damage, "a chat is torn or damaged, what stood behind is lost")
	}
	return nil
}
