package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
)

// generation is part of a corpus's name: raise it when the written bytes change.
const generation = 2

// name returns the folder of the corpus in the cache.
func (p params) name() string {
	return fmt.Sprintf("corpus-g%d-%s-%d-sessions-%d-mb-seed-%d", generation, p.Kind, p.Sessions, p.MB, p.Seed)
}

// cached generates the corpus into the cache if it is missing, and returns its folder. The corpus gets its
// name only when it is complete.
func (p params) cached(ctx context.Context, cache string) (string, error) {
	dir := filepath.Join(cache, p.name())
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return dir, err
	}
	if err := os.MkdirAll(cache, 0o700); err != nil {
		return "", err
	}
	part, err := os.MkdirTemp(cache, "unfinished-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(part) }()
	if err := p.generate(ctx, part); err != nil {
		return "", fmt.Errorf("generate %s: %w", p.name(), err)
	}
	return dir, os.Rename(part, dir)
}

// generate writes the home of an agent. It is a pure function of the parameters, except for the salt in the
// header of the store's -wal.
func (p params) generate(ctx context.Context, home string) error {
	lex := newLexicon(p.Seed)
	all := newPlan(p, lex)
	switch p.Kind {
	case chats:
		return writeChats(ctx, home, all, lex)
	case transcripts:
		return writeTranscripts(ctx, home, all, lex)
	case geminiChats:
		return writeGeminiChats(ctx, home, all, lex)
	case rollouts, longRollout:
		return writeRollouts(ctx, home, all, lex)
	case conversations:
		return writeConversations(ctx, home, all, lex, 0)
	case sparseState:
		return writeConversations(ctx, home, all, lex, sparse*int64(p.MB)<<20)
	case database:
		return writeDatabase(ctx, home, all, lex)
	}
	building, err := os.MkdirTemp(home, "store-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(building) }()
	s, err := newStore(ctx, filepath.Join(building, storeName))
	if err != nil {
		return err
	}
	if err := writeLogs(ctx, home, all, lex, s); err != nil {
		return errors.Join(err, s.close())
	}
	return errors.Join(s.leave(home), s.close())
}

// writeLogs writes the sessions, a few at a time, and adds them to the store in order. The rows of the newest
// are only in the store's -wal, which the CLI never folds in when it ends.
func writeLogs(ctx context.Context, home string, all []*session, lex *lexicon, s *store) error {
	const batch = 100
	done := 0
	for some := range slices.Chunk(all, batch) {
		outcomes := make([]told, len(some))
		group, limited := errgroup.WithContext(ctx)
		group.SetLimit(runtime.GOMAXPROCS(0))
		for i, one := range some {
			group.Go(func() (err error) {
				outcomes[i], err = writeSession(limited, filepath.Join(home, "session-state"), one, lex)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		if done += len(some); done == len(all) {
			if err := s.fold(ctx); err != nil {
				return err
			}
		}
		for i, one := range some {
			if err := s.add(ctx, one, outcomes[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// grow adds a turn to the log of a session, as its user would: a prompt, two
// rounds of tools and the answer.
func (p params) grow(home string, nth int) error {
	lex := newLexicon(p.Seed)
	all := newPlan(p, lex)
	s := all[len(all)-1-nth%len(all)]
	path := filepath.Join(home, "session-state", s.id, "events.jsonl")
	last, err := lastEvent(path)
	if err != nil {
		return fmt.Errorf("find last event of %q: %w", path, err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	var added bytes.Buffer
	l := &logWriter{words: words{lex, rand.New(rand.NewPCG(s.seed, uint64(last.Timestamp.UnixMilli())))}, s: s,
		out: &added, now: last.Timestamp, parent: last.ID}
	l.turn(2)
	_, err = file.Write(added.Bytes())
	return errors.Join(l.err, err, file.Close())
}

type lastSeen struct {
	ID        string
	Timestamp time.Time
}

func lastEvent(path string) (last lastSeen, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return last, err
	}
	b = bytes.TrimRight(b, "\n")
	return last, json.Unmarshal(b[bytes.LastIndexByte(b, '\n')+1:], &last)
}
