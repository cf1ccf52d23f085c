package extract

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// tale is a short history on a stage, of its first session most of all.
type tale struct {
	*stage
	t     *testing.T
	first *fixture
	path  string // of a note that was deleted
	text  []byte
	pure  bool // nobody but the agent was at work
}

// histories are those in which a vault that grew once differed from a fresh one. A pass
// follows each step.
var histories = map[string][]func(*tale){
	"what is open, after masking":             {(*tale).leavesOpen, (*tale).titleMasked},
	"equal names, masked one after another":   {(*tale).transcribed, (*tale).masked},
	"equal names, of which one is put back":   {(*tale).transcribed, (*tale).deleted, (*tale).putBack},
	"equal names, in a project that moved":    {(*tale).projectMoved, (*tale).transcribed, (*tale).masked},
	"a name that shows it, given by its user": {(*tale).sessionsMoved, (*tale).masked, (*tale).noNameShowsIt},
	"a name that shows it and stays":          {(*tale).copied, (*tale).forked, (*tale).masked},
	"a saved text that goes":                  {(*tale).plans, (*tale).planDeleted},
	"a saved text without its session":        {(*tale).deleted, (*tale).plans},
	"a checkpoint of a transcript that went":  {(*tale).transcribed, (*tale).transcriptTells, (*tale).transcriptGone},
	"a picture of two projects":               {(*tale).showsPicture, (*tale).pictureDeleted},
	"a fork without a note and its parent":    {(*tale).forked, (*tale).forkDeleted, (*tale).parentGone},
	"links that go and come back":             {(*tale).withoutNav, (*tale).withNav},
	"what is kept of a person, below Home":    {(*tale).remembers, (*tale).homeMoved},
	"a note twice, and rules that hide less":  {(*tale).copied, (*tale).titleMasked, (*tale).unmasked},
	"what is asked back after an export":      {(*tale).forgets, (*tale).exported, (*tale).asksBack},
}

func TestHistoriesThatDiffered(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes the race detector a minute, and runs nothing at once")
	}
	for name, steps := range histories {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, 3)
			h := &tale{stage: s, t: t, first: s.w.living()[0]}
			for _, step := range steps {
				step(h)
				s.mustSync(s.w)
				checkStep(t, s.bench, s.w, h.pure)
			}
		})
	}
}

// leavesOpen has a session of another project leave something open.
func (h *tale) leavesOpen() {
	other := h.w.begin(h.r)
	other.s.Place = sources.Place{Cwd: "/home/dev/lab/latency"}
	other.s.Todos = []sources.Todo{{ID: "1", Title: "write the parser", Status: sources.TodoOpen}}
	other.touch()
}

func (h *tale) titleMasked() {
	h.rules = redact.Options{Own: []redact.OwnRule{{Name: "title", Pattern: regexp.QuoteMeta(h.first.s.Title)}}}
}

func (h *tale) masked() {
	h.rules = redact.Options{Own: []redact.OwnRule{{Name: "prompt", Pattern: `prompt [0-9]+`}}}
}

func (h *tale) noNameShowsIt() {
	if shown := matching(h.bench, " prompt "); len(shown) > 0 {
		h.t.Errorf("names show what is masked: %q", shown)
	}
}

func (h *tale) note() string { return h.find(names.SessionID(h.first.s.ID)) }

func (h *tale) deleted() {
	var err error
	h.path = h.note()
	h.text, err = os.ReadFile(h.path)
	must(h.t, err)
	must(h.t, os.Remove(h.path))
}

func (h *tale) putBack() { must(h.t, os.WriteFile(h.path, h.text, 0o644)) }

func (h *tale) copied() { must(h.t, copyNote(h.bench, h.note(), h.r)) }

func (h *tale) moved(folder string) {
	must(h.t, os.Rename(folder, filepath.Join(h.vault, "Agents", "moved")))
}

