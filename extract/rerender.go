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

// Rerender renders stored data again if templates or rendering settings changed since the last run, without
// reading a source. It reports whether that was due. After a dry run the ledger holds unwritten data, so that
// no other run may follow on it.
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

// planAnew plans a due re-rendering. If it would write nothing, it is recorded as done.
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

// rerenderDue reports whether the notes were rendered by other templates or settings, or a re-rendering was
// interrupted. For an empty ledger it is unknown; its first run renders everything anyway.
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

// RenderedBy returns the fingerprint of the templates that rendered the notes, or "".
func RenderedBy(l *ledger.Ledger) (string, error) {
	rendering := l.Value(ledger.Rendering)
	templates, _, _ := strings.Cut(string(rendering), " ")
	return templates, l.Failed()
}

// checkRendering makes everything due if templates or settings changed. It records that at once, whatever
// becomes of this run.
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

// Anew lists the notes, by paths relative to the managed folder, that would change if all were rendered from
// stored data without reading a source. Vault and ledger must be open read-only. If a run is due anyway, or
// impossible, it lists none.
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
