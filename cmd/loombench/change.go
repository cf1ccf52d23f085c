package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// author goes on writing the sessions of a generated home, as their user would.
type author struct {
	home     string
	lex      *lexicon
	sessions map[string]*session
}

// newAuthor knows the sessions of a home that was generated with these
// parameters: their plan is a pure function of them.
func newAuthor(home string, p params) *author {
	a := &author{home: home, lex: newLexicon(p.Seed), sessions: map[string]*session{}}
	for _, s := range plan(p, a.lex) {
		a.sessions[s.id] = s
	}
	return a
}

func (a *author) path(id string) string {
	return filepath.Join(a.home, "session-state", id, "events.jsonl")
}

// appendTurn adds one turn to the log of a session: a prompt, calls of tools in
// that many rounds and the answer. The bytes depend on the log's last event alone.
func (a *author) appendTurn(id string, rounds int) (turnRow, error) {
	c, err := a.takeUp(id)
	if err != nil {
		return turnRow{}, err
	}
	var b bytes.Buffer
	c.out = &b
	c.turn(rounds)
	return c.rows.turns[0], appendTo(a.path(id), b.Bytes())
}

// appendWord adds about 1 KB: a prompt and a short answer.
func (a *author) appendWord(id string) error {
	c, err := a.takeUp(id)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	c.out = &b
	c.user(c.lex.task(c.r), "")
	c.pass(time.Second, 10*time.Second)
	c.message(c.lex.sentence(c.r), "0", "chatcmpl-"+c.opaque(24), nil)
	return appendTo(a.path(id), b.Bytes())
}

// tellStore adds the row of a turn to the store's -wal, as the CLI does one turn
// late (formats/copilot-cli.md, section 0.1).
func (a *author) tellStore(ctx context.Context, id string, t turnRow) (err error) {
	dir, err := os.MkdirTemp(a.home, ".store-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	copied := filepath.Join(dir, storeName)
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(copied+suffix, filepath.Join(a.home, storeName+suffix)); err != nil {
			return err
		}
	}
	s, err := openStore(ctx, copied)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	var next int
	if err := s.tx.QueryRowContext(ctx, "SELECT coalesce(max(turn_index)+1, 0) FROM turns WHERE session_id = ?", id).Scan(&next); err != nil {
		return fmt.Errorf("find last turn of %s: %w", id, err)
	}
	i := inserter{ctx: ctx, tx: s.tx, session: id}
	i.turn(next, t)
	if i.err != nil {
		return fmt.Errorf("add turn of %s: %w", id, i.err)
	}
	if err := s.commit(ctx, false); err != nil {
		return err
	}
	return s.leave(a.home)
}

// rewind takes the last turn of a session back: the log is written anew, with a
// new inode and other bytes in the retained lines (formats/copilot-cli.md,
// section 0.5).
func (a *author) rewind(id string) error {
	path := a.path(id)
	log, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	cut := bytes.LastIndex(log, []byte(`{"type":"user.message"`))
	if cut <= 0 {
		return fmt.Errorf("rewind %q: no turn", path)
	}
	kept := bytes.ReplaceAll(log[:cut], []byte(`"cost":0.0`), []byte(`"cost":0`))
	c, err := a.resumeAt(id, lastLine(kept))
	if err != nil {
		return fmt.Errorf("rewind %q: %w", path, err)
	}
	out := bytes.NewBuffer(kept)
	c.out = out
	c.info("rewind", "Rewound the conversation. Your files were left unchanged.")
	if err := os.WriteFile(path+".tmp", out.Bytes(), 0o600); err != nil {
		return err
	}
	return os.Rename(path+".tmp", path)
}

// takeUp makes a scribe that goes on where the session's log ends.
func (a *author) takeUp(id string) (*scribe, error) {
	tail, err := readTail(a.path(id), 4<<20)
	if err != nil {
		return nil, err
	}
	c, err := a.resumeAt(id, lastLine(tail))
	if err != nil {
		return nil, fmt.Errorf("take up %q: %w", a.path(id), err)
	}
	return c, nil
}

func (a *author) resumeAt(id string, last []byte) (*scribe, error) {
	s, ok := a.sessions[id]
	if !ok {
		return nil, fmt.Errorf("no session %s in this corpus", id)
	}
	var event struct {
		ID        string    `json:"id"`
		Timestamp time.Time `json:"timestamp"`
	}
	if err := json.Unmarshal(last, &event); err != nil {
		return nil, fmt.Errorf("read last event: %w", err)
	}
	c := newScribe(nil, s, a.lex, id)
	c.r = rand.New(rand.NewPCG(s.seed, uint64(event.Timestamp.UnixMilli())))
	c.now, c.parent = event.Timestamp, event.ID
	return c, nil
}

func lastLine(b []byte) []byte {
	b = bytes.TrimRight(b, "\n")
	return b[bytes.LastIndexByte(b, '\n')+1:]
}

// readTail reads the last n bytes of a file, or all of a shorter one.
func readTail(path string, n int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-n)
	return io.ReadAll(io.NewSectionReader(f, from, info.Size()-from))
}

func appendTo(path string, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	return errors.Join(err, f.Close())
}
