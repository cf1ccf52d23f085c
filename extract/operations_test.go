package extract

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/sessionloom/sessionloom/sources"
)

// operation is something that may happen between two passes. do tells what happened,
// or nothing if it could not.
type operation struct {
	name  string
	human bool // a human did it in the vault
	loss  bool // a source got lost
	do    func(*bench, *fakeSource, *rand.Rand) string
}

var operations = []operation{
	{name: "begin", do: func(_ *bench, w *fakeSource, r *rand.Rand) string {
		st := w.begin(r)
		if st.s.ID[0]%2 == 0 {
			st.s.Title = "" // it comes with a renaming
		}
		return st.s.ID
	}},
	{name: "grow", do: some(func(w *fakeSource, st *fixture, r *rand.Rand) { st.grow(w, r) })},
	{name: "grow", do: some(func(w *fakeSource, st *fixture, r *rand.Rand) { st.grow(w, r) })},
	{name: "checkpoint", do: some(func(w *fakeSource, st *fixture, r *rand.Rand) { st.checkpoint(w, r) })},
	{name: "todo", do: some(func(_ *fakeSource, st *fixture, r *rand.Rand) { st.todo(r) })},
	{name: "plan", do: some(func(_ *fakeSource, st *fixture, r *rand.Rand) { st.plan(r) })},
	{name: "rewind", do: some(func(w *fakeSource, st *fixture, r *rand.Rand) { st.rewind(w, r) })},
	{name: "rename", do: some(func(_ *fakeSource, st *fixture, r *rand.Rand) { st.rename(r) })},
	{name: "fork", do: some(func(w *fakeSource, st *fixture, r *rand.Rand) { w.fork(st, r) })},
	{name: "transcript", do: some(func(w *fakeSource, st *fixture, r *rand.Rand) { w.transcript(st, r) })},
	{name: "claim", do: some(func(w *fakeSource, st *fixture, r *rand.Rand) { w.claim(st, r) })},
	{name: "claim", do: some(func(w *fakeSource, st *fixture, r *rand.Rand) { w.claim(st, r) })},
	{name: "shelve", do: func(_ *bench, w *fakeSource, r *rand.Rand) string { return w.shelve(r) }},
	{name: "delete picture", human: true, do: deletePicture},
	{name: "delete file", human: true, do: deleteFile},
	{name: "edit base", human: true, do: editBase},
	{name: "touch", do: some(func(_ *fakeSource, st *fixture, _ *rand.Rand) { st.version++ })},
	{name: "fail", do: some(func(_ *fakeSource, st *fixture, _ *rand.Rand) { st.version++; st.fails = true })},
	{name: "crash", do: crash},
	{name: "lose ledger", do: func(b *bench, _ *fakeSource, _ *rand.Rand) string { return fmt.Sprint(os.RemoveAll(b.state)) }},
	{name: "vanish", loss: true, do: some(func(_ *fakeSource, st *fixture, _ *rand.Rand) { st.gone = true })},
	{name: "come back", do: comeBack},
	{name: "delete note", human: true, do: onNote(func(b *bench, path string, _ *rand.Rand) error { return os.Remove(path) })},
	{name: "write below", human: true, do: onNote(func(b *bench, path string, _ *rand.Rand) error {
		return edit(path, func(s string) string { return s + "\nwritten by hand [[nowhere]]\n" })
	})},
	{name: "tick", human: true, do: onNote(func(b *bench, path string, _ *rand.Rand) error {
		return edit(path, func(s string) string { return strings.Replace(s, "- [ ] ", "- [x] ", 1) })
	})},
	{name: "retitle", human: true, do: onNote(func(b *bench, path string, r *rand.Rand) error {
		return edit(path, func(s string) string {
			return regexp.MustCompile(`(?m)^title: .*$`).ReplaceAllLiteralString(s, fmt.Sprintf("title: mine %d", r.IntN(100)))
		})
	})},
	{name: "tag", human: true, do: onNote(func(b *bench, path string, _ *rand.Rand) error {
		return edit(path, func(s string) string { return strings.Replace(s, "\ntags:\n", "\ntags:\n  - mine\n", 1) })
	})},
	{name: "edit lines", human: true, do: onNote(editLines)},
	{name: "edit lines and grow", human: true, do: editAndGrowOn},
	{name: "edit lines and grow", human: true, do: editAndGrowOn},
	{name: "edit properties", human: true, do: onNote(editProperties)},
	{name: "rewrite", human: true, do: onNote(rewriteNote)},
	{name: "copy note", human: true, do: onNote(copyNote)},
	{name: "delete copy", human: true, do: deleteCopy},
	{name: "move away", human: true, do: onNote(func(b *bench, path string, r *rand.Rand) error {
		return os.Rename(path, filepath.Join(b.vault, fmt.Sprintf("away %d.md", r.IntN(1<<20))))
	})},
	{name: "move back", human: true, do: moveBack},
	{name: "move folder", human: true, do: moveFolder},
	{name: "break", human: true, do: onNote(func(b *bench, path string, _ *rand.Rand) error {
		return edit(path, func(s string) string { return strings.Replace(s, "---\n", "---\nbroken: [by hand\n", 1) })
	})},
	{name: "mend", human: true, do: onNote(func(b *bench, path string, _ *rand.Rand) error {
		return edit(path, func(s string) string { return strings.Replace(s, "broken: [by hand\n", "", 1) })
	})},
	{name: "put back", human: true, do: putBack},
	{name: "revert", human: true, do: revert},
	{name: "edit and grow", human: true, do: editAndGrow},
	{name: "other machine", human: true, do: otherMachine},
	{name: "settings", do: func(b *bench, _ *fakeSource, r *rand.Rand) string {
		b.settings.Transcript = []string{"digest", "full", "none"}[r.IntN(3)]
		b.settings.JournalNames = []string{"{date}", "{date} agents"}[r.IntN(2)]
		return b.settings.Transcript + ", " + b.settings.JournalNames
	}},
	{name: "join", do: joinSome},
	{name: "rules", do: changeRules},
	{name: "rules", do: changeRules},
	{name: "templates", do: func(b *bench, _ *fakeSource, r *rand.Rand) string { return b.rephrase(r) }},
	{name: "forget", human: true, do: forgetOne},
	{name: "recall", human: true, do: recallOne},
	{name: "scoped", do: func(b *bench, w *fakeSource, r *rand.Rand) string {
		return b.between(w, r, func(s *Engine) { s.Scope.Projects = []string{"docs"} })
	}},
	{name: "dry run", do: dryRun},
	{name: "distil", do: distilSome},
	{name: "distil", do: distilSome},
	{name: "export", do: func(b *bench, w *fakeSource, r *rand.Rand) string {
		return b.between(w, r, func(s *Engine) { s.Mode.NotesOff = true })
	}},
	{name: "restore", human: true, do: restoreOne},
	{name: "plan", do: historyAndPlan},
	{name: "edit and plan", human: true, do: handsAndPlan},
	{name: "move note", human: true, do: onNote(func(b *bench, path string, r *rand.Rand) error {
		to := filepath.Join(b.vault, "Agents", "kept", fmt.Sprintf("%d.md", r.IntN(1<<20)))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.Rename(path, to)
	})},
}

