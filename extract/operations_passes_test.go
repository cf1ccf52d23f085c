package extract

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

// pass does one pass of a kind of its own.
func (b *bench) pass(src sources.Source, dry bool, do func(*Engine) error) error {
	b.t.Helper()
	l, err := ledger.Open(b.state, ledger.Options{Discard: dry})
	must(b.t, err)
	v, err := vault.Open(b.vault, "Agents", vault.Options{DryRun: dry, Texts: dry})
	must(b.t, err)
	err = do(&Engine{Sources: withWords(v, src), Ledger: l, Vault: v, Folder: "Agents", Pages: b.set,
		Masker: b.masker(), Settings: b.settings, Mode: Mode{Force: b.force, DryRun: dry},
		Now: func() time.Time { return time.Unix(2e9, 0) }})
	must(b.t, errors.Join(l.Close(), v.Close()))
	return err
}

// between lets the history grow and does a pass of another kind before the
// usual one.
func (b *bench) between(w *fakeSource, r *rand.Rand, change func(*Engine)) string {
	growSome(w, r)
	err := b.pass(w, false, func(s *Engine) error {
		change(s)
		_, err := s.Run(context.Background())
		return err
	})
	return fmt.Sprint("first: ", err)
}

func growSome(w *fakeSource, r *rand.Rand) {
	for _, st := range w.living() {
		if r.IntN(2) == 0 {
			st.grow(w, r)
		}
	}
}

// dryRun sees that a dry run changes no byte of the vault.
func dryRun(b *bench, w *fakeSource, r *rand.Rand) string {
	growSome(w, r)
	before := tree(b.t, b.vault)
	err := b.pass(w, true, func(s *Engine) error {
		_, err := s.Run(context.Background())
		return err
	})
	if d := differences(before, tree(b.t, b.vault)); d != "" {
		b.t.Fatalf("a dry run wrote:\n%s", d)
	}
	return fmt.Sprint("first: ", err)
}

// restoreOne deletes a note, lets that be noticed and has it brought back.
func restoreOne(b *bench, w *fakeSource, r *rand.Rand) string {
	id := ""
	what := onNote(func(b *bench, path string, _ *rand.Rand) error {
		text, err := os.ReadFile(path)
		id = note.Parse(path, text).ID
		return errors.Join(err, os.Remove(path))
	})(b, w, r)
	if what == "" {
		return ""
	}
	b.mustSync(w)
	// A copy of it may still stand: then nothing was deleted.
	err := b.pass(w, false, func(s *Engine) error {
		_, err := s.Restore(context.Background(), []string{id})
		return err
	})
	return fmt.Sprint(what, ": ", err)
}

func copyNote(_ *bench, path string, _ *rand.Rand) error {
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(path, "(copy)") {
		return err
	}
	return os.WriteFile(strings.TrimSuffix(path, ".md")+" (copy).md", text, 0o644)
}

// matching lists the files of the vault, from its root, whose path has a part.
func matching(b *bench, part string) []string {
	var out []string
	for p := range tree(b.t, b.vault) {
		if strings.Contains(p, part) && strings.HasSuffix(p, ".md") {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

func deleteCopy(b *bench, _ *fakeSource, _ *rand.Rand) string {
	copies := matching(b, "(copy)")
	if len(copies) == 0 {
		return ""
	}
	must(b.t, os.Remove(filepath.Join(b.vault, filepath.FromSlash(copies[0]))))
	return copies[0]
}

func moveBack(b *bench, _ *fakeSource, r *rand.Rand) string {
	out := matching(b, "away ")
	if len(out) == 0 {
		return ""
	}
	to := filepath.Join(b.vault, "Agents", "back", fmt.Sprintf("%d.md", r.IntN(1<<20)))
	must(b.t, errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Rename(filepath.Join(b.vault, out[0]), to)))
	return out[0]
}

// moveFolder renames the folder of a note.
func moveFolder(b *bench, _ *fakeSource, r *rand.Rand) string {
	notes := matching(b, "Agents/projects/")
	if len(notes) == 0 {
		return ""
	}
	from := path.Dir(notes[r.IntN(len(notes))])
	to := fmt.Sprintf("Agents/moved %d", r.IntN(1<<20))
	must(b.t, os.Rename(filepath.Join(b.vault, filepath.FromSlash(from)), filepath.Join(b.vault, filepath.FromSlash(to))))
	return from
}

// putBack deletes a note, lets that be noticed and puts the file back by hand.
func putBack(b *bench, w *fakeSource, r *rand.Rand) string {
	file, text := "", []byte(nil)
	what := onNote(func(_ *bench, path string, _ *rand.Rand) error {
		if strings.HasPrefix(filepath.Base(path), "away ") {
			return nil // nobody looks there for what is known to be deleted
		}
		var err error
		file = path
		text, err = os.ReadFile(path)
		return errors.Join(err, os.Remove(path))
	})(b, w, r)
	if file == "" {
		return ""
	}
	b.mustSync(w)
	must(b.t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, text, 0o644)))
	return what
}

