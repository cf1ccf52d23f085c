package vault

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/sessionloom/sessionloom/vault/note"
)

var (
	livingSeed  = flag.Uint64("living.seed", 1, "first seed of the test of living notes")
	livingRuns  = flag.Int("living.runs", 12, "notes it follows")
	livingSteps = flag.Int("living.steps", 120, "steps of each")
)

// TestLivingNotes follows notes through random edits of their user and random
// growth of our text. After every step all that the user wrote is there, byte
// for byte, what they took out is gone, what is new of ours has arrived wherever
// they left the place alone, and putting the note once more writes nothing.
func TestLivingNotes(t *testing.T) {
	runs, steps := *livingRuns, *livingSteps
	if testing.Short() {
		runs, steps = min(runs, 2), min(steps, 30)
	}
	for run := range runs {
		seed := *livingSeed + uint64(run)
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			if err := newLife(t, seed).live(steps); err != nil {
				t.Fatalf("-living.seed=%d -living.runs=1: %v", seed, err)
			}
		})
	}
}

// TestLivingNotesSeeALoss takes the guards away one by one: the checks of the
// test above fail then.
func TestLivingNotesSeeALoss(t *testing.T) {
	if testing.Short() {
		t.Skip("it judges the test above")
	}
	for name, harm := range map[string]func(*life){
		"the base is what the merge made": func(l *life) { l.wrongBase = true },
		"the second put has more to say":  func(l *life) { l.stale = true },
		"every property counts as ours":   func(l *life) { l.ownProps = true },
		"nobody knows the base":           func(l *life) { l.deaf = true },
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(6) {
				l := newLife(t, seed+1)
				harm(l)
				if err := l.live(80); err != nil {
					return
				}
			}
			t.Error("nothing was noticed")
		})
	}
}

// life is one note with its user and its source.
type life struct {
	t     *testing.T
	r     *rand.Rand
	vault *Vault
	dir   string
	at    string
	log   []string

	source *source
	user   *user
	body   *string // bases, as a ledger keeps them
	nav    *string
	last   Result
	lost   bool // the bases were lost, and something was refused since

	// ways to do harm, for the controls
	wrongBase, stale, ownProps, deaf bool
}

func newLife(t *testing.T, seed uint64) *life {
	v, dir := newVault(t, Options{})
	worldOf(v).sync = func(*os.File) error { return nil } // nothing here dies
	r := rand.New(rand.NewPCG(seed, 4))
	return &life{t: t, r: r, vault: v, dir: dir, source: newSource(r, seed%2 == 0), user: newUser(r)}
}

func (l *life) live(steps int) error {
	for range 3 {
		l.source.grow()
	}
	for step := range steps {
		l.log = nil
		if err := l.step(); err != nil {
			return fmt.Errorf("step %d (%v): %w\n%s", step, l.log, err, l.text())
		}
	}
	return nil
}

func (l *life) file() string { return filepath.Join(l.dir, filepath.FromSlash(l.at)) }

func (l *life) text() string {
	if l.at == "" {
		return ""
	}
	return readFile(l.t, l.file())
}

func (l *life) note(what string) { l.log = append(l.log, what) }

func (l *life) step() error {
	for range l.r.IntN(3) {
		l.note(l.source.grow())
	}
	if l.at != "" {
		for range l.r.IntN(3) {
			l.edit()
		}
		l.otherwise()
	}
	if l.at != "" && l.r.IntN(5) == 0 { // a human saves the note while we write it
		worldOf(l.vault).step = func(s step) {
			if s == stepSwap {
				worldOf(l.vault).step = nil
				l.note("meanwhile")
				l.edit()
			}
		}
	}
	var err error
	if l.at != "" && l.r.IntN(6) == 0 {
		l.note("killed")
		err = l.die()
	}
	if err == nil {
		err = l.put()
	}
	worldOf(l.vault).step = nil
	if err != nil {
		return err
	}
	return errors.Join(l.check(), l.again())
}

func (l *life) edit() {
	old := l.text()
	now, what := l.user.edit(old)
	l.note(what)
	if now != old {
		writeFile(l.t, l.file(), now)
	}
}

// otherwise moves the note or loses what was remembered of it, now and then.
func (l *life) otherwise() {
	switch l.r.IntN(30) {
	case 0:
		to := fmt.Sprintf("projects/moved/%d.md", l.r.IntN(1<<20))
		old := l.file()
		l.at = to
		l.note("move")
		must(l.t, errors.Join(os.MkdirAll(filepath.Dir(l.file()), 0o777), os.Rename(old, l.file())))
	case 1:
		l.note("lose the bases")
		l.body, l.nav, l.lost = nil, nil, true
	}
}

func (l *life) draft() Draft {
	d := l.source.draft()
	d.At, d.BaseBody, d.BaseNav = l.at, l.body, l.nav
	return d
}

func (l *life) put() error {
	d := l.draft()
	if l.deaf && l.at != "" {
		d.BaseBody, d.BaseNav = nil, nil
	}
	if l.ownProps && l.at != "" {
		l.disown()
	}
	r, err := l.vault.Put(l.t.Context(), d)
	if err != nil {
		return err
	}
	l.last, l.at = r, r.Path
	if r.BaseBody != nil {
		l.body = r.BaseBody
	}
	if r.BaseNav != nil {
		l.nav = r.BaseNav
	}
	if r.RejectedHash == "" {
		l.lost = false
	}
	if l.wrongBase {
		l.misremember()
	}
	return nil
}

// die puts the note and forgets what came of it, as a run that is killed before
// its ledger knows. The next run starts where this one did.
func (l *life) die() error {
	_, err := l.vault.Put(l.t.Context(), l.draft())
	return err
}

// misremember does what must never be done: it takes the result of a merge for
// its base.
func (l *life) misremember() {
	raw := []byte(l.text())
	doc := note.ParseDocument(raw)
	line := note.Closing(note.RegionBody, note.Hash([]byte(doc.Body.Text)))
	writeFile(l.t, l.file(), string(note.Splice(raw, doc.EOL, []note.Edit{{Start: doc.Body.End.Start, End: doc.Body.End.End, Text: line}})))
	l.body = &doc.Body.Text
}

// disown makes the comment for the program say that we wrote all that is there.
func (l *life) disown() {
	raw := []byte(l.text())
	doc := note.ParseDocument(raw)
	var all []Property
	for _, f := range doc.Front.Fields {
		all = append(all, Property{Key: f.Key, Value: f.Value})
	}
	c := *doc.Comment
	c.Prints = note.RenderedFrom(all)
	writeFile(l.t, l.file(), string(note.Splice(raw, doc.EOL, []note.Edit{{Start: c.Start, End: c.End, Text: c.Text()}})))
}

// again puts the note once more: nothing is written.
func (l *life) again() error {
	before, err := os.Stat(l.file())
	if err != nil {
		return err
	}
	d := l.draft()
	if l.stale && l.body != nil {
		more := *d.Body + "\nand more"
		d.Body = &more
	}
	r, err := l.vault.Put(l.t.Context(), d)
	if err != nil {
		return err
	}
	after, err := os.Stat(l.file())
	if err != nil {
		return err
	}
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		return fmt.Errorf("a second put wrote the note: %q %q", r.Outcome, r.Reason)
	}
	if r.Outcome != Unchanged && r.Outcome != Kept || r.RejectedHash != l.last.RejectedHash {
		return fmt.Errorf("a second put: %q, refused %q, before %q", r.Outcome, r.RejectedHash, l.last.RejectedHash)
	}
	return nil
}
