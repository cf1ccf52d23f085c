// Command loombench measures sessionloom: it generates a corpus, runs the
// program over it as a child process and prints what it took beside what the
// machine needs for the same files without us.
//
//	go run ./cmd/loombench [--only case,…] [--runs 3] [--json]
//	go run ./cmd/loombench generate [--sessions 2000] [--mb 200] [--long] [--chats]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	run := benchmark
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "generate" {
		run, args = generateOnly, args[1:]
	}
	err := run(ctx, args, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// options of the command line.
type options struct {
	cache, bin, only string
	params           params
	bigMB, many      int
	chats, chatMB    int
	wide             int
	runs             int
	watch            time.Duration
	json             bool
}

func (o *options) corpusFlags(f *flag.FlagSet) {
	f.StringVar(&o.cache, "corpus", "", "folder of the generated corpora (default: sessionloom-bench in the user's cache)")
	f.IntVar(&o.params.Sessions, "sessions", 2000, "sessions of the corpus")
	f.IntVar(&o.params.MB, "mb", 200, "size of its event logs, MiB")
	f.Uint64Var(&o.params.Seed, "seed", 1, "of everything random")
}

func (o *options) parse(f *flag.FlagSet, args []string, stderr io.Writer) error {
	f.SetOutput(stderr)
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() > 0 {
		return fmt.Errorf("unknown argument %q", f.Arg(0))
	}
	if o.params.Sessions < 1 || o.params.MB < 1 {
		return errors.New("--sessions and --mb must be positive")
	}
	if o.cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("find cache folder: %w", err)
		}
		o.cache = filepath.Join(dir, "sessionloom-bench")
	}
	return nil
}

