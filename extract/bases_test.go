package extract

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault/note"
)

// show does a dry run as `diff` does it.
func (s *stage) show() (report Report) {
	s.t.Helper()
	must(s.t.(*testing.T), s.pass(s.w, true, func(y *Engine) (err error) {
		y.Mode.Texts = true
		report, err = y.Run(context.Background())
		return err
	}))
	return report
}

// kept are the notes the ledger knows as kept, by path.
func (s *stage) kept() map[string]string {
	s.t.Helper()
	l := expect.Value(ledger.Open(s.state, ledger.Options{}))(s.t)
	defer func() { _ = l.Close() }()
	rows := l.NotesInState(ledger.Present)
	kept := map[string]string{}
	for _, r := range rows {
		kept[r.Path] = r.Reason
	}
	return kept
}

// TestRefusedIsToldOnce: a run tells of what it refused until something else is
// refused; meanwhile the ledger knows it, and a dry run shows what the note
// would say.
func TestRefusedIsToldOnce(t *testing.T) {
	s := newStage(t, 2)
	st := s.w.living()[0]
	path := s.find(names.SessionID(st.s.ID))
	must(t, edit(path, func(text string) string { return strings.Replace(text, "# "+st.s.Title+"\n", "# Mine\n", 1) }))
	if r := s.mustSync(s.w); len(r.Kept) > 0 || len(s.kept()) > 0 {
		t.Errorf("nothing was refused, kept %v", r.Kept)
	}
	st.rename(s.r)
	if r := s.mustSync(s.w); r.Notes.Kept != 1 || len(r.Kept) != 1 {
		t.Fatalf("kept %d, %v", r.Notes.Kept, r.Kept)
	}
	checkStep(t, s.bench, s.w, false)
	st.grow(s.w, s.r)
	if r := s.mustSync(s.w); r.Notes.Kept != 0 || len(r.Kept) > 0 || r.Notes.Merged != 1 {
		t.Errorf("told again: %+v %v", r.Notes, r.Kept)
	}
	checkStep(t, s.bench, s.w, false)
	if kept := s.kept(); len(kept) != 1 {
		t.Errorf("the ledger knows %v", kept)
	}
	r := s.show()
	if len(r.Kept) != 1 || len(r.Changed) != 1 || string(r.Changed[0].Old) != string(r.Changed[0].New) {
		t.Fatalf("shown %v, changed %d", r.Kept, len(r.Changed))
	}
	wanted, now := string(r.Changed[0].Unmerged), string(r.Changed[0].New)
	if strings.Contains(wanted, "# Mine\n") || !strings.Contains(now, "# Mine\n") || !strings.Contains(wanted, "# Renamed") {
		t.Errorf("wanted:\n%s", wanted)
	}
	must(t, edit(path, func(string) string { return wanted }))
	if r := s.mustSync(s.w); r.Notes.Kept > 0 || len(s.kept()) > 0 {
		t.Errorf("our text was taken over, kept %v", s.kept())
	}
	checkStep(t, s.bench, s.w, false)
	if r := s.show(); len(r.Kept)+len(r.Changed) > 0 {
		t.Errorf("still shown: %v %v", r.Kept, r.Changed)
	}
}

