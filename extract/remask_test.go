package extract

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault/inspect"
)

// ownRules are what a user of the model may count as secret.
var ownRules = []redact.OwnRule{
	{Name: "tale-name", Pattern: `Tale [0-9]*[1357]\b`},
	{Name: "prompt-name", Pattern: `prompt [0-9]*[02468]\b`},
	{Name: "ring", Pattern: `test the (ring)`},
	{Name: "kid", Pattern: "`kid`"},
	{Name: "file-name", Pattern: `f[0-2]\.go`},
}

// text is the note whose id begins so.
func (s *stage) text(id string) string {
	s.t.Helper()
	text := expect.Value(os.ReadFile(s.find(id)))(s.t)
	return string(text)
}

// changeRules has the user change what is masked: rules, and what they let go.
func changeRules(b *bench, _ *fakeSource, r *rand.Rand) string {
	b.rules = redact.Options{}
	for _, rule := range ownRules {
		if r.IntN(3) == 0 {
			b.rules.Own = append(b.rules.Own, rule)
		}
	}
	if r.IntN(3) == 0 {
		b.rules.Allow = []string{`.*[15]`}
	}
	return fmt.Sprint(b.rules)
}

// everywhere lists the files of vault and state that hold a word, or are called
// so.
func (b *bench) everywhere(words ...string) (found []string) {
	b.t.Helper()
	for _, dir := range []string{b.vault, b.state} {
		for path, text := range tree(b.t, dir) {
			for _, w := range words {
				if strings.Contains(path+text, w) {
					found = append(found, filepath.Join(filepath.Base(dir), path)+" holds "+w)
				}
			}
		}
	}
	return found
}

// newRule is what a user adds once a secret slipped in.
var newRule = redact.Options{Own: []redact.OwnRule{{Name: "zebra", Pattern: `(?i)zebra-?[0-9]{6}`}}}

const slipped = "zebra123456"

// slipIn makes a session that has a secret no rule knows in every text of it.
func slipIn(s *stage) *fixture {
	s.plain = true // or the ledger knows the names of files until the next commit
	st := s.w.begin(s.r)
	st.s.Place = sources.Place{Repository: "octo-org/widget", Host: "github.com", GitRoot: "/home/dev/src/widget", Branch: "feat/" + slipped}
	st.s.Title, st.s.Summary = "Rotate "+slipped, "It was "+slipped
	t := &st.s.Turns[0]
	t.User, t.Assistant = slipped+" is the key", "I keep "+slipped+" safe."
	t.Tools = []sources.Tool{{Name: "bash", Kind: "run", Detail: "echo " + slipped, After: len("I keep zebra123456")}}
	t.Attachments = []sources.Attachment{{Kind: "file", Name: slipped + ".txt"}}
	st.s.Files = []sources.FileTouch{{Path: st.root() + "/" + slipped + ".go", Kind: sources.Edited, At: t.At}}
	st.s.Todos = []sources.Todo{{ID: "1", Title: "Revoke " + slipped, Status: sources.TodoOpen}}
	st.s.Checkpoints = []sources.Checkpoint{{Number: 1, Title: "Found " + slipped, At: t.At, Overview: slipped, NextSteps: "- rotate " + slipped}}
	st.s.Artifacts = []sources.Artifact{
		{Kind: sources.Plan, Name: "plan.md", Text: "# Plan for " + slipped + "\n\nUse " + slipped + "."},
		{Kind: sources.Memory, Name: slipped + ".md", Text: "It is " + slipped},
	}
	st.s.Refs = []sources.Ref{{Type: sources.Commit, Value: "abc1234", Text: "add " + slipped}}
	st.touch()
	return st
}

// A secret slipped in; its user adds a rule. The next pass takes it out of vault
// and ledger, wherever it got to.
func TestRuleAddedAfterASecretSlippedIn(t *testing.T) {
	s := newStage(t, 2)
	slipIn(s)
	s.mustSync(s.w)
	if len(s.everywhere(slipped)) < 10 {
		t.Fatalf("this test would not see much: %v", s.everywhere(slipped))
	}
	s.rules = newRule
	s.mustSync(s.w)
	if found := s.everywhere(slipped, "Zebra123456"); len(found) > 0 {
		t.Errorf("left: %s", strings.Join(found, "\n"))
	}
	checkStep(t, s.bench, s.w, true)
}

