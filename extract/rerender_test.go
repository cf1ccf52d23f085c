package extract

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault/inert"
)

// phrases are templates of a user: another wording, other boxes, no boxes.
var phrases = map[string]map[string]string{
	"the program's":  nil,
	"no nav":         {"nav.tmpl": `{{define "nav"}}{{end}}`},
	"another nav":    {"nav.tmpl": `{{define "nav"}}{{with links .Days}}On {{.}}{{end}}{{end}}`},
	"other boxes":    {"session.tmpl": `{{define "done"}}{{end}}{{define "touched"}}{{with .Open}}## Open{{gap}}{{range .}}- [ ] {{inline .Text}}, still{{"\n"}}{{end}}{{gap}}{{end}}{{end}}`},
	"nothing open":   {"session.tmpl": `{{define "outcome"}}{{markdown .Summary}}{{gap}}{{end}}`},
	"another thread": {"lists.tmpl": `{{define "thread"}}- {{date .Since}}: {{inline .Text}}{{"\n"}}{{end}}`},
}

// rephrase has the user put other templates into the vault.
func (b *bench) rephrase(r *rand.Rand) string {
	b.t.Helper()
	names := []string{"the program's", "another nav", "other boxes", "nothing open", "another thread"}
	name := names[r.IntN(len(names))]
	b.rephraseAs(name)
	return name
}

func (b *bench) rephraseAs(name string) {
	b.t.Helper()
	set, err := templates.With(phrases[name], inert.Acting, "")
	if err != nil {
		b.t.Fatal(err)
	}
	b.set = set
}

// unlistable is a source that must not be asked anything.
type unlistable struct{ t *testing.T }

func (u unlistable) Name() string { return "tale" }
func (u unlistable) List(context.Context) (sources.Listing, error) {
	u.t.Error("a source was listed")
	return sources.Listing{}, errors.New("not now")
}
func (u unlistable) Read(context.Context, sources.Item) (sources.Reading, error) {
	u.t.Error("a source was read")
	return sources.Reading{}, errors.New("not now")
}

func (s *stage) rerender() (Report, bool) {
	s.t.Helper()
	due := false
	r, err := s.run(func(y *Engine) (r Report, err error) {
		y.Sources = []sources.Source{unlistable{s.t.(*testing.T)}}
		r, due, err = y.Rerender(s.t.Context())
		return r, err
	})
	must(s.t.(*testing.T), err)
	return r, due
}

func TestRerenderingReadsNoSource(t *testing.T) {
	s := newStage(t, 3)
	if _, due := s.rerender(); due {
		t.Error("a re-rendering is due though nothing changed")
	}
	s.rephraseAs("another nav")
	s.w.living()[0].grow(s.w, s.r)
	grown := s.find(names.SessionID(s.w.living()[0].s.ID))
	text := readText(t, grown)
	r, due := s.rerender()
	if !due || r.Rerendered == 0 || r.Rerendered != r.Notes.Updated {
		t.Errorf("due %v, %d notes rendered anew, %+v", due, r.Rerendered, r.Notes)
	}
	if now := readText(t, grown); !strings.Contains(now, "\nOn [[") || questions(now) != questions(text) {
		t.Errorf("the note is not rendered anew, or more than that:\n%s", now)
	}
	if _, due := s.rerender(); due {
		t.Error("the re-rendering is due once more")
	}
	after := s.mustSync(s.w)
	if after.Rerendered > 0 || after.Sessions.Changed != 1 || questions(readText(t, grown)) != questions(text)+1 {
		t.Errorf("the next pass did not take in what grew: %+v", after)
	}
}

func questions(text string) int { return strings.Count(text, "[!question]") }

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

func TestSyncRendersAnewFirst(t *testing.T) {
	s := newStage(t, 3)
	s.settings.Transcript = "none"
	s.w.living()[0].grow(s.w, s.r)
	s.w.begin(s.r)
	r := s.mustSync(s.w)
	changed := map[string]int{}
	for _, c := range r.Changed {
		changed[c.Note]++
		if changed[c.Note] > 1 {
			t.Errorf("%s is named twice", c.Note)
		}
	}
	if n := r.Notes; r.Rerendered < 3 || n.Written()+r.Files.Written() != len(r.Changed) || r.Sessions.Changed != 1 || r.Sessions.New != 1 {
		t.Errorf("%d rendered anew, %d changed, %+v, %+v", r.Rerendered, len(r.Changed), n, r.Sessions)
	}
}

func TestInterruptedRerenderingIsDueAgain(t *testing.T) {
	s := newStage(t, 3)
	s.rephraseAs("another nav")
	s.runUntil("planning notes")
	if r, due := s.rerender(); !due || r.Rerendered == 0 {
		t.Errorf("due %v, %d rendered anew", due, r.Rerendered)
	}
}

func TestExportLeavesTheRerenderingToSync(t *testing.T) {
	s := newStage(t, 2)
	s.rephraseAs("another nav")
	if _, err := s.run(func(y *Engine) (Report, error) { y.Mode.NotesOff = true; return y.Run(t.Context()) }); err != nil {
		t.Fatal(err)
	}
	if r, due := s.rerender(); !due || r.Rerendered == 0 {
		t.Errorf("due %v, %d rendered anew", due, r.Rerendered)
	}
}

// A template that fails on some data only fails the notes of it.
func TestTemplateThatFailsOnSomeDataFailsThatNote(t *testing.T) {
	s := newStage(t, 3)
	set, err := templates.With(map[string]string{
		"turn.tmpl": "{{define \"turn\"}}\n{{if eq .Number 3}}{{inline (index .Citations .Number)}}{{end}}{{gap}}{{markdown .Prompt}}{{end}}"}, inert.Acting, "")
	must(t, err)
	s.set = set
	long := s.w.living()[1]
	for len(long.s.Turns) < 3 {
		long.grow(s.w, s.r)
	}
	for range 2 { // it is tried again
		r := s.mustSync(s.w)
		if r.Notes.Failed != 1 || !r.Part() || len(r.Problems) != 1 {
			t.Fatalf("%+v, problems %+v", r.Notes, r.Problems)
		}
		if q := r.Problems[0]; q.Item != names.SessionID(long.s.ID) || !strings.Contains(q.Error, "turn.tmpl:2:") {
			t.Errorf("problem %+v does not name the note or the line", q)
		}
	}
	s.rephraseAs("the program's")
	if r := s.mustSync(s.w); r.Part() || questions(readText(t, s.find(names.SessionID(long.s.ID)))) != 3 {
		t.Errorf("the note is not written once the template is mended: %+v", r.Problems)
	}
}