// generateOnly fills the cache. The benchmark runs it as a process of its own,
// so that the memory it takes is not taken for the measured program's.
func generateOnly(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o options
	f := flag.NewFlagSet("loombench generate", flag.ContinueOnError)
	o.corpusFlags(f)
	f.BoolVar(&o.params.Long, "long", false, "turns of dozens of calls")
	f.BoolVar(&o.params.Chats, "chats", false, "chats of VS Code")
	if err := o.parse(f, args, stderr); err != nil {
		return helpIsFine(err)
	}
	step := max(1, o.params.Sessions/10)
	err := cacheCorpus(ctx, o.cache, o.params, func(n int) {
		if n%step == 0 {
			fmt.Fprintf(stderr, "generated %d sessions\n", n)
		}
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, filepath.Join(o.cache, o.params.name(), "home"))
	return err
}

// benchmark runs the cases and prints the table. A missed target is no error.
func benchmark(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o options
	f := flag.NewFlagSet("loombench", flag.ContinueOnError)
	o.corpusFlags(f)
	f.StringVar(&o.only, "only", "", "cases to run, with commas: "+strings.Join(names(), ", "))
	f.IntVar(&o.runs, "runs", 3, "runs of each case; the median counts")
	f.DurationVar(&o.watch, "watch", time.Minute, "how long watch is watched in each of its cases")
	f.IntVar(&o.bigMB, "big-mb", 1024, "size of the one large log, MiB")
	f.IntVar(&o.many, "many", 10, "times the sessions for the last case")
	f.IntVar(&o.chats, "chats", 1000, "chats of the corpus of VS Code, 0.1 MiB each")
	f.IntVar(&o.wide, "wide", 5600, "sessions of the corpus whose vault is looked at; that many make ten thousand notes")
	f.IntVar(&o.chatMB, "chat-mb", 300, "size of the one large chat, MiB")
	f.StringVar(&o.bin, "bin", "", "program to measure instead of the one built here")
	f.BoolVar(&o.json, "json", false, "print JSON")
	if err := o.parse(f, args, stderr); err != nil {
		return helpIsFine(err)
	}
	chosen, err := choose(o.only)
	if err != nil {
		return err
	}
	if min(o.runs, o.bigMB, o.many, o.wide, o.chats, o.chatMB) < 1 {
		return errors.New("--runs, --big-mb, --many, --wide, --chats and --chat-mb must be positive")
	}
	if o.watch < time.Second {
		return errors.New("--watch must be a second at least")
	}
	sum, err := o.measure(ctx, chosen, stderr)
	if err != nil {
		return err
	}
	if o.json {
		return sum.writeJSON(stdout)
	}
	return sum.writeTable(stdout)
}

// measure runs the chosen cases in a working folder beside the corpora.
func (o *options) measure(ctx context.Context, chosen []benchCase, stderr io.Writer) (summary, error) {
	sum := summary{OS: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(), Runs: o.runs}
	if err := os.MkdirAll(o.cache, 0o700); err != nil {
		return sum, err
	}
	work, err := os.MkdirTemp(o.cache, "work-")
	if err != nil {
		return sum, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	b, err := o.newBench(ctx, work, stderr)
	if err != nil {
		return sum, err
	}
	for _, c := range chosen {
		b.say("case %s: %s", c.name, c.what)
		r := result{Case: c.what}
		if err := c.run(ctx, b, &r); err != nil {
			return sum, fmt.Errorf("case %s: %w", c.name, err)
		}
		sum.Results = append(sum.Results, r)
	}
	sum.Own = ownRSS()
	sum.Corpus = fmt.Sprintf("%d sessions with %d MiB of event logs, seed %d", o.params.Sessions, o.params.MB, o.params.Seed)
	return sum, nil
}

func (o *options) newBench(ctx context.Context, work string, stderr io.Writer) (*bench, error) {
	b := &bench{
		work: work, runs: o.runs, watch: o.watch, std: o.params,
		big:    params{Sessions: 1, MB: o.bigMB, Long: true, Seed: o.params.Seed},
		many:   params{Sessions: o.params.Sessions * o.many, MB: o.params.MB * o.many, Seed: o.params.Seed},
		wide:   params{Sessions: o.wide, MB: max(1, o.wide/40), Seed: o.params.Seed},
		chats:  params{Sessions: o.chats, MB: max(1, o.chats/10), Chats: true, Seed: o.params.Seed},
		object: params{Sessions: 1, MB: o.chatMB, Chats: true, Long: true, Seed: o.params.Seed},
		homes:  map[string]string{},
		stages: map[string]*stage{},
		say:    func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) },
	}
	b.corpus = func(ctx context.Context, p params) (corpus, error) { return o.corpus(ctx, p, b.say, stderr) }
	b.say("building sessionloom")
	var err error
	b.child, err = newChild(ctx, o.bin, work)
	return b, err
}

// corpus opens a corpus, generated in a process of its own where it is missing.
func (o *options) corpus(ctx context.Context, p params, say func(string, ...any), stderr io.Writer) (corpus, error) {
	c, err := openCorpus(o.cache, p)
	if !errors.Is(err, fs.ErrNotExist) {
		return c, err
	}
	say("generating %s", p.name())
	self, err := os.Executable()
	if err != nil {
		return c, err
	}
	args := []string{"generate", "--corpus", o.cache, "--sessions", strconv.Itoa(p.Sessions), "--mb", strconv.Itoa(p.MB),
		"--seed", strconv.FormatUint(p.Seed, 10), "--long=" + strconv.FormatBool(p.Long), "--chats=" + strconv.FormatBool(p.Chats)}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stderr = stderr
	if err := cmd.Run(); err != nil {
		return c, fmt.Errorf("generate corpus: %w", err)
	}
	return openCorpus(o.cache, p)
}

func names() (all []string) {
	for _, c := range cases() {
		all = append(all, c.name)
	}
	return all
}

// choose picks the cases named, in the order they run; none named means all.
func choose(only string) ([]benchCase, error) {
	if only == "" {
		return cases(), nil
	}
	wanted := strings.Split(only, ",")
	for _, name := range wanted {
		if !slices.Contains(names(), name) {
			return nil, fmt.Errorf("unknown case %q; there are: %s", name, strings.Join(names(), ", "))
		}
	}
	return slices.DeleteFunc(cases(), func(c benchCase) bool { return !slices.Contains(wanted, c.name) }), nil
}

func helpIsFine(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	return err
}