// The same where no source has the session any more, nor the ledger.
func TestRuleAddedForNotesWithoutASource(t *testing.T) {
	for _, lost := range []bool{false, true} {
		t.Run(fmt.Sprintf("ledger lost=%v", lost), func(t *testing.T) {
			s := newStage(t, 2)
			st := slipIn(s)
			s.mustSync(s.w)
			st.gone = true
			if lost {
				must(t, os.RemoveAll(s.state))
				s.mustSync(s.w)
			}
			s.rules = newRule
			r := s.mustSync(s.w)
			if found := s.everywhere(slipped); len(found) > 0 {
				t.Errorf("left: %s", strings.Join(found, "\n"))
			}
			if len(r.Kept) > 0 {
				t.Errorf("kept %v", r.Kept)
			}
			checkStep(t, s.bench, s.w, false)
		})
	}
}

// TestRuleAddedWhileANoteWasAway: a note that nobody can render and that lay out of the folder, or
// was damaged, when the rules changed is masked when it is back.
func TestRuleAddedWhileANoteWasAway(t *testing.T) {
	for _, how := range []string{"moved", "damaged"} {
		t.Run(how, func(t *testing.T) {
			s := newStage(t, 2)
			st := slipIn(s)
			s.mustSync(s.w)
			st.gone = true
			must(t, os.RemoveAll(s.state))
			s.mustSync(s.w)
			path, away := s.find(names.SessionID(st.s.ID)), filepath.Join(s.vault, "mine.md")
			sound := expect.Value(os.ReadFile(path))(t)
			if how == "moved" {
				must(t, os.Rename(path, away))
			} else {
				must(t, os.WriteFile(path, append([]byte("---\nbroken: [\n"), sound[4:]...), 0o600))
			}
			s.mustSync(s.w)
			s.rules = newRule
			s.mustSync(s.w)
			if how == "moved" {
				must(t, os.Rename(away, path))
			} else {
				must(t, os.WriteFile(path, sound, 0o600))
			}
			s.mustSync(s.w)
			if found := s.everywhere(slipped); len(found) > 0 {
				t.Errorf("left: %s", strings.Join(found, "\n"))
			}
			checkStep(t, s.bench, s.w, false)
		})
	}
}

// What the human wrote stays, what is ours around it is masked, and check names it.
func TestRuleAddedForANoteThatWasEdited(t *testing.T) {
	s := newStage(t, 1)
	st := slipIn(s)
	s.mustSync(s.w)
	st.gone = true
	path := s.find(names.SessionID(st.s.ID))
	must(t, edit(path, func(text string) string {
		body, _, _ := strings.Cut(text, "%% /sessionloom body")
		said := strings.LastIndex(body, slipped+" is the key") + len(slipped+" is the key")
		return text[:said] + ", by hand" + text[said:] + "\nMine: " + slipped + " by hand\n"
	}))
	s.mustSync(s.w)
	s.rules = newRule
	s.mustSync(s.w)
	text := s.text(names.SessionID(st.s.ID))
	if n := strings.Count(text, slipped); n != 2 || !strings.Contains(text, slipped+" by hand") || !strings.Contains(text, slipped+" is the key, by hand") {
		t.Errorf("the note says it %d times:\n%s", n, text)
	}
	if rel, _ := filepath.Rel(s.vault, s.find(names.SessionID(st.s.ID))); len(s.named()) != 1 || !s.named()[filepath.ToSlash(rel)] {
		t.Errorf("check names %v", s.named())
	}
	checkStep(t, s.bench, s.w, false)
}

// named are the notes of which check says that they show a secret.
func (b *bench) named() map[string]bool {
	b.t.Helper()
	notes := map[string]bool{}
	err := b.pass(nil, false, func(s *Engine) error {
		r, err := (&Check{Vault: s.Vault, Ledger: s.Ledger, Folder: s.Folder, Masker: s.Masker, Full: true}).Run(b.t.Context())
		for _, f := range r.Findings {
			if f.Kind == inspect.FindingSecret {
				notes[f.Note] = true
			}
		}
		return err
	})
	must(b.t, err)
	return notes
}

// What the rules let go since is shown again, as far as a source has it.
func TestAllowListGrows(t *testing.T) {
	s := newStage(t, 1)
	st := slipIn(s)
	s.rules = newRule
	s.mustSync(s.w)
	if found := s.everywhere(slipped); len(found) > 0 {
		t.Errorf("not masked: %v", found)
	}
	s.rules.Allow = []string{slipped}
	s.mustSync(s.w)
	expect.Has(t, s.text(names.SessionID(st.s.ID)), slipped+" is the key", "it is still masked")
	checkStep(t, s.bench, s.w, true)
}

