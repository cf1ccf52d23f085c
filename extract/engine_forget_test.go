package extract

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func (s *stage) forget(names ...string) Report {
	s.t.Helper()
	r := expect.Value(s.run(func(y *Engine) (Report, error) {
		y.Mode.Force = true
		return y.Forget(s.t.Context(), names)
	}))(s.t)
	return r
}

// layers counts what is kept of a session.
func (b *bench) layers(id string) int {
	b.t.Helper()
	l := expect.Value(ledger.Open(b.state, ledger.Options{}))(b.t)
	defer func() { _ = l.Close() }()
	n := l.LayerCount(id)
	return n
}

func TestWhatIsForgottenIsForgottenOnEveryMachine(t *testing.T) {
	for _, what := range []string{"session", "project"} {
		t.Run(what, func(t *testing.T) {
			s := newStage(t, 3)
			there := &stage{bench: s.withoutLedger(), w: s.w, r: s.r}
			there.mustSync(s.w)
			st := s.w.living()[0]
			name := st.s.ID
			if what == "project" {
				name = "project:widget"
			}
			if there.layers(st.s.ID) == 0 {
				t.Fatal("this test would not see what is kept")
			}
			s.forget(name)
			must(t, os.RemoveAll(there.vault))
			must(t, os.CopyFS(there.vault, os.DirFS(s.vault)))
			before := tree(t, there.vault)
			if r := there.mustSync(s.w); r.Notes.Tombstoned > 0 || len(r.Changed) > 0 {
				t.Errorf("the other machine does %+v", r)
			}
			if d := differences(before, tree(t, there.vault)); d != "" {
				t.Errorf("the other machine writes\n%s", d)
			}
			if n := there.layers(st.s.ID); n > 0 {
				t.Errorf("it keeps %d layers", n)
			}
			st.grow(s.w, s.r)
			there.mustSync(s.w)
			if n := there.layers(st.s.ID); n > 0 {
				t.Errorf("it keeps %d layers once it has grown", n)
			}
			checkStep(t, there.bench, s.w, false)
			_, err := there.run(func(y *Engine) (Report, error) { return y.Restore(t.Context(), []string{name}) })
			must(t, err)
			must(t, os.RemoveAll(s.vault))
			must(t, os.CopyFS(s.vault, os.DirFS(there.vault)))
			whole := tree(t, s.vault)
			s.mustSync(s.w)
			if d := differences(whole, tree(t, s.vault)); d != "" || s.layers(st.s.ID) == 0 {
				t.Errorf("asked back there, %d layers here:\n%s", s.layers(st.s.ID), d)
			}
			checkStep(t, s.bench, s.w, true)
		})
	}
}

func TestNoteOfAnotherMachineIsForgottenToo(t *testing.T) {
	s := newStage(t, 2)
	there := s.withoutLedger()
	st := s.w.living()[0]
	path := s.find(names.SessionID(st.s.ID))
	st.gone = true
	there.mustSync(s.w) // knows the note alone
	hands := &stage{bench: there, w: s.w, r: s.r}
	hands.forget(st.s.ID)
	rel := expect.Value(filepath.Rel(s.vault, path))(t)
	if _, err := os.Stat(filepath.Join(there.vault, rel)); err == nil {
		t.Error("the note stands")
	}
	checkStep(t, there, s.w, false)
}

func TestPicturesOfWhatIsForgottenGo(t *testing.T) {
	s := newStage(t, 2)
	a, b := s.w.living()[0], s.w.living()[1]
	picture := func(n int) sources.Attachment {
		return sources.Attachment{Kind: "image", Name: "shot.png", Content: []byte("\x89PNG\r\n\x1a\nIHDR " + strings.Repeat("x", n))}
	}
	a.s.Turns[0].Attachments = []sources.Attachment{picture(1), picture(2), picture(3)}
	b.s.Turns[0].Attachments = []sources.Attachment{picture(2)}
	a.touch()
	b.touch()
	s.mustSync(s.w)
	at := func(n int) string {
		return filepath.Join(s.vault, "Agents", filepath.FromSlash(names.PicturePath(identity.ProjectFromKey("github.com/octo-org/widget"), picture(n))))
	}
	must(t, os.WriteFile(at(3), []byte("drawn over by its user"), 0o644))
	s.forget(a.s.ID)
	for n, want := range map[int]bool{1: false, 2: true, 3: true} {
		if _, err := os.Stat(at(n)); (err == nil) != want {
			t.Errorf("picture %d: stands is %v, want %v", n, err == nil, want)
		}
	}
	checkStep(t, s.bench, s.w, false)
}

