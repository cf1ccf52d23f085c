package extract

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aymanbagabas/go-udiff"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

var (
	modelSeed  = flag.Uint64("model.seed", 1, "first seed of the model test")
	modelRuns  = flag.Int("model.runs", 2, "histories the model test plays")
	modelSteps = flag.Int("model.steps", 16, "steps of each")
	modelCopy  = flag.Bool("model.copies", false, "sessions are copied by hand too")
)

// played is how many histories of how many steps are played: with -short fewer, for
// the race detector makes each of them ten times as dear.
func played() (runs, steps int) {
	if testing.Short() {
		return min(*modelRuns, 3), min(*modelSteps, 12)
	}
	return *modelRuns, *modelSteps
}

// bench is a vault with its ledger in temporary folders.
type bench struct {
	t        testing.TB
	vault    string
	state    string
	set      *templates.Set
	settings Settings
	onDisk   func(folder string) (root, remote string)
	force    bool
	head     string                      // commit that is checked out
	refuses  func(*sources.Session) bool // cannot be searched for secrets; nil: all can
	ignored  func(folder string) bool
	plain    bool  // the vault lies in no repository
	startled *bool // set: the masker gives up once it was asked about the id of a memory
	rules    redact.Options
	joins    map[string]string // what the vault says of projects
	held     int               // drafts of sessions that a pass keeps; 0: as many as it does
}

func newBench(t testing.TB) *bench {
	t.Helper()
	set := expect.Value(templates.Embedded())(t)
	b := &bench{t: t, vault: filepath.Join(t.TempDir(), "vault"), state: filepath.Join(t.TempDir(), "state"), set: set, settings: DefaultSettings()}
	must(t, vault.Create(b.vault, "Agents", vault.Marker{ID: "0123456789abcdef", Layout: 1}))
	return b
}

// sync runs one pass over the sources.
func (b *bench) sync(srcs ...sources.Source) (Report, error) {
	b.t.Helper()
	return b.syncContext(context.Background(), srcs...)
}

func (b *bench) syncContext(ctx context.Context, srcs ...sources.Source) (Report, error) {
	b.t.Helper()
	l := expect.Value(ledger.Open(b.state, ledger.Options{}))(b.t)
	defer func() {
		must(b.t, l.Close())
	}()
	v := expect.Value(vault.Open(b.vault, "Agents", vault.Options{}))(b.t)
	defer func() { _ = v.Close() }()
	s := &Engine{Sources: withWords(v, srcs...), Ledger: l, Vault: v, Folder: "Agents", Pages: b.set, Masker: b.masker(), Ignored: b.ignored,
		Settings: b.settings, OnDisk: b.onDisk, Mode: Mode{Force: b.force}, Now: func() time.Time { return time.Unix(2e9, 0) }, maxDrafts: b.held}
	if !b.plain {
		s.Git = checkedOut(b.head)
	}
	return s.Run(ctx)
}

func (b *bench) mustSync(srcs ...sources.Source) Report {
	b.t.Helper()
	r := expect.Value(b.sync(srcs...))(b.t)
	return r
}

// tree is every file of a vault by path.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(text)
		return err
	})
	must(t, err)
	return out
}

func differences(a, b map[string]string) string {
	var out strings.Builder
	for _, path := range slices.Sorted(maps.Keys(a)) {
		if _, ok := b[path]; !ok {
			fmt.Fprintf(&out, "only in the first: %s\n", path)
		} else if a[path] != b[path] {
			out.WriteString(udiff.Unified("first/"+path, "second/"+path, a[path], b[path]))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[path]; !ok {
			fmt.Fprintf(&out, "only in the second: %s\n", path)
		}
	}
	return out.String()
}

// withoutLedger copies a vault to a new bench without a ledger.
func (b *bench) withoutLedger() *bench {
	b.t.Helper()
	c := newBench(b.t)
	c.settings, c.force, c.set, c.rules, c.ignored = b.settings, b.force, b.set, b.rules, b.ignored
	c.onDisk = b.onDisk
	must(b.t, os.RemoveAll(c.vault))
	must(b.t, os.CopyFS(c.vault, os.DirFS(b.vault)))
	return c
}

// TestIncrementalEqualsFresh plays random histories, with random operations of a user
// in the vault, and after every step holds the vault against what an empty
// ledger makes of the same sources on the same vault, and, as long as nothing
// was lost and no human wrote, on an empty vault.
func TestIncrementalEqualsFresh(t *testing.T) {
	runs, steps := played()
	for run := range runs {
		seed := *modelSeed + uint64(run)
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			playModel(t, seed, steps, operations)
		})
	}
}

// TestCopiesByHandEqualFresh does the same where sessions are copied by hand too.
func TestCopiesByHandEqualFresh(t *testing.T) {
	if !*modelCopy {
		t.Skip("what may differ then is a limit, see docs/safety.md")
	}
	copied := operation{name: "copy by hand", do: some(func(w *fakeSource, st *fixture, r *rand.Rand) { w.copyByHand(st, r) })}
	for run := range *modelRuns {
		seed := *modelSeed + uint64(run)
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			playModel(t, seed, *modelSteps, append(slices.Clone(operations), copied, copied))
		})
	}
}

