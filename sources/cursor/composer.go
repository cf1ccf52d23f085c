package cursor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// composer reads a conversation of the IDE. That of a sub-agent is a layer of the one it worked
// for.
func (r *reading) composer(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerIDE, Rank: sources.RankLog}, partIDE, func(la *sources.Layer, path string) error {
		c := &conversation{id: composerID(r.Item)}
		err := r.src.store(path).view(ctx, func(db *sqlite.DB, x *index) error {
			*c = conversation{id: c.id, unknown: map[string]int{}}
			return c.read(ctx, db, x)
		})
		if err != nil {
			return fmt.Errorf("read conversation %q: %w", c.id, err)
		}
		r.Unknown(c.unknown)
		r.Out.Records += c.records
		r.Out.BytesRead += c.bytes
		switch {
		case c.broken:
			la.Session, la.Provisional = &sources.Session{Damage: []string{"its record could not be read"}}, true
		case c.b == nil: // a draft
		default:
			s := r.told(c)
			if c.root != "" {
				name := cmp.Or(title(string(c.Name)), string(c.Sub.TypeName), string(c.Sub.Type))
				r.give(sessionID(c.root), sources.Layer{Name: layerSubagents, Rank: sources.RankSidecar, Session: builder.WorkOf(s, sources.Delegation{ID: sessionID(c.id), Name: words.OneLine(name, titleSize)})})
			}
			if c.Sub.Parent == "" || string(c.Sub.Parent) == c.id { // else it never passed for one of the user's
				la.Session, la.Provisional = s, len(s.Damage) > 0
			}
		}
		return nil
	})
}

// told is a conversation as a session.
func (r *reading) told(c *conversation) *sources.Session {
	if len(c.Todos) > 0 {
		c.b.List(tools.Todos(c.Todos, time.Time{}))
	}
	s := finish(c.b, string(c.Status))
	s.Complete, s.Damage, s.Archived = true, c.damage(), c.Archived
	s.Supersedes = []string{layerTranscript, layerCLI}
	s.Created = c.Created.Time
	if s.Title = title(string(c.Name)); s.Title != "" {
		s.TitleFrom = sources.TrustNamed
	} else if s.Title = title(string(c.Subtitle)); s.Title != "" {
		s.TitleFrom = sources.TrustDerived
	}
	if name := model(c.Model.Name); len(s.Models) == 0 && name != "" {
		s.Models = []string{name}
	}
	if c.IsSub || c.root != "" || strings.HasPrefix(c.id, "task-") {
		s.Class = sources.Automatic
	}
	s.Place = c.place(r.lookUp)
	s.Place.Guessed = s.Place.Cwd == "" && s.Place.Workspace == "" && s.Place.Repository == ""
	dated := false
	for _, t := range s.Turns {
		dated = dated || !t.At.IsZero()
	}
	if !dated {
		s.Updated = later(c.Created.Time, c.Updated.Time)
	}
	return s
}

// lookUp finds the folder of a workspace by its name below workspaceStorage.
func (r *reading) lookUp(name string) sources.Place {
	path := filepath.Join(r.Item.Root, "workspaceStorage", name, partFolder)
	p, err := editor.ReadWorkspace(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.Problem(path, err)
	}
	return p
}

// conversation is one of the IDE on its way into a session.
type conversation struct {
	id string
	composer
	root   string           // for whom it worked; empty: it is one of the user's
	b      *builder.Builder // nil: nothing was said
	broken bool

	records, bad, missing int
	bytes                 int64
	unknown               map[string]int
}

