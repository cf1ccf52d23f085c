package cursor_test

import (
	"database/sql"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

var (
	growSeed  = flag.Uint64("grow.seed", 1, "seed of the history that grows")
	growRuns  = flag.Uint64("grow.runs", 1, "how many such histories")
	growSteps = flag.Int("grow.steps", 8, "how often each of them grows")
)

// The notes of the fixtures are committed, to be read.
func TestFixturesAreTheGoldenVault(t *testing.T) {
	sourcetest.NewVault(t).Sync(open(fixture(t))).Golden(t, "testdata/vault.txtar", "sessions")
}

// A history grows, is taken back, gets sub-agents, is written anew. After each step the vault is
// the one that an empty vault becomes, and a second pass changes nothing.
func TestGrownIsFresh(t *testing.T) {
	for run := range *growRuns {
		seed := *growSeed + run
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			user, home := fixture(t)
			g := &grown{t: t, random: rand.New(rand.NewPCG(seed, 7)), user: user, home: home, long: map[string]int{}, vault: sourcetest.NewVault(t)}
			for step := range *growSteps {
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
	vault      *sourcetest.Vault
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
	g.vault.SyncAsFresh(what, func() sources.Source { return open(g.user, g.home) })
}
