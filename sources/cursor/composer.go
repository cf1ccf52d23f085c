package cursor

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// composer reads a conversation of the IDE. A sub-agent's conversation is a layer of its session.
func (r *reading) composer(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerIDE, Rank: sources.RankLog}, partIDE, func(la *sources.Layer, path string) error {
		var c *conversation
		id := composerID(r.Item)
		err := r.src.store(path).view(ctx, func(db *sqlite.DB, x *index) error {
			c = &conversation{talk: newTalk(), id: id, calls: map[string]toolCall{}, makes: map[string]bool{}}
			return c.read(ctx, db, x)
		})
		if err != nil {
			return fmt.Errorf("read conversation %q: %w", id, err)
		}
		r.count(c.talk)
		r.Out.BytesRead += c.bytes
		switch {
		case c.broken:
			la.Session, la.Provisional = &sources.Session{Damage: []string{"its record could not be read"}}, true
		case len(c.Headers)+len(c.Inline) > 0: // not a draft
			s := r.told(c)
			if c.root != "" {
				name := cmp.Or(title(c.Name), words.OneLine(string(cmp.Or(c.Sub.TypeName, c.Sub.Type)), titleSize))
				work := builder.WorkOf(s, sources.Delegation{ID: sessionID(id), Name: name})
				r.Give(sessionID(c.root), sources.Layer{Name: layerSubagents, Rank: sources.RankSidecar, Session: work})
			}
			if c.Sub.Parent == "" || string(c.Sub.Parent) == id { // else it never looked like a person's
				la.Session, la.Provisional = s, len(s.Damage) > 0
			}
		}
		return nil
	})
}

func (r *reading) told(c *conversation) *sources.Session {
	if len(c.Todos) > 0 {
		c.List(tools.Todos(c.Todos, time.Time{}))
	}
	c.Entitle(title(c.Name), sources.TrustNamed)
	c.Entitle(title(c.Subtitle), sources.TrustDerived)
	c.Session.Place = c.place(func(name string) sources.Place {
		return r.placeIn(filepath.Join(r.Item.Root, "workspaceStorage", name, partFolder))
	})
	c.Session.Complete, c.Session.Archived, c.Session.Created = true, c.Archived, c.Created.Time
	c.Session.Supersedes = []string{layerTranscript, layerCLI}
	s := r.finish(c.talk, c.Status)
	if name := c.Model.model(); len(s.Models) == 0 && name != "" {
		s.Models = []string{name}
	}
	if c.IsSub || c.root != "" || strings.HasPrefix(c.id, "task-") {
		s.Class = sources.Automatic
	}
	s.Updated = cmp.Or(s.Updated, later(c.Created.Time, c.Updated.Time)) // no message has a time
	return s
}

type conversation struct {
	*talk
	composer
	id     string
	root   string // for whom it worked, or "" for a person's
	broken bool
	bytes  int64
	calls  map[string]toolCall // stored beside the messages, by their ids
	makes  map[string]bool     // calls that made a file, which no tool says, by message id
}

// read reads the composer and its bubbles, in the order of its list: rows that it lacks are leftovers.
func (c *conversation) read(ctx context.Context, db *sqlite.DB, x *index) error {
	found, ok, err := c.value(ctx, db, "composerData:"+c.id, &c.composer)
	if c.broken = found && !ok; err != nil || !ok {
		return err
	}
	c.complete(x.headers[c.id])
	c.root = x.root(c.id)
	for _, file := range c.Changed.All() {
		if file.IsNew && file.First != "" {
			c.makes[string(file.First)] = true
		}
	}
	for _, one := range c.Capabilities {
		var calls decode.Table[toolCall]
		_ = decode.Text(string(one.Data.Calls), &calls) // damaged data is ignored
		for id, call := range calls.All() {
			c.calls[id] = call
		}
	}
	if len(c.Headers)+len(c.Inline) == 0 { // everything was taken back, or the list is elsewhere now
		return bubblesOf(ctx, db, c.id, "SELECT 1 FROM cursorDiskKV WHERE key > ?1 AND key < ?2 LIMIT 1", func([]string) {
			c.unknown["conversation without a list of messages"]++
		})
	}
	for _, ref := range c.Headers {
		if err := c.row(ctx, db, ref); err != nil {
			return err
		}
	}
	for i := range c.Inline {
		if len(c.Headers) == 0 {
			c.records++
			c.message(&c.Inline[i])
		}
	}
	return nil
}

