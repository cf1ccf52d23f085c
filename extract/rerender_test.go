package extract

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
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
	must(b.t, err)
	b.set = set
}

func questions(text string) int { return strings.Count(text, "[!question]") }

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

// TestSyncRendersAnew: other settings and what grew are taken in by one run, and each note is named once.
func TestSyncRendersAnew(t *testing.T) {
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
	if n := r.Notes; n.Updated < 3 || n.Written()+r.Files.Written() != len(r.Changed) || r.Sessions.Changed != 1 || r.Sessions.New != 1 {
		t.Errorf("%d changed, %+v, %+v", len(r.Changed), n, r.Sessions)
	}
	if r := s.mustSync(s.w); r.Notes.Written() > 0 {
		t.Errorf("it is rendered once more: %+v", r.Notes)
	}
}

func TestInterruptedRerenderingGoesOn(t *testing.T) {
	s := newStage(t, 3)
	s.rephraseAs("another nav")
	s.runUntil("planning notes")
	if r := s.mustSync(s.w); r.Notes.Updated == 0 {
		t.Errorf("%+v", r.Notes)
	}
}

func TestExportLeavesTheRerenderingToSync(t *testing.T) {
	s := newStage(t, 2)
	s.rephraseAs("another nav")
	if _, err := s.run(func(y *Engine) (Report, error) { y.Mode.NotesOff = true; return y.Run(t.Context()) }); err != nil {
		t.Fatal(err)
	}
	if r := s.mustSync(s.w); r.Notes.Updated == 0 {
		t.Errorf("%+v", r.Notes)
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
