package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// generation is part of a cached corpus's name: raise it when the generator
// writes other bytes.
const generation = 1

// manifest tells what a corpus holds. It lies beside the home as corpus.json.
type manifest struct {
	Params     params
	Folders    int      // session folders, those without a log included
	LogBytes   int64    // of all event logs or chats
	ToolBytes  int64    // tool output among them
	StoreTurns int      // rows of turns
	Growing    []string // ids of whole, undamaged sessions a turn can be added to
}

// corpus is a generated Copilot home, or what holds a user folder of VS Code.
type corpus struct {
	home string
	manifest
}

// name is the folder of the corpus in the cache.
func (p params) name() string {
	kind := "mixed"
	switch {
	case p.Chats && p.Long:
		kind = "one-chat"
	case p.Chats:
		kind = "chats"
	case p.Long:
		kind = "long"
	}
	return fmt.Sprintf("corpus-g%d-%s-%d-sessions-%d-mb-seed-%d", generation, kind, p.Sessions, p.MB, p.Seed)
}

// openCorpus opens a corpus of the cache; the error is fs.ErrNotExist where it
// was not generated yet.
func openCorpus(cache string, p params) (corpus, error) {
	dir := filepath.Join(cache, p.name())
	c := corpus{home: filepath.Join(dir, "home")}
	b, err := os.ReadFile(filepath.Join(dir, "corpus.json"))
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(b, &c.manifest); err != nil {
		return c, fmt.Errorf("read %q: %w", filepath.Join(dir, "corpus.json"), err)
	}
	return c, nil
}

// cacheCorpus generates the corpus into the cache unless it is there. It shows
// up under its name only when it is complete.
func cacheCorpus(ctx context.Context, cache string, p params, done func(sessions int)) error {
	if _, err := openCorpus(cache, p); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(cache, "unfinished-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	write := generate
	if p.Chats {
		write = generateChats
	}
	m, err := write(ctx, filepath.Join(dir, "home"), p, done)
	if err != nil {
		return err
	}
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "corpus.json"), append(b, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(dir, filepath.Join(cache, p.name()))
}

// generate writes a Copilot home of the given parameters: a pure function of
// them, but for the salt in the header of the store's -wal. Sessions are written
// as many at a time as there are processors; their rows reach the store in order.
func generate(ctx context.Context, home string, p params, done func(sessions int)) (manifest, error) {
	m := manifest{Params: p}
	state := filepath.Join(home, "session-state")
	if err := os.MkdirAll(state, 0o700); err != nil {
		return m, err
	}
	lex := newLexicon(p.Seed)
	all := plan(p, lex)
	m.Folders = len(all)

	group, ctx := errgroup.WithContext(ctx)
	queue := make(chan chan *scribe, 2*runtime.GOMAXPROCS(0))
	group.Go(func() error { return writeAll(ctx, state, all, lex, queue) })
	group.Go(func() error { return collect(ctx, home, &m, queue, done) })
	if err := group.Wait(); err != nil {
		return m, fmt.Errorf("generate corpus: %w", err)
	}
	return m, writeHistory(home, lex)
}

// writeAll writes the folders and hands their outcomes on, in order.
func writeAll(ctx context.Context, state string, all []*session, lex *lexicon, queue chan<- chan *scribe) error {
	defer close(queue)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, s := range all {
		out := make(chan *scribe, 1)
		select {
		case queue <- out:
		case <-ctx.Done():
			return errors.Join(group.Wait(), ctx.Err())
		}
		group.Go(func() error {
			defer close(out)
			log, err := writeSession(ctx, state, s, lex)
			if log != nil && err == nil {
				out <- log
			}
			return err
		})
	}
	return group.Wait()
}

// lateShare is the part of the sessions whose rows the store holds in its -wal
// alone, as the CLI never folds it in at exit (formats/copilot-cli.md, section 0.3).
const lateShare = 0.05

// collect counts the logs and fills the store.
func collect(ctx context.Context, home string, m *manifest, queue <-chan chan *scribe, done func(int)) error {
	s, err := newStore(ctx, filepath.Join(home, "building.db"))
	if err != nil {
		return err
	}
	count, folded := 0, false
	for out := range queue {
		if count++; !folded && float64(count) > float64(m.Folders)*(1-lateShare) {
			if err := s.commit(ctx, true); err != nil {
				return errors.Join(err, s.close())
			}
			folded = true
		}
		if log := <-out; log != nil {
			m.count(log)
			if err := s.learn(ctx, log); err != nil {
				return errors.Join(err, s.close())
			}
		}
		done(count)
	}
	if err := s.commit(ctx, false); err != nil {
		return errors.Join(err, s.close())
	}
	err = s.leave(home)
	return errors.Join(err, s.close(), os.Remove(filepath.Join(home, "building.db")))
}

func (m *manifest) count(log *scribe) {
	m.LogBytes += log.bytes
	m.ToolBytes += log.tool
	m.StoreTurns += len(log.rows.turns)
	s := log.s
	if s.version == v102 && s.damage == intact && s.parent == nil && s.child == nil && !s.rewound && len(m.Growing) < 32 {
		m.Growing = append(m.Growing, s.id)
	}
}

// learn adds a session to the store, and now and then something to the memory of
// its repository.
func (s *store) learn(ctx context.Context, log *scribe) error {
	if p := log.s.project; p.repository != "" && log.s.index%40 == 0 {
		r := log.s.rng("memory", 0)
		if err := s.context(ctx, p.repository, log.lex.phrase(r), log.lex.task(r), log.lex.paragraph(r, 3)); err != nil {
			return err
		}
	}
	return s.add(ctx, log.rows)
}

// writeHistory writes the prompts of the command line, newest first.
func writeHistory(home string, lex *lexicon) error {
	r := (&session{}).rng("history", 0)
	var h struct {
		CommandHistory []string `json:"commandHistory"`
	}
	for range 50 {
		h.CommandHistory = append(h.CommandHistory, lex.task(r))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(h); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(home, "command-history-state.json"), b.Bytes(), 0o600)
}