// complete adds data that only the list of conversations has.
func (c *conversation) complete(h header) {
	c.Name, c.Subtitle, c.Branch = cmp.Or(c.Name, h.Name), cmp.Or(c.Subtitle, h.Subtitle), cmp.Or(c.Branch, h.Branch)
	c.Archived, c.IsSub = c.Archived || h.Archived, h.IsSub
	c.Created, c.Updated.Time = cmp.Or(c.Created, h.Created), later(c.Updated.Time, h.Updated.Time)
	if w := &c.Workspace; !w.URI.IsSet() && !w.Config.IsSet() && (w.ID == "" || h.Workspace.URI.IsSet() || h.Workspace.Config.IsSet()) {
		*w = h.Workspace
	}
	if len(c.Repos) == 0 {
		c.Repos = h.Repos
	}
}

func later(times ...time.Time) time.Time { return slices.MaxFunc(times, time.Time.Compare) }

// value reads the value of a key, and reports whether it exists and could be read.
func (c *conversation) value(ctx context.Context, db *sqlite.DB, key string, into any) (found, ok bool, err error) {
	err = db.Rows(ctx, "cursorDiskKV", "WHERE key = ?", func(col []string) {
		c.records++
		c.bytes += int64(len(col[0]))
		d := &decode.Decoder{}
		d.ResetTo([]byte(col[0]))
		found, ok = true, d.PeekKind() == '{' && d.Read(into) == nil
		d.Unknown(c.unknown)
	}, []any{key}, "value")
	return found, ok, err
}

// row reads a bubble. A bubble that cannot be read keeps its place.
func (c *conversation) row(ctx context.Context, db *sqlite.DB, ref bubbleRef) error {
	var b bubble
	found, ok, err := c.value(ctx, db, "bubbleId:"+c.id+":"+ref.ID, &b)
	switch {
	case err != nil:
		return err
	case ok:
		b.ID, b.Type = ref.ID, cmp.Or(ref.Type, b.Type)
		c.message(&b)
		return nil
	case found:
		c.bad++
	default:
		c.missing++
	}
	if ref.Type == typed {
		c.begin(ref.ID, "", time.Time{})
	}
	return nil
}

func (c *conversation) message(b *bubble) {
	var t *builder.Turn
	switch b.Type {
	case typed:
		t = c.begin(b.ID, b.said(), b.Created.Time)
		t.Mode = cmp.Or(mode(b.Mode), mode(c.Mode))
	case answered:
		t = c.work(b.Created.Time)
		t.Say(b.Text, builder.Answer)
		call := b.Call
		if call.Name == "" {
			call = c.calls[b.ID]
		}
		if call.Name != "" {
			call.take(t, c.makes[b.ID])
		}
	default:
		c.unknown[fmt.Sprint("bubble type ", b.Type)]++
		return
	}
	t.By(b.Model.model())
	t.Use(int64(b.Tokens.In), int64(b.Tokens.Out))
}

// statuses maps Cursor's words for how a turn or a call ended; others are ignored.
var statuses = map[decode.Loose]sources.Status{
	"completed": sources.Complete, "success": sources.Complete,
	"aborted": sources.Cancelled, "cancelled": sources.Cancelled, "canceled": sources.Cancelled,
	"error": sources.Failed, "failed": sources.Failed,
}

func stop(t *builder.Turn, status decode.Loose) {
	switch told := statuses[status]; {
	case told == sources.Cancelled:
		t.Cancel()
	case told == sources.Failed:
		t.Fail("")
	case told == sources.Complete && t.Worked():
		t.Status = told
	}
}

// take adds the call and its outcome to a turn. makes says that the file is new.
func (c *toolCall) take(t *builder.Turn, makes bool) {
	made := tools.About(string(c.Name), "", &c.Params)
	call := t.Call(builder.Call{Name: string(c.Name), Args: &c.Arguments, Command: made.Command, Files: made.Files, Detail: made.Detail})
	t.Complete()
	out := c.Result
	if out.Text != "" && decode.Text(out.Text, &out) != nil {
		out = outcome{} // another tool's outcome
	}
	r := builder.Result{Text: string(out.Output), Told: isAsk(call), Running: out.Running, Created: makes && len(call.About()) == 1}
	switch status := statuses[c.Status]; {
	case out.Rejected, slices.Contains([]decode.Loose{c.More.Status, c.Decision, c.Status}, "rejected"), status == sources.Cancelled:
		r.OK, r.Refused, r.Verdict = new(false), true, sources.Rejected
	case status == sources.Failed, c.More.Status == "error", out.Exit != nil && *out.Exit != 0:
		r.OK = new(false)
	case status == sources.Complete:
		r.OK, r.Zero = new(true), out.Finished
	}
	if c.Decision == "accepted" {
		r.Verdict = sources.Accepted
	}
	if out.Exit != nil {
		r.Exit = new(int(*out.Exit))
	}
	call.End(r)
}

// isAsk reports whether a call asks the person, so that its success does not show their answer.
func isAsk(c *builder.Called) bool { return c.Does() == tools.Asks || c.Does() == tools.Plans }