// read reads the composer and its bubbles, in the order of its list: rows without a place in it are
// left over.
func (c *conversation) read(ctx context.Context, db *sqlite.DB, x *index) error {
	found, err := c.value(ctx, db, "composerData:"+c.id, &c.composer)
	if err != nil || found == gone {
		return err
	}
	c.records++
	if c.broken = found == damaged; c.broken {
		return nil
	}
	c.complete(x.headers[c.id])
	c.root = x.root(c.id)
	calls := map[string]*toolCall{}
	for _, capability := range c.Capabilities {
		for id, call := range capability.Data.Calls.V.All() {
			calls[id] = &call
		}
	}
	if len(c.Headers)+len(c.Inline) > 0 {
		c.b = newBuilder()
	} else if x.bubbles[c.id] != nil { // all was taken back, or the list is elsewhere now
		c.unknown["conversation without a list of messages"]++
	}
	if len(c.Headers) == 0 {
		for i := range c.Inline {
			c.records++
			c.message(&c.Inline[i], calls)
		}
		return nil
	}
	for _, ref := range c.Headers {
		if err := c.row(ctx, db, ref, calls); err != nil {
			return err
		}
	}
	return nil
}

// complete adds what the list of conversations tells alone.
func (c *conversation) complete(h header) {
	c.Name, c.Subtitle, c.Branch = cmp.Or(c.Name, h.Name), cmp.Or(c.Subtitle, h.Subtitle), cmp.Or(c.Branch, h.Branch)
	c.Archived, c.IsSub = c.Archived || h.Archived, h.IsSub
	if c.Created.IsZero() {
		c.Created = h.Created
	}
	if h.Updated.After(c.Updated.Time) {
		c.Updated = h.Updated
	}
	if w := &c.Workspace; !w.URI.IsSet() && !w.Config.IsSet() && (w.ID == "" || h.Workspace.URI.IsSet() || h.Workspace.Config.IsSet()) {
		*w = h.Workspace
	}
	if len(c.Repos) == 0 {
		c.Repos = h.Repos
	}
}

// What became of a row.
const (
	gone = iota
	damaged
	whole
)

// value reads the value of a key.
func (c *conversation) value(ctx context.Context, db *sqlite.DB, key string, into any) (found int, err error) {
	err = db.Each(ctx, "SELECT "+value+" FROM cursorDiskKV WHERE key = ?", func(col []string) {
		text := col[0]
		c.bytes += int64(len(text))
		d := &decode.Decoder{}
		d.ResetTo([]byte(text))
		if found = damaged; d.PeekKind() == '{' && d.Read(into) == nil {
			found = whole
		}
		d.Unknown(c.unknown)
	}, key)
	return found, err
}

// row reads a bubble. One that cannot be read leaves its place.
func (c *conversation) row(ctx context.Context, db *sqlite.DB, ref bubbleRef, calls map[string]*toolCall) error {
	var b bubble
	found, err := c.value(ctx, db, "bubbleId:"+c.id+":"+ref.ID, &b)
	if err != nil {
		return err
	}
	switch found {
	case whole:
		c.records++
		b.ID = ref.ID
		b.Type = cmp.Or(ref.Type, b.Type)
		c.message(&b, calls)
		return nil
	case damaged:
		c.records++
		c.bad++
	default:
		c.missing++
	}
	if ref.Type == typed {
		begin(c.b, ref.ID, "", time.Time{})
	}
	return nil
}

// message takes in a bubble.
func (c *conversation) message(b *bubble, calls map[string]*toolCall) {
	var t *builder.Turn
	switch b.Type {
	case typed:
		t = begin(c.b, b.ID, b.said(), b.Created.Time)
		t.Mode = cmp.Or(mode(b.Mode), mode(c.Mode))
	case answered:
		t = work(c.b, b.Created.Time)
		say(t, b.Text)
		call := &b.Call
		if older := calls[b.ID]; call.Name == "" && older != nil {
			call = older
		}
		if call.Name != "" {
			call.take(t)
		}
	default:
		c.unknown[fmt.Sprint("bubble type ", b.Type)]++
		return
	}
	t.By(model(b.Model.Name))
	t.Use(int64(b.Tokens.In), int64(b.Tokens.Out))
}

// damage says what could not be read.
func (c *conversation) damage() (all []string) {
	if c.bad > 0 {
		all = append(all, words.Count(c.bad, "message")+" could not be read")
	}
	if c.missing > 0 {
		all = append(all, words.Count(c.missing, "message")+" missing")
	}
	return all
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
