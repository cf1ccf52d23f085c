// Command loombench measures sessionloom: it generates a corpus, runs the program on it as a child
// process and prints its cost beside what the machine needs for the same files without it.
//
//	go run ./cmd/loombench [--only case,…] [--runs 3] [--work DIR]
//	go run ./cmd/loombench --against BINARY
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// options of the command line.
type options struct {
	corpus             params
	cache, work        string
	bin, against, only string
	runs               int
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("loombench", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.only, "only", "", "cases to run, with commas: "+strings.Join(names(cases(o.corpus)), ", "))
	f.IntVar(&o.runs, "runs", 3, "runs of each case; the median counts")
	f.StringVar(&o.bin, "bin", "", "program to measure instead of the one built here")
	f.StringVar(&o.against, "against", "", "another build of the program, run in turns with the first")
	f.StringVar(&o.work, "work", "", "folder that vault and state lie in, on a memory disk or on another (default: beside the corpora)")
	f.StringVar(&o.cache, "corpus", "", "folder of the generated corpora (default: sessionloom-bench in the user's cache)")
	f.IntVar(&o.corpus.Sessions, "sessions", 2000, "sessions of the corpus; other sizes follow from it")
	f.IntVar(&o.corpus.MB, "mb", 200, "size of its event logs, MiB")
	f.Uint64Var(&o.corpus.Seed, "seed", 1, "of everything random")
	f.StringVar(&o.corpus.Kind, "generate", "", "generate a corpus of this kind and nothing else: "+strings.Join(kinds(), ", "))
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("unknown argument %q", f.Arg(0))
	}
	if min(o.corpus.Sessions, o.corpus.MB, o.runs) < 1 {
		return o, errors.New("--sessions, --mb and --runs must be positive")
	}
	if !slices.Contains(append(kinds(), ""), o.corpus.Kind) {
		return o, fmt.Errorf("unknown kind %q; there are: %s", o.corpus.Kind, strings.Join(kinds(), ", "))
	}
	return o, o.places()
}

// places sets the folders that were not named.
func (o *options) places() error {
	if o.cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("find cache folder: %w", err)
		}
		o.cache = filepath.Join(dir, "sessionloom-bench")
	}
	if o.work == "" {
		o.work = o.cache
	}
	return errors.Join(os.MkdirAll(o.cache, 0o700), os.MkdirAll(o.work, 0o700))
}

// run measures the cases and prints a table. A missed goal is not an error.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	o, err := parse(args, stderr)
	if err != nil {
		return err
	}
	if o.corpus.Kind != "" {
		dir, err := o.corpus.cached(ctx, o.cache)
		if err == nil {
			_, err = fmt.Fprintln(stdout, dir)
		}
		return err
	}
	o.corpus.Kind = logs
	chosen, err := choose(cases(o.corpus), o.only)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp(o.work, "work-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	b, err := newBench(ctx, o, work, stderr)
	if err != nil {
		return err
	}
	t := table{corpus: o.corpus, runs: o.runs}
	for _, c := range chosen {
		b.say("case %s: %s", c.name, c.what)
		r, err := b.measure(ctx, c)
		if err != nil {
			return fmt.Errorf("case %s: %w", c.name, err)
		}
		t.rows = append(t.rows, r)
	}
	return t.print(stdout)
}

func names(all []benchCase) (list []string) {
	for _, c := range all {
		list = append(list, c.name)
	}
	return list
}

// choose returns the named cases, or all, in the order they run.
func choose(all []benchCase, only string) ([]benchCase, error) {
	if only == "" {
		return all, nil
	}
	wanted := strings.Split(only, ",")
	for _, name := range wanted {
		if !slices.Contains(names(all), name) {
			return nil, fmt.Errorf("unknown case %q; there are: %s", name, strings.Join(names(all), ", "))
		}
	}
	return slices.DeleteFunc(all, func(c benchCase) bool { return !slices.Contains(wanted, c.name) }), nil
}