// A title that its user wrote into a note stays there, secret or not; pages of ours
// that show it mask it.
func TestTitleOfAHumanIsMaskedElsewhere(t *testing.T) {
	s := newStage(t, 1)
	st := s.w.living()[0]
	s.rules = newRule
	s.mustSync(s.w)
	at := s.find(names.SessionID(st.s.ID))
	must(t, edit(at, func(text string) string {
		return strings.Replace(text, "\ntitle: \"", "\ntitle: \"About "+slipped+", ", 1)
	}))
	s.mustSync(s.w)
	expect.Has(t, s.text(names.SessionID(st.s.ID)), "title: \"About "+slipped, "the title is gone")
	if home := s.text(names.HomeID); strings.Contains(home, slipped) || !strings.Contains(home, "About ") {
		t.Errorf("Home shows it:\n%s", home)
	}
	checkStep(t, s.bench, s.w, false)
}

// A memory is called by a secret, and its user gave it a title. Read again it has another id: both
// notes want one name then. Of a damaged note it is told that it still shows the secret.
func TestRuleAddedWhereTwoNotesWantOneName(t *testing.T) {
	s := newStage(t, 2)
	st := slipIn(s)
	s.mustSync(s.w)
	must(t, edit(s.find("memory:"+st.s.ID+":memory"), func(text string) string { return strings.Replace(text, "\ntitle: \"", "\ntitle: \"Mine, ", 1) }))
	must(t, edit(s.find("day:2026-03-04"), func(text string) string { return strings.Replace(text, "%% sessionloom body %%\n", "", 1) }))
	s.rules = newRule
	if r := s.mustSync(s.w); len(r.Problems) > 0 {
		t.Error(r.Problems)
	}
	named, memories := s.named(), 0
	for path, text := range tree(t, s.vault) {
		if strings.Contains(path, "/memory/") && strings.Contains(path, " memory (") {
			memories++
		}
		expect.Is(t, strings.Contains(path+text, slipped), named[path], path, "told")
		for _, m := range wikilinkTarget.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(path, "Agents/projects") && strings.HasSuffix(path, ".md") && !strings.HasPrefix(m[1], "Agents/") {
				t.Errorf("%s links to %q", path, m[1])
			}
		}
	}
	expect.Is(t, memories, 2, "memories with names of their own in", matching(s.bench, "/memory/"))
}

// A pass that masks again is stopped after each of its steps, and the next one
// does the rest.
func TestRuleAddedWhileKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes the race detector a minute, and runs nothing at once")
	}
	for steps := int64(0); ; steps += 4 { // a pass asks after each file, which are alike
		s := newStage(t, 1)
		st := slipIn(s)
		s.mustSync(s.w)
		st.gone = true
		s.mustSync(s.w)
		s.rules = newRule
		ctx := &shortlived{Context: context.Background()}
		ctx.left.Store(steps)
		_, err := s.syncContext(ctx, s.w)
		r := s.mustSync(s.w)
		if found := s.everywhere(slipped); len(found) > 0 || len(r.Kept) > 0 || len(r.Problems) > 0 {
			t.Fatalf("stopped after %d steps: kept %v, problems %v, left: %s", steps, r.Kept, r.Problems, strings.Join(found, "\n"))
		}
		if err == nil {
			checkStep(t, s.bench, s.w, false)
			break
		}
	}
}

// startled gives up on the text after the id of a memory note that shows a secret:
// the note has another id by then, which the pass could not keep.
type startled struct {
	*redact.Masker
	next *bool
}

func (m startled) Text(s string) (string, error) {
	switch {
	case s == "": // the rules are made ready
		return "", nil
	case *m.next:
		return "", errors.New("the search gave up")
	}
	*m.next = strings.HasPrefix(s, "memory:") && strings.Contains(s, slipped)
	return m.Masker.Text(s)
}

// A note that cannot be masked once it has another id already: the pass continues
// without it, and the next one takes it neither for deleted nor for damaged.
func TestAnotherIDIsNoDamage(t *testing.T) {
	s := newStage(t, 1)
	st := slipIn(s)
	s.mustSync(s.w)
	st.gone = true
	must(t, os.RemoveAll(s.state))
	s.mustSync(s.w)
	s.rules, s.startled = newRule, new(bool)
	if r, err := s.sync(s.w); err != nil || !r.Part() {
		t.Fatalf("the pass does not tell that it failed in part: %v, %v", err, r.Problems)
	}
	s.startled = nil
	r := s.mustSync(s.w)
	if found := s.everywhere(slipped); len(found) > 0 || len(r.Kept) > 0 || len(r.Problems) > 0 || r.Notes.Tombstoned > 0 {
		t.Errorf("kept %v, problems %v, buried %d, left: %s", r.Kept, r.Problems, r.Notes.Tombstoned, strings.Join(found, "\n"))
	}
	checkStep(t, s.bench, s.w, false)
}
