package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/go-json-experiment/json"
	"golang.org/x/sync/errgroup"
)

// talker writes the session of an agent with one log for each, until it has its size. Its content is planned
// as for Copilot CLI.
type talker interface {
	begin()
	ask(prompt string)
	step(text string, calls []call) // one call of the model; without calls it is the answer
}

// homeLog is the common part of the writers of such logs.
type homeLog struct {
	logWriter
}

// put writes a record.
func (l *homeLog) put(record object) {
	line, err := json.Marshal(record)
	if err == nil && l.err == nil {
		_, err = l.out.Write(append(line, '\n'))
	}
	if l.err == nil {
		l.err = err
	}
	l.size += int64(len(line)) + 1
}

// converse writes a session with a talker.
func (l *homeLog) converse(t talker) error {
	t.begin()
	for more := true; more; more = l.size+l.turnSize()/2 < l.s.size {
		l.exchange(t, l.rounds())
	}
	return l.err
}

// exchange writes a prompt, rounds of tools and the answer.
func (l *homeLog) exchange(t talker, rounds int) {
	l.wait(5*time.Second, 20*time.Minute)
	prompt := l.prompt(l.s.project.file(l.words))
	at := l.now
	t.ask(prompt)
	for range rounds {
		l.wait(300*time.Millisecond, 20*time.Second)
		calls := make([]call, 1+l.IntN(5)/4)
		for i := range calls {
			calls[i] = l.newCall()
		}
		t.step("", calls)
	}
	l.wait(300*time.Millisecond, 20*time.Second)
	answer := l.answer()
	t.step(answer, nil)
	l.told.turns = append(l.told.turns, turn{prompt, answer, at})
}

// gave returns the output of a call.
func (l *homeLog) gave(k call) string {
	out := k.prints
	if out == "" {
		out = l.output(l.outputSize() / 2) // these logs repeat the output
	}
	l.printed += 2 * int64(len(out))
	return out
}

// arg returns an argument of a planned call.
func (k call) arg(name string) string {
	for i := 0; i+1 < len(k.args); i += 2 {
		if k.args[i] == name {
			return fmt.Sprint(k.args[i+1])
		}
	}
	return ""
}

// writeHome writes the log of each session, a few at a time, to the path of place below the home.
func writeHome(ctx context.Context, home string, all []*session, place func(*session) string, write func(*session, io.Writer) (time.Time, error)) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, s := range all {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			path := filepath.Join(home, filepath.FromSlash(place(s)))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				return err
			}
			file, err := os.Create(path)
			if err != nil {
				return err
			}
			out := bufio.NewWriterSize(file, 1<<16)
			end, err := write(s, out)
			return errors.Join(err, out.Flush(), file.Close(), os.Chtimes(path, end, end))
		})
	}
	return group.Wait()
}
