package extract

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/internal/verify"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// TestRepairOfFilesThatIsStopped: a view, canvas or picture that a repair put aside
// was deleted by nobody, even if the repair ends before it is rewritten.
func TestRepairOfFilesThatIsStopped(t *testing.T) {
	b, pictured := newBench(t), pictureItem()
	src := &pile{name: "tale", items: []*thing{pictured}}
	for _, id := range []string{idB, idC} {
		src.items = append(src.items, of(id, sources.KindSession, true, "tale/log", 0, chat(id, 5, widget)))
	}
	b.mustSync(src)
	sound, files := tree(t, b.vault), append(b.views(".base", ".canvas"), b.pictures()...)
	if len(files) != 5 {
		t.Fatalf("files %q", files)
	}
	for _, f := range files {
		must(t, os.WriteFile(filepath.Join(b.vault, filepath.FromSlash(f)), []byte("views: [\x00 "+f), 0o644))
	}
	ctx, stop := context.WithCancel(t.Context())
	err := b.pass(src, false, func(s *Engine) error {
		s.Progress = stoppingProgress(stop)
		_, err := (&Repair{Engine: s, Check: &verify.Check{Vault: s.Vault, Ledger: s.Ledger, Folder: s.Folder, Masker: s.Masker}}).Run(ctx)
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("the repair was not stopped: %v", err)
	}
	if left := append(b.views(".base", ".canvas"), b.pictures()...); !slices.Equal(left, b.pictures()) || len(left) != 2 {
		t.Fatalf("the repair was stopped elsewhere: %q", left)
	}
	b.mustSync(src)
	now := tree(t, b.vault)
	for _, f := range files {
		expect.Is(t, now[f], sound[f], f, "holds")
		if name := "Agents/.sessionloom/rescued/" + texts.Digest("views: [\x00 "+f, 16) + ".md"; now[name] == "" {
			t.Errorf("what stood in %q is not kept", f)
		}
	}
	b.steady(false, src)
}

// repair repairs the vault with the rules and sources of a stage.
func (s *stage) repair() (out RepairReport) {
	s.t.Helper()
	_, err := s.run(func(y *Engine) (Report, error) {
		var err error
		out, err = (&Repair{Engine: y, Check: &verify.Check{Vault: y.Vault, Ledger: y.Ledger, Folder: y.Folder, Masker: y.Masker}}).Run(s.t.Context())
		return out.Pass, err
	})
	must(s.t, err)
	return out
}

// TestRepairOfANoteOfUnknownText: what a damaged note was made from went with the ledger.
// It is put aside, whole, and rendered again, where its session is available; else it is left.
func TestRepairOfANoteOfUnknownText(t *testing.T) {
	for _, gone := range []bool{false, true} {
		t.Run(fmt.Sprintf("source gone=%v", gone), func(t *testing.T) {
			s := newStage(t, 2)
			st := s.w.living()[0]
			path := s.find(names.SessionID(st.s.ID))
			sound := expect.Value(os.ReadFile(path))(t)
			must(t, edit(path, func(text string) string {
				return strings.Replace(text, "%% /sessionloom body", "Mine.", 1)
			}))
			harmed := expect.Value(os.ReadFile(path))(t)
			st.gone = gone
			must(t, os.RemoveAll(s.state))
			s.mustSync(s.w)
			r := s.repair()
			now := expect.Value(os.ReadFile(path))(t)
			if gone {
				if len(r.Left) == 0 || string(now) != string(harmed) {
					t.Errorf("it was to be left: %+v\n%s", r, now)
				}
				return
			}
			rescued := expect.Value(filepath.Glob(filepath.Join(s.vault, "Agents", ".sessionloom", "rescued", "*")))(t)
			if string(now) != string(sound) || len(rescued) != 1 {
				t.Fatalf("%+v, put aside are %q:\n%s", r, rescued, now)
			}
			if rescued, err := os.ReadFile(rescued[0]); err != nil || string(rescued) != string(harmed) {
				t.Errorf("put aside is %q, %v", rescued, err)
			}
			checkStep(t, s.bench, s.w, false)
		})
	}
}

// TestDamagedNoteOfAnInterruptedRepairIsNamed: a repair that ended before it put a damaged
// note aside leaves it to the next run, which says so.
func TestDamagedNoteOfAnInterruptedRepairIsNamed(t *testing.T) {
	s := newStage(t, 2)
	id := names.SessionID(s.w.living()[0].s.ID)
	path := s.find(id)
	must(t, edit(path, func(text string) string { return strings.Replace(text, "%% /sessionloom body", "Mine.", 1) }))
	s.mustSync(s.w)
	damaged := func() (reasons []string) {
		must(t, s.pass(s.w, true, func(y *Engine) error {
			for _, row := range y.Ledger.NotesInState(ledger.Unwritable) {
				reasons = append(reasons, row.Path+": "+row.Reason)
			}
			return nil
		}))
		return reasons
	}
	was := damaged()
	if len(was) != 1 {
		t.Fatalf("%q are damaged", was)
	}
	must(t, s.pass(s.w, false, func(y *Engine) error {
		y.Ledger.SetState(id, ledger.Removing)
		return y.Ledger.Commit()
	}))
	s.mustSync(s.w)
	expect.List(t, damaged(), was, "named")
}

// stoppingProgress stops a run as soon as there is any.
type stoppingProgress func()

func (p stoppingProgress) Step(string, int) { p() }
func (p stoppingProgress) Advance(int)      {}