// some does something to a random living session.
func some(do func(*fakeSource, *fixture, *rand.Rand)) func(*bench, *fakeSource, *rand.Rand) string {
	return func(_ *bench, w *fakeSource, r *rand.Rand) string {
		living := w.living()
		if len(living) == 0 {
			return ""
		}
		st := living[r.IntN(len(living))]
		do(w, st, r)
		return st.s.ID[:8]
	}
}

// onNote does something to a random note of ours.
func onNote(do func(*bench, string, *rand.Rand) error) func(*bench, *fakeSource, *rand.Rand) string {
	return func(b *bench, _ *fakeSource, r *rand.Rand) string {
		var notes []string
		for path, text := range tree(b.t, b.vault) {
			if strings.HasSuffix(path, ".md") && strings.Contains(text, "%% sessionloom body") && !strings.Contains(path, "/.sessionloom/") {
				notes = append(notes, path)
			}
		}
		if len(notes) < 2 {
			return ""
		}
		slices.Sort(notes)
		path := notes[r.IntN(len(notes))]
		must(b.t, do(b, filepath.Join(b.vault, filepath.FromSlash(path)), r))
		return path
	}
}

func edit(path string, change func(string) string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text := []byte(change(string(old)))
	if bytes.Equal(old, text) {
		return nil
	}
	return os.WriteFile(path, text, 0o644)
}

func comeBack(_ *bench, w *fakeSource, r *rand.Rand) string {
	var gone []*fixture
	for _, id := range w.ids() {
		if w.sessions[id].gone {
			gone = append(gone, w.sessions[id])
		}
	}
	if len(gone) == 0 {
		return ""
	}
	st := gone[r.IntN(len(gone))]
	st.gone = false
	return st.s.ID[:8]
}

// crash lets sessions grow and interrupts the pass that takes them in after a
// random number of steps.
func crash(b *bench, w *fakeSource, r *rand.Rand) string {
	for _, st := range w.living() {
		if r.IntN(2) == 0 {
			st.grow(w, r)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	f := &fuse{World: w, cancel: cancel}
	f.left.Store(r.Int64N(4))
	_, err := b.syncContext(ctx, f)
	return fmt.Sprint("interrupted: ", err)
}

// fuse is a source that cancels the pass after some reads.
type fuse struct {
	World  *fakeSource
	left   atomic.Int64
	cancel context.CancelFunc
}

func (f *fuse) Name() string                                      { return f.World.Name() }
func (f *fuse) List(ctx context.Context) (sources.Listing, error) { return f.World.List(ctx) }
func (f *fuse) Read(ctx context.Context, it sources.Item) (sources.Reading, error) {
	if f.left.Add(-1) < 0 {
		f.cancel()
	}
	return f.World.Read(ctx, it)
}

// deletePicture deletes a random picture beside the notes.
func deletePicture(b *bench, _ *fakeSource, r *rand.Rand) string {
	files := b.pictures()
	if len(files) == 0 {
		return ""
	}
	path := files[r.IntN(len(files))]
	must(b.t, os.Remove(filepath.Join(b.vault, filepath.FromSlash(path))))
	return path
}
