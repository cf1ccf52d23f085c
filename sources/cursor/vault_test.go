package cursor_test

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
)

var (
	update   = flag.Bool("update", false, "write the golden file anew")
	growSeed = flag.Uint64("grow.seed", 1, "seed of the history that grows")
	growRuns = flag.Uint64("grow.runs", 1, "how many such histories")
)

// notes is a vault that the engine keeps, with its state.
type notes struct {
	t          *testing.T
	dir, state string
	report     extract.Report // of the last pass
}

func newNotes(t *testing.T) *notes {
	t.Helper()
	n := &notes{t: t, dir: t.TempDir(), state: t.TempDir()}
	must(t, vault.Create(n.dir, "Agents", vault.Marker{ID: "0123456789abcdef", Layout: 1}))
	return n
}

// sync runs a pass and gives the notes by their path.
func (n *notes) sync(s sources.Source) map[string]string {
	t := n.t
	t.Helper()
	state, err := ledger.Open(n.state, ledger.Options{})
	must(t, err)
	defer func() { must(t, state.Close()) }()
	opened, err := vault.Open(n.dir, "Agents", vault.Options{})
	must(t, err)
	defer func() { must(t, opened.Close()) }()
	pages, err := templates.Embedded()
	must(t, err)
	masker, err := redact.New([]byte("masks of this vault"), redact.Options{})
	must(t, err)
	engine := &extract.Engine{Sources: []sources.Source{s}, Ledger: state, Vault: opened, Folder: "Agents", Pages: pages, Masker: masker,
		Settings: extract.DefaultSettings(), Now: time.Now}
	n.report, err = engine.Run(context.Background())
	must(t, err)
	all := map[string]string{}
	must(t, filepath.WalkDir(n.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".md") {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(n.dir, path) // path lies below dir
		all[filepath.ToSlash(rel)] = string(text)
		return err
	}))
	return all
}

// The notes of the fixtures are committed, to be read.
func TestFixturesAreTheGoldenVault(t *testing.T) {
	n := newNotes(t)
	all := n.sync(open(fixture(t)))
	for _, p := range n.report.Problems {
		t.Errorf("problem: %+v", p)
	}
	a := txtar.Archive{Comment: []byte("The session notes of the fixtures.\n\n")}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if strings.Contains(path, "/sessions/") {
			a.Files = append(a.Files, txtar.File{Name: path, Data: []byte(all[path])})
		}
	}
	const golden = "testdata/vault.txtar"
	if *update {
		must(t, os.WriteFile(golden, txtar.Format(&a), 0o644))
	}
	want, err := os.ReadFile(golden)
	must(t, err)
	if string(txtar.Format(&a)) != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("the notes differ from %s (-update writes it)", golden)
	}
}

// A history grows, is taken back, gets sub-agents, is written anew. After each step the vault is
// the one that an empty vault becomes, what did not move is not read, and a second pass changes
// nothing.
func TestGrownIsFresh(t *testing.T) {
	for run := range *growRuns {
		seed := *growSeed + run
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			user, home := fixture(t)
			g := &grown{t: t, random: rand.New(rand.NewPCG(seed, 7)), user: user, home: home, long: map[string]int{}, notes: newNotes(t)}
			for step := range 25 {
				g.agrees(fmt.Sprintf("step %d: %s", step, g.step(step)))
			}
		})
	}
}

// grown is a history that grows, and a vault that follows it.
type grown struct {
	t          *testing.T
	random     *rand.Rand
	user, home string
	long       map[string]int // turns of conversations
	notes      *notes
}

// some is one of a few conversations.
func (g *grown) some() string { return conversationID(g.random.IntN(5)) }

func conversationID(n int) string { return fmt.Sprintf("d4c00001-0000-4000-8000-%012d", n) }

func (g *grown) step(n int) string {
	at, id := time.Date(2026, 7, 1+n, 9, 0, 0, 0, time.UTC), g.some()
	said := []sourcetest.Turn{{User: fmt.Sprint("prompt of step ", n), Answer: fmt.Sprint("answer of step ", n)}}
	switch long := g.long[id]; {
	case long == 0 || g.random.IntN(3) == 0:
		ide{}.Append(g.t, g.user, id, at, long, said)
		g.long[id]++
		return "a turn of " + id
	case g.random.IntN(4) == 0:
		g.long[id] = 1 + g.random.IntN(long)
		change(g.t, stateOf(g.user), func(db *sql.DB) {
			c := begin(g.t, db, id, at)
			for i := range g.long[id] {
				c.refs = append(c.refs, map[string]any{"bubbleId": fmt.Sprint("prompt-", i), "type": 1}, map[string]any{"bubbleId": fmt.Sprint("answer-", i), "type": 2})
			}
			c.save()
		})
		return fmt.Sprintf("%s is taken back to %d", id, g.long[id])
	case g.random.IntN(3) == 0:
		child, parent := conversationID(4), conversationID(0) // nobody works for two
		change(g.t, stateOf(g.user), func(db *sql.DB) {
			exec(g.t, db, "UPDATE cursorDiskKV SET value = json_set(value, '$.subagentComposerIds', json_array(?)) WHERE key = ?", child, "composerData:"+parent)
		})
		return child + " works for " + parent
	case g.random.IntN(2) == 0:
		transcripts{}.Write(g.t, g.home, id, at, said)
		return "a transcript of " + id
	default:
		change(g.t, stateOf(g.user), func(db *sql.DB) {
			exec(g.t, db, "UPDATE cursorDiskKV SET value = json_set(value, '$.text', ?) WHERE key = ?", fmt.Sprint("another answer ", n), fmt.Sprint("bubbleId:", id, ":answer-", long-1))
		})
		return "the last answer of " + id + " changes"
	}
}

func (g *grown) agrees(what string) {
	t := g.t
	t.Helper()
	past := time.Now().Add(-time.Minute)
	for _, dir := range []string{g.user, g.home} {
		must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if info, failed := os.Stat(path); err == nil && failed == nil && info.ModTime().After(past) && !e.IsDir() {
				past = past.Add(time.Millisecond) // each change moves the stamp
				err = os.Chtimes(path, past, past)
			}
			return err
		}))
	}
	time.Sleep(25 * time.Millisecond) // times of changes are no longer too young
	now := g.notes.sync(open(g.user, g.home))
	if again := g.notes.sync(open(g.user, g.home)); !maps.Equal(again, now) {
		t.Fatalf("%s: a second pass changed something", what)
	}
	fresh := newNotes(t).sync(open(g.user, g.home))
	for _, path := range slices.Sorted(maps.Keys(fresh)) {
		if now[path] != fresh[path] {
			t.Errorf("%s: %s differs from that of an empty vault:\n%s", what, path, linesApart(now[path], fresh[path]))
		}
	}
	for path, text := range now {
		if fresh[path] == "" {
			t.Errorf("%s: an empty vault has no %s:\n%s", what, path, text)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}

// linesApart are the lines that one of two texts has alone.
func linesApart(now, fresh string) string {
	var b strings.Builder
	for mark, two := range map[string][2]string{"has ": {now, fresh}, "lacks ": {fresh, now}} {
		for line := range strings.Lines(two[0]) {
			if !strings.Contains(two[1], line) {
				b.WriteString(mark + line)
			}
		}
	}
	return b.String()
}
