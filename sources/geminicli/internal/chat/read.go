package chat

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
)

// Chat reads the files of one session.
type Chat struct {
	fold
	Torn    bool // a document ends where it cannot
	damage  []string
	Unknown map[string]int
}

// New begins a session.
func New() *Chat { return &Chat{fold: fold{at: map[string]int{}}, Unknown: map[string]int{}} }

// ID is the session that a file names at its beginning, empty where it does not.
func ID(ctx context.Context, path string) (id string, err error) {
	const size = 256 << 10
	f, _, err := files.OpenLog(path)
	if err != nil {
		return "", fmt.Errorf("open chat: %w", err)
	}
	defer f.Close()
	begin := io.NewSectionReader(f, 0, size)
	var r struct {
		ID string `json:"sessionId" max:"128"`
	}
	if strings.HasSuffix(path, ".json") {
		// What was read until it ended is enough.
		d := decode.New(begin)
		_ = d.Members(func(name string) error {
			if name == "messages" {
				return io.EOF
			}
			return d.Member(&r, name)
		})
		return sources.FoldUUID(r.ID), ctx.Err()
	}
	log := jsonl.Log[record]{
		Pass: func(head []byte) (string, bool) {
			return "", id != "" || bytes.HasPrefix(head, idMark) || bytes.HasPrefix(head, []byte(`{"$`))
		},
		Take: func(r *record) (string, bool) { id = sources.FoldUUID(r.SessionID); return "", true },
	}
	return id, log.Read(ctx, begin, 0)
}

// Read takes in a file: the records of the session in order of time, file by file.
func (c *Chat) Read(ctx context.Context, path string) error {
	if strings.HasSuffix(path, ".json") {
		return c.readDocument(ctx, path)
	}
	bad := 0
	log := jsonl.Log[record]{Pass: c.pass, Heads: []string{`{"id":"`, `{"$set":`, `{"$rewindTo":`}}
	log.Take = func(r *record) (unknown string, ok bool) {
		if log.Bad > bad {
			bad = log.Bad
			c.live = append(c.live, &message{Type: gap})
		}
		return c.take(r)
	}
	err := log.ReadFile(ctx, path)
	c.damage = append(c.damage, log.Damage()...)
	for what, n := range log.Unknown {
		c.Unknown[what] += n
	}
	return err
}

// readDocument reads a session of versions to 0.38: one document, written anew each time, so
// that it may be torn.
func (c *Chat) readDocument(ctx context.Context, path string) error {
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
		return d.Elements(func() error {
			var m message
			if err := d.Read(&m); err != nil {
				return err
			}
			c.Records++
			if what := c.message(m); what != "" {
				c.Unknown[what]++
			}
			return ctx.Err()
		})
	})
	if head.SessionID != "" {
		c.Records++
		c.begun = true
		c.describe(&head)
	}
	d.Unknown(c.Unknown)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil && info.Size() > 0 {
		c.Torn = true
		c.damage = append(c.damage, "a chat is torn or damaged, what stood behind is lost")
	}
	return nil
}
