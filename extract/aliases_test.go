package extract

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// aliasPile is a chat and a transcript of it that was kept under another id.
func aliasPile() (src *pile, log, transcript *thing) {
	s, x := chat(idA, 0, widget, idB), chat(idB, 0, sources.Place{Cwd: "/home/dev/src/widget"})
	x.Complete = false
	x.Artifacts = []sources.Artifact{{Kind: sources.Plan, Name: "plan.md", Text: "# The plan\n", At: at(1)}}
	log = of("log", sources.KindSession, true, "tale/log", sources.RankLog, s)
	transcript = of("transcript", sources.KindSession, true, "tale/transcript", sources.RankStore, x)
	return &pile{name: "tale"}, log, transcript
}

func TestOneConversationUnderTwoIds(t *testing.T) {
	for name, order := range map[string][]int{"session first": {0, 1}, "the other first": {1, 0}, "at once": {2}} {
		for _, lost := range []bool{false, true} {
			b := newBench(t)
			src, log, transcript := aliasPile()
			for _, n := range order {
				src.items = append(src.items, [][]*thing{{log}, {transcript}, {log, transcript}}[n]...)
				b.mustSync(src)
				if lost {
					must(t, os.RemoveAll(b.state))
				}
			}
			b.mustSync(src)
			expect.List(t, b.ids("session:"), []string{names.SessionID(idA)}, name, "ledger lost", lost, "notes")
			expect.List(t, b.ids("memory:"), []string{"memory:" + idA + ":plan"}, name, "ledger lost", lost, "notes")
			expect.Has(t, b.text(names.SessionID(idA)), "alias "+idB+" ¦", name, "the note does not name its other id")
			b.steady(true, src)
		}
	}
}

func TestOtherIdIsKnownFromTheNote(t *testing.T) {
	b := newBench(t)
	src, log, transcript := aliasPile()
	src.items = []*thing{log, transcript}
	b.mustSync(src)
	src.items = []*thing{transcript}
	must(t, os.RemoveAll(b.state))
	transcript.version++
	transcript.layers[0].Layers[0].Session.Turns[0].Assistant = "Another word."
	b.mustSync(src)
	expect.List(t, b.ids("session:"), []string{names.SessionID(idA)}, "the source is gone, and notes are those")
	expect.Lacks(t, b.text(names.SessionID(idA)), "Another word", "the note was made again without its log")
	b.steady(false, src)
}

func TestTouchedAliasNoteStays(t *testing.T) {
	b := newBench(t)
	src, log, transcript := aliasPile()
	src.items = []*thing{transcript}
	b.mustSync(src)
	s := &stage{bench: b}
	must(t, edit(s.find(names.SessionID(idB)), func(text string) string { return text + "\nby hand\n" }))
	src.items = []*thing{log, transcript}
	r := b.mustSync(src)
	if got := b.ids("session:"); !slices.Equal(got, []string{names.SessionID(idA), names.SessionID(idB)}) || len(r.Kept) != 1 {
		t.Errorf("notes of %q, kept %+v", got, r.Kept)
	}
	if got := b.ids("memory:"); len(got) != 1 {
		t.Errorf("notes %q", got)
	}
	b.steady(false, src)
}

func TestAliasNoteWhoseSourceIsGoneStays(t *testing.T) {
	b := newBench(t)
	src, log, transcript := aliasPile()
	src.items = []*thing{transcript}
	b.mustSync(src)
	must(t, os.RemoveAll(b.state))
	poorer := of("index", sources.KindSession, true, "tale/index", sources.RankIndex, sources.Session{ID: idB, Title: "x"})
	src.items = []*thing{log, poorer}
	b.mustSync(src)
	expect.List(t, b.ids("session:"), []string{names.SessionID(idA), names.SessionID(idB)}, "notes")
	b.steady(false, src)
}

func TestDeletedUnderItsOtherId(t *testing.T) {
	b := newBench(t)
	src, log, transcript := aliasPile()
	src.items = []*thing{transcript}
	b.mustSync(src)
	s := &stage{bench: b}
	must(t, os.Remove(s.find(names.SessionID(idB))))
	b.mustSync(src)
	src.items = []*thing{log, transcript}
	b.mustSync(src)
	if got := b.ids("session:"); len(got) != 0 {
		t.Fatalf("the deleted note came back as %q", got)
	}
	b.steady(false, src)
	err := b.pass(src, false, func(y *Engine) error {
		_, err := y.Restore(t.Context(), []string{idA})
		return err
	})
	must(t, err)
	expect.List(t, b.ids("session:"), []string{names.SessionID(idA)}, "restored")
	b.steady(false, src)
}

// A fork repeats the ids of the session it began with and names its parent by
// whatever id that was known under.
func TestForkOfASessionWithAnotherId(t *testing.T) {
	b := newBench(t)
	src, log, transcript := aliasPile()
	fork := chat(idC, 9, widget, idA, idB)
	fork.Parent = idB
	src.items = []*thing{of("fork", sources.KindSession, true, "tale/log", sources.RankLog, fork), log}
	b.mustSync(src)
	src.items = append(src.items, transcript)
	b.mustSync(src)
	expect.List(t, b.ids("session:"), []string{names.SessionID(idA), names.SessionID(idC)}, "notes")
	expect.Has(t, b.text(names.SessionID(idC)), "parent "+idA+" ¦", "the fork does not name its parent")
	b.steady(true, src)
}

func TestClaimThatIsTakenBack(t *testing.T) {
	b := newBench(t)
	src, log, transcript := aliasPile()
	src.items = []*thing{log, transcript}
	b.pass(src, false, func(y *Engine) error { y.Mode.NotesOff = true; _, err := y.Run(t.Context()); return err })
	log.version++
	log.layers[0].Layers[0].Session.Aliases = nil
	b.mustSync(src)
	expect.List(t, b.ids("session:"), []string{names.SessionID(idA), names.SessionID(idB)}, "notes")
	b.steady(true, src)
}

// What was made under the other id goes only after what is in its place.
func TestAliasNoteStaysUntilTheOtherIsWritten(t *testing.T) {
	b := newBench(t)
	src, log, transcript := aliasPile()
	src.items = []*thing{transcript}
	b.mustSync(src)
	src.items = []*thing{log, transcript}
	inTheWay := "Agents/projects/widget (octo-org)"
	must(t, os.WriteFile(filepath.Join(b.vault, inTheWay), []byte("mine"), 0o644))
	if r := b.mustSync(src); !r.Part() {
		t.Fatal("the note of the session was written through a file")
	}
	expect.List(t, b.ids("session:"), []string{names.SessionID(idB)}, "notes")
	must(t, os.Remove(filepath.Join(b.vault, inTheWay)))
	b.mustSync(src)
	expect.List(t, b.ids("session:"), []string{names.SessionID(idA)}, "then notes")
	b.steady(true, src)
}