// revert puts an older text of ours back, as a checkout of one file does.
func revert(b *bench, w *fakeSource, r *rand.Rand) string {
	before := tree(b.t, b.vault)
	growSome(w, r)
	b.mustSync(w)
	for _, p := range matching(b, "Agents/") {
		if old, ok := before[p]; ok && r.IntN(4) == 0 {
			must(b.t, os.WriteFile(filepath.Join(b.vault, filepath.FromSlash(p)), []byte(old), 0o644))
			return p
		}
	}
	return ""
}

func editAndGrow(b *bench, w *fakeSource, r *rand.Rand) string {
	what := onNote(func(_ *bench, path string, _ *rand.Rand) error {
		return edit(path, func(s string) string {
			return strings.Replace(s, "\ntitle: \"", "\ntitle: \"Mine, ", 1) + "\nadded by hand\n"
		})
	})(b, w, r)
	growSome(w, r)
	return what
}

// otherMachine brings notes of sessions that this machine does not have.
func otherMachine(b *bench, w *fakeSource, r *rand.Rand) string {
	there := newBench(b.t)
	there.rules = b.rules // as machines that share a vault are to have it
	theirs := newFakeSource()
	theirs.clock = w.clock
	for range 2 {
		theirs.begin(r).checkpoint(theirs, r)
	}
	there.mustSync(theirs)
	for _, p := range matching(there, "/") {
		if !strings.Contains(p, "/sessions/") && !strings.Contains(p, "/checkpoints/") {
			continue
		}
		to := filepath.Join(b.vault, filepath.FromSlash(p))
		text, err := os.ReadFile(filepath.Join(there.vault, filepath.FromSlash(p)))
		must(b.t, errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, 0o644)))
	}
	return fmt.Sprint(theirs.ids())
}

// views are the files of ours that are not notes, by ending.
func (b *bench) views(endings ...string) []string {
	var out []string
	for path := range tree(b.t, b.vault) {
		if slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(path, end) }) {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// deleteFile deletes a base or a canvas.
func deleteFile(b *bench, _ *fakeSource, r *rand.Rand) string {
	files := b.views(".base", ".canvas")
	if len(files) == 0 {
		return ""
	}
	path := files[r.IntN(len(files))]
	must(b.t, os.Remove(filepath.Join(b.vault, filepath.FromSlash(path))))
	return path
}

// editBase adds a view to a base, as Obsidian does.
func editBase(b *bench, _ *fakeSource, r *rand.Rand) string {
	files := b.views(".base")
	if len(files) == 0 {
		return ""
	}
	path := files[r.IntN(len(files))]
	err := edit(filepath.Join(b.vault, filepath.FromSlash(path)), func(s string) string {
		return s + fmt.Sprintf("  - type: cards\n    name: Mine %d\n", r.IntN(1<<20))
	})
	must(b.t, err)
	return path
}

// forgetOne has a session, or now and then its project, forgotten.
func forgetOne(b *bench, w *fakeSource, r *rand.Rand) string {
	living := w.living()
	if len(living) < 3 {
		return ""
	}
	name := living[r.IntN(len(living))].s.ID
	if r.IntN(3) == 0 {
		name = []string{"project:github.com/octo-org/widget", "project:github.com/octo-org/docs"}[r.IntN(2)]
	}
	err := b.pass(w, false, func(s *Engine) error {
		s.Mode.Force, s.Mode.Edited = true, r.IntN(2) == 0
		_, err := s.Forget(context.Background(), []string{name})
		return err
	})
	return fmt.Sprint(name, ": ", err)
}

// recallOne asks back what may have been forgotten.
func recallOne(b *bench, w *fakeSource, r *rand.Rand) string {
	names := []string{"project:github.com/octo-org/widget", "project:github.com/octo-org/docs"}
	for _, st := range w.living() {
		names = append(names, st.s.ID)
	}
	name := names[r.IntN(len(names))]
	err := b.pass(w, false, func(s *Engine) error {
		_, err := s.Restore(context.Background(), []string{name})
		return err
	})
	return fmt.Sprint(name, ": ", err)
}
