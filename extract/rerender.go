package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// Rerender renders again what is kept, where templates or settings of the rendering changed since the
// last run: no source is listed or read. It reports whether anything of the kind was due. In a dry run
// the ledger holds afterwards what was not written, so that no other run must follow on it.
func (s *Engine) Rerender(ctx context.Context) (Report, bool, error) {
	rec := s.recorder()
	due, err := s.renderAnew(ctx, rec)
	r, err := s.finish(rec, err)
	return r, due, err
}

func (s *Engine) renderAnew(ctx context.Context, rec *report.Recorder) (due bool, err error) {
	if !s.rerenderDue() {
		return false, nil
	}
	again := *s
	again.Mode.RenderOnly = true
	err = again.once(ctx, rec)
	rec.Edit(func(r *Report) { r.Rerendered = r.Rewritten() })
	return true, err
}

// planAnew makes the plan of a re-rendering, where one is due. One that would
// write nothing is remembered as done.
func (s *Engine) planAnew(ctx context.Context, program string) (plan Plan, r Report, due bool, err error) {
	if !s.rerenderDue() {
		return plan, r, false, nil
	}
	if err := s.Ledger.Discard(); err != nil {
		return plan, r, true, err
	}
	if r, _, err = s.Rerender(ctx); err != nil {
		return plan, r, true, err
	}
	plan, err = s.planned(program, r, true)
	if err != nil || len(plan.Targets)+len(plan.AddTombstone)+len(plan.RemoveTombstone)+len(plan.Settings) > 0 || r.Part() {
		return plan, r, true, err
	}
	return Plan{}, Report{}, false, s.Ledger.Keep()
}

// rerenderDue reports whether the notes were rendered by other templates or
// settings, or a run that renders them again was interrupted. Of an empty ledger
// nobody knows; its first run renders everything anyway.
func (s *Engine) rerenderDue() bool {
	then := s.Ledger.Value(ledger.Rendering)
	if then == nil {
		return false
	}
	left := s.Ledger.Value(ledger.Rerender)
	return len(left) > 0 || string(then) != s.rendering()
}

func (s *Engine) rendering() string {
	return fmt.Sprintf("%d %s %+v %s", vault.PageVersion, s.Pages.Fingerprint(), s.Settings, s.Folder)
}

// RenderedBy returns the fingerprint of the templates that the notes were rendered by, empty
// where nobody knows.
func RenderedBy(l *ledger.Ledger) (string, error) {
	rendering := l.Value(ledger.Rendering)
	templates, _, _ := strings.Cut(string(rendering), " ")
	return templates, l.Failed()
}

// checkRendering makes everything due when templates or settings changed. That
// is remembered at once: it is due now, whatever becomes of this run.
func (st *stages) checkRendering() {
	due := st.engine.rerenderDue()
	now := []byte(st.engine.rendering())
	if !due {
		st.engine.Ledger.SetValue(ledger.Rendering, now)
		return
	}
	st.notes.AtEnd(ledger.Rerender, []byte{})
	if string(st.engine.Ledger.Value(ledger.Rendering)) == string(now) {
		return
	}
	st.notes.Queue.MarkAll()
	st.engine.Ledger.SetValue(ledger.Rerender, []byte("1"))
	st.engine.Ledger.SetValue(ledger.Rendering, now)
}

// Anew lists by their paths, from the managed folder, the notes that would read otherwise
// if all of them were rendered from what is kept, and nothing read from any source. Vault
// and ledger must be open to be read alone. Where a run is due anyway, or cannot be done,
// it lists none.
func (s *Engine) Anew(ctx context.Context) ([]string, error) {
	if s.rerenderDue() {
		return nil, nil
	}
	again := *s
	again.Mode.RenderOnly, again.Progress = true, nil
	st, err := again.stages(again.recorder())
	if err != nil {
		return nil, err
	}
	var held *HeldError
	err = st.begin()
	if err == nil && st.notes.Queue.Empty() {
		err = st.lookAtVault(ctx)
	}
	if errors.As(err, &held) {
		return nil, nil
	}
	if err != nil || !st.observe.Edited() {
		return nil, err
	}
	st.notes.Queue.MarkAll()
	if err := st.notes.Commit(); err != nil {
		return nil, err
	}
	if err := st.publish.Write(ctx); err != nil {
		return nil, err
	}
	changes, err := s.Vault.Changes()
	var paths []string
	for _, t := range changes.Targets {
		if t.ID != "" {
			paths = append(paths, t.Path)
		}
	}
	return paths, err
}