func TestNothingIsDeletedWhileAFolderIsClosed(t *testing.T) {
	s := newStage(t, 2)
	closed := filepath.Join(s.vault, "Private")
	must(t, os.Mkdir(closed, 0o700))
	path := s.find(names.SessionID(s.w.living()[0].s.ID))
	must(t, os.Rename(path, filepath.Join(closed, "mine.md")))
	must(t, os.Chmod(closed, 0))
	t.Cleanup(func() { _ = os.Chmod(closed, 0o700) })
	if _, err := os.ReadDir(closed); err == nil {
		t.Skip("this user may read everything")
	}
	s.w.living()[0].grow(s.w, s.r)
	for range 2 {
		if r := s.mustSync(s.w); r.Notes.Tombstoned+r.Notes.Failed > 0 || len(r.Problems) != 1 || r.Part() {
			t.Errorf("while a folder is closed: %+v", r)
		}
	}
	must(t, os.Chmod(closed, 0o700))
	if r := s.mustSync(s.w); r.Notes.Tombstoned > 0 || len(r.Problems) > 0 || s.links(filepath.Join(closed, "mine.md")) == 0 {
		t.Errorf("once it is open again: %+v", r)
	}
	checkStep(t, s.bench, s.w, false)
}

func TestCanvasIsDrawnAnewWithoutWhatIsForgotten(t *testing.T) {
	s := newStage(t, 5)
	pr := identity.ProjectFromKey("github.com/octo-org/widget")
	file := filepath.Join(s.vault, "Agents", filepath.FromSlash(names.CanvasPath(pr)))
	text := func() []byte {
		b := expect.Value(os.ReadFile(file))(t)
		return b
	}
	first, second := s.w.living()[0].s.ID, s.w.living()[1].s.ID
	if !bytes.Contains(text(), []byte(names.CanvasNodeID(names.SessionID(first)))) {
		t.Fatal("this test would not see what the canvas shows")
	}
	s.forget(first)
	if bytes.Contains(text(), []byte(names.CanvasNodeID(names.SessionID(first)))) || !bytes.Contains(text(), []byte(names.CanvasNodeID(names.SessionID(second)))) {
		t.Errorf("the canvas is\n%s", text())
	}
	checkStep(t, s.bench, s.w, false)
	must(t, os.WriteFile(file, append(text(), "\n\n"...), 0o644)) // moved about by its user, say
	mine := string(text())
	if r := s.forget(second); len(r.Kept) != 1 || string(text()) != mine {
		t.Errorf("a canvas of the user is to stay and be told of: %+v", r.Kept)
	}
}

// TestForgetKeepsNoTextOfAnEditedNote: the note stays, for its user wrote in it;
// what we remembered of it, with what they took out, does not.
func TestForgetKeepsNoTextOfAnEditedNote(t *testing.T) {
	s := newStage(t, 2)
	st := s.w.living()[0]
	st.s.Turns[0].Assistant = "the word is swordfish"
	st.touch()
	s.mustSync(s.w)
	path := s.find(names.SessionID(st.s.ID))
	must(t, edit(path, func(text string) string { return strings.ReplaceAll(text, "the word is swordfish", "by hand") }))
	s.mustSync(s.w)
	holds := func() (found bool) {
		files := expect.Value(os.ReadDir(s.state))(t)
		for _, f := range files {
			text := expect.Value(os.ReadFile(filepath.Join(s.state, f.Name())))(t)
			found = found || strings.Contains(string(text), "swordfish")
		}
		return found
	}
	if !holds() {
		t.Fatal("this test would not see what is kept")
	}
	if r := s.forget(st.s.ID); len(r.Kept) != 1 || holds() {
		t.Errorf("kept %v, the ledger holds it: %v", r.Kept, holds())
	}
	checkStep(t, s.bench, s.w, false)
}

// TestForkOfWhatIsForgotten does not name its parent any longer, and takes in
// nothing of it.
func TestForkOfWhatIsForgotten(t *testing.T) {
	s := newStage(t, 2)
	parent := s.w.living()[0]
	parent.checkpoint(s.w, s.r)
	s.w.fork(parent, s.r)
	s.mustSync(s.w)
	title := parent.s.Title
	s.forget(parent.s.ID)
	for pass := range 2 {
		files := tree(t, s.vault)
		checkLinks(t, s.bench, s.w, files)
		for path, text := range files {
			if strings.Contains(text, title) || strings.Contains(text, "/checkpoints/") {
				t.Errorf("pass %d: %s still tells of it:\n%s", pass, path, text)
			}
		}
		for _, st := range s.w.living() {
			if st.s.Parent == parent.s.ID {
				st.grow(s.w, s.r)
			}
		}
		s.mustSync(s.w)
	}
	checkStep(t, s.bench, s.w, false)
}

// TestEditedNoteOfWhatIsForgottenLinksToNothing that went with its project.
func TestEditedNoteOfWhatIsForgottenLinksToNothing(t *testing.T) {
	s := newStage(t, 3)
	path := s.find(names.SessionID(s.w.living()[1].s.ID))
	must(t, edit(path, func(text string) string { return text + "\nmine\n" }))
	if r := s.forget("project:widget"); len(r.Kept) != 1 {
		t.Errorf("kept %v", r.Kept)
	}
	checkLinks(t, s.bench, s.w, tree(t, s.vault))
	if r := s.mustSync(s.w); len(r.Changed)+len(r.Kept) > 0 {
		t.Errorf("the next pass does not rest: %+v", r)
	}
	checkStep(t, s.bench, s.w, false)
}
