package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// bench holds what the cases share: the programs, corpora and vaults.
type bench struct {
	options  options
	work     string
	programs []program
	stages   map[params][]*stage // one for each program
	say      func(format string, args ...any)
	stderr   io.Writer
	grown    int // sessions so far
}

func newBench(ctx context.Context, o options, work string, stderr io.Writer) (*bench, error) {
	b := &bench{options: o, work: work, stages: map[params][]*stage{}, stderr: stderr}
	b.say = func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) }
	if o.bin == "" {
		b.say("building sessionloom")
	}
	first, err := newProgram(ctx, o.bin, work)
	if err != nil {
		return nil, err
	}
	b.programs = []program{first}
	if o.against != "" {
		second, err := newProgram(ctx, o.against, work)
		if err != nil {
			return nil, err
		}
		b.programs = append(b.programs, second)
	}
	return b, nil
}

// measure runs a case: each time the floors, then the programs in turns.
func (b *bench) measure(ctx context.Context, c benchCase) (row, error) {
	r := row{c: c}
	stages, err := b.prepare(ctx, c.corpus)
	if err != nil {
		return r, err
	}
	if r.bytes, err = folderSize(stages[0].home); err != nil {
		return r, err
	}
	if c.command != "" { // the first look at a vault is a separate case
		for _, s := range stages {
			if _, err := b.once(ctx, c, s); err != nil {
				return r, err
			}
		}
	}
	for range b.options.runs {
		var took round
		for _, f := range c.floors {
			d, err := f.measure(ctx, stages)
			if err != nil {
				return r, fmt.Errorf("measure %s: %w", f.name, err)
			}
			took.floors = append(took.floors, d)
		}
		if c.grow {
			if err := c.corpus.grow(stages[0].home, b.grown); err != nil {
				return r, err
			}
			b.grown++
		}
		for _, s := range stages {
			o, err := b.once(ctx, c, s)
			if err != nil {
				return r, err
			}
			took.programs = append(took.programs, o)
		}
		r.rounds = append(r.rounds, took)
	}
	return r, nil
}

// once runs the command of a case.
func (b *bench) once(ctx context.Context, c benchCase, s *stage) (outcome, error) {
	switch c.command {
	case "check":
		return s.check(ctx)
	case "search":
		return s.search(ctx)
	}
	if c.fresh {
		if err := s.empty(); err != nil {
			return outcome{}, err
		}
	}
	return s.sync(ctx)
}

// prepare gives each program an up-to-date vault and state of the corpus. It needs two passes, as files as
// young as the first are read again.
func (b *bench) prepare(ctx context.Context, p params) ([]*stage, error) {
	if b.stages[p] == nil {
		if err := b.setUp(ctx, p); err != nil {
			return nil, err
		}
	}
	for _, s := range b.stages[p] {
		for range 2 {
			if _, err := s.sync(ctx); err != nil {
				return nil, err
			}
		}
	}
	return b.stages[p], nil
}

func (b *bench) setUp(ctx context.Context, p params) error {
	home, err := b.home(ctx, p)
	if err != nil {
		return err
	}
	for i, prog := range b.programs {
		s := &stage{program: prog, corpus: p, home: home, dir: filepath.Join(b.work, fmt.Sprintf("%s-%d", p.name(), i+1))}
		if err := s.empty(); err != nil {
			return err
		}
		b.stages[p] = append(b.stages[p], s)
	}
	return nil
}

// home returns the folder of a corpus. The one whose sessions grow is a copy.
func (b *bench) home(ctx context.Context, p params) (string, error) {
	home, err := b.corpus(ctx, p)
	if err != nil || p != b.options.corpus {
		return home, err
	}
	own := filepath.Join(b.work, "home")
	if err := copyTree(own, home); err != nil {
		return "", fmt.Errorf("copy corpus: %w", err)
	}
	return own, nil
}

// corpus generates a missing corpus, in a separate process: on Linux no child is measured below the memory of
// its parent.
func (b *bench) corpus(ctx context.Context, p params) (string, error) {
	dir := filepath.Join(b.options.cache, p.name())
	if _, err := os.Stat(dir); err == nil {
		return dir, nil
	}
	b.say("generating %s", p.name())
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, self, "--generate", p.Kind, "--corpus", b.options.cache, "--sessions", strconv.Itoa(p.Sessions),
		"--mb", strconv.Itoa(p.MB), "--seed", strconv.FormatUint(p.Seed, 10))
	cmd.Stderr = b.stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("generate corpus: %w", err)
	}
	return dir, nil
}