// TestBrokenNoteIsToldOnce: what keeps a note from being written is told when it
// is found, and again when it is something else.
func TestBrokenNoteIsToldOnce(t *testing.T) {
	for what, spoil := range map[string]func(string) string{
		"unreadable properties": func(s string) string { return strings.Replace(s, "---\n", "---\nbroken: [\n", 1) },
		"conflict markers": func(s string) string {
			return strings.Replace(s, "# ", "<<<<<<< HEAD\n# Mine\n=======\n# ", 1) + ">>>>>>> theirs\n"
		},
		"a marker missing": func(s string) string { return strings.Replace(s, "%% /sessionloom body", "", 1) },
		"a marker doubled": func(s string) string { return s + "%% /sessionloom nav 0123456789abcdef %%\n" },
	} {
		t.Run(what, func(t *testing.T) {
			s := newStage(t, 2)
			st := s.w.living()[0]
			path := s.find(names.SessionID(st.s.ID))
			must(t, edit(path, spoil))
			left := expect.Value(os.ReadFile(path))(t)
			if r := s.mustSync(s.w); len(r.Kept) != 1 {
				t.Errorf("kept %v", r.Kept)
			}
			st.grow(s.w, s.r)
			s.w.living()[1].grow(s.w, s.r)
			must(t, edit(s.find("home"), func(text string) string { return text + "\nby hand\n" }))
			if r := s.mustSync(s.w); len(r.Kept) > 0 {
				t.Errorf("told again: %v", r.Kept)
			}
			if now, err := os.ReadFile(path); err != nil || string(now) != string(left) {
				t.Errorf("it was written: %v\n%s", err, now)
			}
			n := note.Parse(path, left)
			must(t, edit(path, func(text string) string { return "\uFEFF" + text }))
			if r := s.mustSync(s.w); n.Broken == "" || len(r.Kept) > 0 {
				t.Errorf("another spelling of %q is told: %v", n.Broken, r.Kept)
			}
		})
	}
}

// TestInterruptedRunIsMadeUpFor: where a run wrote a note and died before it
// remembered, the next one finds the common version again.
func TestInterruptedRunIsMadeUpFor(t *testing.T) {
	s := newStage(t, 1)
	st := s.w.living()[0]
	st.grow(s.w, s.r)
	s.mustSync(s.w)
	path := s.find(names.SessionID(st.s.ID))
	must(t, edit(path, func(text string) string { return strings.Replace(text, "# "+st.s.Title+"\n", "# Mine\n\nby hand\n", 1) }))
	s.mustSync(s.w)
	before := t.TempDir()
	must(t, os.CopyFS(before, os.DirFS(s.state)))
	st.rename(s.r)
	st.grow(s.w, s.r)
	if r := s.mustSync(s.w); r.Notes.Kept != 1 {
		t.Fatalf("%+v", r.Notes)
	}
	must(t, os.RemoveAll(s.state))
	must(t, os.CopyFS(s.state, os.DirFS(before)))
	s.mustSync(s.w)
	st.grow(s.w, s.r)
	if r := s.mustSync(s.w); r.Notes.Merged != 1 {
		t.Errorf("%+v %v", r.Notes, r.Kept)
	}
	text := expect.Value(os.ReadFile(path))(t)
	if !strings.Contains(string(text), "# Mine\n\nby hand\n") || !strings.Contains(string(text), st.s.Turns[len(st.s.Turns)-1].Assistant) {
		t.Errorf("got:\n%s", text)
	}
}

// TestEditedNoteThatQuotesAMerge continues being updated: the marks of a merge that
// an agent wrote down are none of the vault's.
func TestEditedNoteThatQuotesAMerge(t *testing.T) {
	s := newStage(t, 1)
	st := s.w.living()[0]
	const quoted = "\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n\nend\n"
	plan := func(title string) {
		st.s.Artifacts = []sources.Artifact{{Kind: sources.Plan, Name: "plan.md", Text: "# " + title + "\n" + quoted, At: st.s.Turns[0].At}}
		st.touch()
	}
	plan("First")
	s.mustSync(s.w)
	path := s.find("memory:")
	must(t, edit(path, func(text string) string { return strings.Replace(text, "\nend\n", "\nend\n\nby hand\n", 1) }))
	plan("Second")
	r := s.mustSync(s.w)
	text := expect.Value(os.ReadFile(path))(t)
	if len(r.Kept) > 0 || !strings.Contains(string(text), "\nby hand\n") || !strings.Contains(string(text), "# Second") {
		t.Errorf("kept %v\n%s", r.Kept, text)
	}
}