func playModel(t *testing.T, seed uint64, steps int, ops []operation) {
	r := rand.New(rand.NewPCG(seed, 7))
	w, b := newFakeSource(), newBench(t)
	b.held = int(seed % 4)
	human := seed%2 == 0 // every other history is played by the agent alone
	pure := true
	for step := range steps {
		op := ops[r.IntN(len(ops))]
		if step < 3 {
			op = ops[0]
		}
		if op.human && !human {
			continue
		}
		what := op.do(b, w, r)
		if what == "" {
			continue
		}
		pure = pure && !op.human && !op.loss && !w.forgot
		t.Logf("step %d: %s %s", step, op.name, what)
		before := tree(t, b.vault)
		report, err := b.sync(w)
		if err != nil {
			t.Fatalf("step %d (%s): %v", step, op.name, err)
		}
		if lost := lostLines(before, tree(t, b.vault)); len(lost) > 0 {
			t.Fatalf("step %d (%s): the pass lost lines a human wrote: %q", step, op.name, lost)
		}
		if report.Notes.Failed > 0 || report.Sessions.Failed > 0 && op.name != "fail" {
			t.Fatalf("step %d (%s): %+v", step, op.name, report.Problems)
		}
		for _, st := range w.sessions {
			if st.fails {
				st.fails = false
				b.mustSync(w)
			}
		}
		checkStep(t, b, w, pure)
	}
}

func checkStep(t *testing.T, b *bench, w *fakeSource, pure bool) {
	t.Helper()
	now := tree(t, b.vault)
	w.bodies.Store(0)
	again := b.mustSync(w)
	if n := again.Notes; n.Created+n.Updated+n.Merged+n.Removed+n.Moved > 0 || w.bodies.Load() > 0 {
		t.Fatalf("a second sync did something: %+v, %d bodies read, changed %v", n, w.bodies.Load(), again.Changed)
	}
	if d := differences(now, tree(t, b.vault)); d != "" {
		t.Fatalf("a second sync changed bytes:\n%s", d)
	}
	fresh := b.withoutLedger()
	fresh.mustSync(w)
	sameWords(t, b.state, fresh.state)
	if d := differences(now, tree(t, fresh.vault)); d != "" {
		if isLimit(t, b, w, now) {
			t.Skip("what differs here is a limit, see docs/safety.md")
		}
		t.Fatalf("an empty ledger makes another vault:\n%s", d)
	}
	if pure {
		empty := newBench(t)
		empty.settings, empty.set, empty.rules, empty.ignored = b.settings, b.set, b.rules, b.ignored
		empty.join(b.joins)
		empty.takeWords(b)
		first := empty.mustSync(w)
		empty.nameAs(now)
		empty.mustSync(w)
		if d := differences(withoutSpare(now), withoutSpare(tree(t, empty.vault))); d != "" {
			t.Fatalf("an empty vault becomes another:\n%s", d)
		}
		if first.Notes.Updated > 0 {
			t.Fatalf("a first sync wrote notes twice: %+v", first.Changed)
		}
	}
	checkLinks(t, b, w, now)
}

// nameAs gives the notes of sessions the names that they have elsewhere: those are given once, and
// what was known then is in no source.
func (b *bench) nameAs(elsewhere map[string]string) {
	b.t.Helper()
	at := map[string]string{}
	for p, text := range elsewhere {
		at[note.Parse(p, []byte(text)).ID] = p
	}
	for p, text := range tree(b.t, b.vault) {
		n := note.Parse(p, []byte(text))
		to, there := at[n.ID]
		if n.ID == "" || !there || to == p || path.Dir(to) != path.Dir(p) {
			continue
		}
		must(b.t, os.Rename(filepath.Join(b.vault, p), filepath.Join(b.vault, to)))
	}
}

// isLimit reports whether a vault may differ from one that an empty ledger makes, see docs/safety.md: the
// state alone knows of which remote a folder is, and no note tells it of its session, as that is
// forgotten with its project or broken; or one of a forgotten project became a part of another.
func isLimit(t *testing.T, b *bench, w *fakeSource, files map[string]string) bool {
	t.Helper()
	v := expect.Value(vault.Open(b.vault, "Agents", vault.Options{}))(t)
	defer func() { _ = v.Close() }()
	const remote = "octo-org/widget"
	forgotten, broken := index.ForgottenProject(v, "github.com/"+remote), false
	for path, text := range files {
		broken = broken || note.Parse(path, []byte(text)).Broken != ""
	}
	claims := slices.ContainsFunc(w.living(), func(st *fixture) bool { return len(st.s.Aliases) > 0 })
	told := slices.ContainsFunc(w.living(), func(st *fixture) bool {
		return st.s.Place.Repository == remote && !index.ForgottenSession(v, st.s.ID)
	})
	return forgotten && claims || (forgotten || broken) && !told
}

// withoutSpare leaves out the pictures, for those that no note shows any longer stay, and that a note
// waits for a title: nameAs gives it another name.
func withoutSpare(files map[string]string) map[string]string {
	out := maps.Clone(files)
	for p, text := range out {
		out[p] = testdata.Settled(text)
	}
	maps.DeleteFunc(out, func(path, _ string) bool {
		return strings.Contains(path, "/attachments/")
	})
	return out
}
