package extract

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sessionloom/sessionloom/vault/note"
)

var (
	remaskSeed = flag.Uint64("remask.seed", 1, "first seed of the test of rules that change")
	remaskRuns = flag.Int("remask.runs", 3, "how many vaults it plays")
)

// handsOnSecrets are what a human may do to notes in which a secret slipped.
var handsOnSecrets = []func(*bench, string, *rand.Rand) error{
	editLines, editLines, editProperties, rewriteNote, copyNote,
	func(_ *bench, path string, _ *rand.Rand) error {
		return edit(path, func(s string) string { return s + "\nby hand: " + slipped + "\n" })
	},
	func(_ *bench, path string, _ *rand.Rand) error {
		return edit(path, func(s string) string { return strings.Replace(s, "- [ ] ", "- [x] ", 1) })
	},
	func(_ *bench, path string, r *rand.Rand) error {
		return edit(path, func(s string) string {
			return strings.Replace(s, "\ntitle: \"", fmt.Sprintf("\ntitle: \"Mine %d, ", r.IntN(100)), 1)
		})
	},
	func(b *bench, path string, r *rand.Rand) error {
		return os.Rename(path, filepath.Join(filepath.Dir(path), fmt.Sprintf("mine %d.md", r.IntN(1<<20))))
	},
}

// TestRuleAddedAtRandom lets a human edit notes in which a secret slipped, takes
// sources and ledger away or not, adds the rule and kills the passes that follow
// or not: what the human wrote stays, of ours nothing shows the secret.
func TestRuleAddedAtRandom(t *testing.T) {
	runs := *remaskRuns
	if testing.Short() {
		runs = min(runs, 2)
	}
	for run := range runs {
		seed := *remaskSeed + uint64(run)
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			playRule(t, rand.New(rand.NewPCG(seed, 23)))
		})
	}
}

func playRule(t *testing.T, r *rand.Rand) {
	s := newStage(t, 2)
	st := slipIn(s)
	s.mustSync(s.w)
	pristine := tree(t, s.vault)
	for range r.IntN(4) {
		t.Logf("a human at %s", onNote(handsOnSecrets[r.IntN(len(handsOnSecrets))])(s.bench, s.w, r))
		if r.IntN(2) == 0 {
			s.mustSync(s.w)
		}
	}
	if st.gone = r.IntN(2) == 0; st.gone {
		t.Log("the source is gone")
	}
	lost := r.IntN(3) == 0
	if lost {
		t.Log("the ledger is lost")
		must(t, os.RemoveAll(s.state))
	}
	before := tree(t, s.vault)
	s.rules = newRule
	kept := []KeptNote{}
	for range r.IntN(3) {
		ctx := &shortlived{Context: context.Background()}
		ctx.left.Store(r.Int64N(60))
		report, err := s.syncContext(ctx, s.w)
		t.Logf("a pass was stopped: %v, %+v", err, report.Problems)
		kept = append(kept, report.Kept...)
	}
	kept = append(kept, s.mustSync(s.w).Kept...)
	after, named := tree(t, s.vault), s.named()
	if gone := lostLines(before, after); len(gone) > 0 {
		t.Errorf("lines of a human are lost: %q", gone)
	}
	for _, other := range matching(s.bench, " (copy)") {
		if strings.Contains(other, slipped) {
			after = nil // while there are two of it neither gets another name, and links lead to it
		}
	}
	damaged := []string{} // names of damaged notes: those stay as they are, and links lead to them
	for path, text := range after {
		if note.Parse(path, []byte(text)).Broken != "" {
			damaged = append(damaged, strings.TrimSuffix(path, ".md"), "")
		}
	}
	for path, text := range after {
		text = strings.NewReplacer(damaged...).Replace(text)
		told := named[path] || strings.HasSuffix(path, ".canvas") && slices.ContainsFunc(kept, func(k KeptNote) bool { return k.Note == path })
		if _, two := after[strings.TrimSuffix(path, ".md")+" (copy).md"]; two || strings.HasSuffix(path, " (copy).md") {
			continue // of two with one id neither is written
		}
		old, stood := before[path]
		touched := !stood || pristine[path] != old
		if strings.Contains(text, slipped) && (!told && showsInRegion(text) || !touched) {
			t.Errorf("%s shows it, told of: %v", path, told)
		}
	}
	checkStep(t, s.bench, s.w, false)
}

// showsInRegion reports whether a note shows the secret in a text that was ours.
func showsInRegion(text string) bool {
	doc := note.ParseDocument([]byte(text))
	return doc.Body == nil || strings.Contains(doc.Body.Text, slipped) || doc.Nav != nil && strings.Contains(doc.Nav.Text, slipped)
}

// shortlived is canceled once it was asked some times whether it is.
type shortlived struct {
	context.Context
	left atomic.Int64
}

func (c *shortlived) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}
