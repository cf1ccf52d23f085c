package main

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

var (
	growSeed  = flag.Uint64("grow.seed", 1, "seed of the first history that grows record by record")
	growRuns  = flag.Int("grow.runs", 1, "how many such histories of each agent")
	growSteps = flag.Int("grow.steps", 8, "how often each of them grows")
)

// A history that genuine programs wrote is uncovered bit by bit, in another order each time:
// logs grow by whole records, forks and sub-agents come before or after what they are of,
// rewinds come in, files of names and titles change, threads move into the archive. After each
// step the vault is the one that an empty vault becomes.
func TestAgentsGrowAsTheyWrite(t *testing.T) {
	for flag, from := range map[string]string{"--claude-home": "claudecode", "--codex-home": "codexcli", "--gemini-home": "geminicli"} {
		for run := range uint64(*growRuns) {
			t.Run(fmt.Sprintf("%s/seed=%d", from, *growSeed+run), func(t *testing.T) {
				t.Parallel()
				g := newUncovering(t, flag, filepath.Join("..", "..", "sources", from, "testdata", "home"), *growSeed+run)
				for step := range *growSteps {
					g.step(step)
				}
				g.all()
				g.archives()
				g.vanishes()
			})
		}
	}
}

// sessionID is the first id in the name of a log.
var sessionID = regexp.MustCompile(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// uncovering is a home that is uncovered bit by bit, and a vault that follows it.
type uncovering struct {
	t           *testing.T
	random      *rand.Rand
	flag        string
	home, vault string
	names       []string          // of all files, with slashes
	text        map[string][]byte // all of them
	shown       map[string]int    // bytes that are uncovered
}

func newUncovering(t *testing.T, flag, from string, seed uint64) *uncovering {
	t.Helper()
	dir := t.TempDir()
	g := &uncovering{t: t, random: rand.New(rand.NewPCG(seed, 3)), flag: flag, home: filepath.Join(dir, "home"), vault: filepath.Join(dir, "vault"),
		text: map[string][]byte{}, shown: map[string]int{}}
	g.must(fs.WalkDir(os.DirFS(from), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		g.names = append(g.names, name)
		g.text[name], err = os.ReadFile(filepath.Join(from, filepath.FromSlash(name)))
		return err
	}))
	slices.Sort(g.names)
	g.must(os.MkdirAll(g.home, 0o700))
	createFixedVault(t, g.vault)
	return g
}

func (g *uncovering) must(err error) {
	g.t.Helper()
	if err != nil {
		g.t.Fatal(err)
	}
}

// step uncovers something more of a few files.
func (g *uncovering) step(n int) {
	g.t.Helper()
	var grown []string
	for range 1 + g.random.IntN(4) {
		name := g.names[g.random.IntN(len(g.names))]
		if !strings.HasSuffix(name, ".jsonl") || g.random.IntN(6) == 0 {
			g.show(name, len(g.text[name]))
		} else {
			for range 1 + g.random.IntN(12) { // records
				rest := g.text[name][g.shown[name]:]
				g.show(name, g.shown[name]+bytes.IndexByte(append(rest, '\n'), '\n')+1)
			}
		}
		grown = append(grown, fmt.Sprintf("%s to %d", name, g.shown[name]))
	}
	g.agrees(fmt.Sprintf("step %d: %s", n, strings.Join(grown, ", ")))
}

// show uncovers the first bytes of a file. What is beside a database goes with it.
func (g *uncovering) show(name string, n int) {
	g.t.Helper()
	path := filepath.Join(g.home, filepath.FromSlash(name))
	g.must(os.MkdirAll(filepath.Dir(path), 0o700))
	g.shown[name] = min(n, len(g.text[name]))
	g.must(os.WriteFile(path, g.text[name][:g.shown[name]], 0o600))
	for _, beside := range g.names {
		if strings.HasPrefix(beside, name+"-") && g.shown[beside] == 0 {
			g.show(beside, len(g.text[beside]))
		}
	}
}

func (g *uncovering) all() {
	g.t.Helper()
	for _, name := range g.names {
		g.show(name, len(g.text[name]))
	}
	g.agrees("all of it")
}

// archives moves what Codex keeps by day into its archive: nothing of the vault changes.
func (g *uncovering) archives() {
	g.t.Helper()
	before := walk(g.t, g.vault)
	moved := 0
	for _, name := range g.names {
		if base := filepath.Base(name); strings.HasPrefix(base, "rollout-") && strings.HasPrefix(name, "sessions/") && g.random.IntN(2) == 0 {
			to := filepath.Join(g.home, "archived_sessions", base)
			g.must(os.MkdirAll(filepath.Dir(to), 0o700))
			g.must(os.Rename(filepath.Join(g.home, filepath.FromSlash(name)), to))
			moved++
		}
	}
	if moved == 0 {
		return
	}
	g.sync(g.vault)
	notes := func(of contents) contents { // an archived session says so
		out := contents{}
		for name, c := range of {
			c.text = strings.ReplaceAll(c.text, "\narchived: true", "")
			out[name] = c
		}
		return out
	}
	expect.Is(g.t, len(notes(before)), len(walk(g.t, g.vault)), "notes came or went with", moved, "threads that moved into the archive")
	g.agrees("an archive")
}

// vanishes takes the logs of some sessions away, as the agent does when they are old: their notes
// stay. All logs of one session go together.
func (g *uncovering) vanishes() {
	g.t.Helper()
	before := walk(g.t, g.vault)
	goes := map[string]bool{}
	g.must(filepath.WalkDir(g.home, func(path string, d fs.DirEntry, err error) error {
		session := sessionID.FindString(filepath.Base(path))
		if _, known := goes[session]; !known {
			goes[session] = g.random.IntN(2) == 0
		}
		if err == nil && session != "" && strings.HasSuffix(path, ".jsonl") && goes[session] {
			err = os.Remove(path)
		}
		return err
	}))
	g.sync(g.vault)
	expect.Is(g.t, differences(before, walk(g.t, g.vault), false), "", "logs that are gone changed the vault")
}

// agrees expects the vault of an empty one, and that a second pass changes nothing.
func (g *uncovering) agrees(what string) {
	g.t.Helper()
	g.sync(g.vault)
	now := walk(g.t, g.vault)
	g.sync(g.vault)
	if d := differences(now, walk(g.t, g.vault), true); d != "" {
		g.t.Fatalf("%s: a second pass changed:\n%s", what, d)
	}
	fresh := filepath.Join(g.t.TempDir(), "vault")
	createFixedVault(g.t, fresh)
	g.sync(fresh)
	if nameAs(g.t, fresh, g.vault) {
		g.sync(fresh)
	}
	if d := differences(asNamed(now), asNamed(walk(g.t, fresh)), false); d != "" {
		g.t.Fatalf("%s: an empty vault becomes another:\n%s", what, d)
	}
}

// sync runs a pass once the files are old enough to be trusted.
func (g *uncovering) sync(vault string) {
	g.t.Helper()
	past := time.Now().Add(-time.Minute)
	g.must(filepath.WalkDir(g.home, func(path string, d fs.DirEntry, err error) error {
		if info, failed := os.Stat(path); err == nil && failed == nil && info.ModTime().After(past) && !d.IsDir() {
			err = os.Chtimes(path, past, past)
		}
		return err
	}))
	succeeds(g.t, "", "sync", "--no-defaults", "--vault", vault, "--state", vault+".state", g.flag, g.home)
}