func (h *tale) sessionsMoved() { h.moved(filepath.Dir(h.note())) }

func (h *tale) projectMoved() { h.moved(filepath.Dir(filepath.Dir(h.note()))) }

// transcript is the account of the first session under another id.
func (h *tale) transcript() *fixture {
	all := h.w.living()
	return all[slices.IndexFunc(all, func(st *fixture) bool { return st.derived })]
}

func (h *tale) transcribed() { h.w.transcript(h.first, h.r) }

// transcriptTells has the session say that the transcript is its own, which alone has a checkpoint.
func (h *tale) transcriptTells() {
	h.transcript().checkpoint(h.w, h.r)
	h.w.claim(h.first, h.r)
}

func (h *tale) transcriptGone() { h.transcript().gone = true }

func (h *tale) forked() {
	h.first.checkpoint(h.w, h.r)
	h.w.fork(h.first, h.r)
	fork := h.fork()
	fork.s.Checkpoints = slices.Clone(h.first.s.Checkpoints)
	fork.touch()
}

func (h *tale) fork() *fixture {
	all := h.w.living()
	return all[slices.IndexFunc(all, func(st *fixture) bool { return st.s.Parent == h.first.s.ID })]
}

func (h *tale) parentGone() { h.first.gone = true }

func (h *tale) forkDeleted() { must(h.t, os.Remove(h.find(names.SessionID(h.fork().s.ID)))) }

func (h *tale) plans() {
	at := h.first.s.Turns[0].At
	h.first.s.Artifacts = []sources.Artifact{{Kind: sources.Plan, Name: "plan.md", Text: "# Plan\n\n- [ ] test the ring\n", At: at}}
	h.first.touch()
}

func (h *tale) planDeleted() { must(h.t, os.Remove(h.find("memory:"))) }

// showsPicture has sessions of two projects show the same picture, of which one is gone after that.
func (h *tale) showsPicture() {
	other := h.w.begin(h.r)
	other.s.Place = sources.Place{Repository: "octo-org/docs", Host: "github.com", GitRoot: "/home/dev/src/docs"}
	for _, st := range []*fixture{h.first, other} {
		st.s.Turns[0].Attachments = []sources.Attachment{{Kind: "image", Name: "shot.png", Content: []byte("\x89PNG\r\n\x1a\nIHDR 1")}}
		st.touch()
	}
	h.mustSync(h.w)
	other.gone = true
	must(h.t, os.RemoveAll(h.state))
}

func (h *tale) pictureDeleted() {
	all := h.pictures()
	must(h.t, os.Remove(filepath.Join(h.vault, all[len(all)-1]))) // that of the first session
}

func (h *tale) withoutNav() {
	h.pure = true
	h.rephraseAs("no nav")
}

func (h *tale) withNav() { h.rephraseAs("the program's") }

// remembers has an agent keep something of the person.
func (h *tale) remembers() {
	h.w.sessions["tale:shelf"] = &fixture{s: sources.Session{
		ID: "tale:shelf", Agent: "tale", IsMemory: true, Scope: sources.ScopeUser, Created: h.w.clock,
		Artifacts: []sources.Artifact{{Kind: "memory", Name: "m.md", Text: "# Tea", At: h.w.clock}},
	}}
}

func (h *tale) homeMoved() {
	must(h.t, os.Rename(h.find(names.HomeID), filepath.Join(h.vault, "Agents", "Start.md")))
}

func (h *tale) unmasked() { h.rules = redact.Options{} }

func (h *tale) forgets() { h.forget("project:github.com/octo-org/widget") }

func (h *tale) exported() {
	h.between(h.w, h.r, func(s *Engine) { s.Mode.NotesOff = true })
}

func (h *tale) asksBack() {
	must(h.t, h.pass(h.w, false, func(s *Engine) error {
		_, err := s.Restore(h.t.Context(), []string{"project:github.com/octo-org/widget"})
		return err
	}))
}
