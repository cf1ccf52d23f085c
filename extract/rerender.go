package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// renderingChanged reports whether the notes were rendered by other templates or settings. For an empty ledger
// it is unknown; its first run renders everything anyway.
func (s *Engine) renderingChanged() bool {
	then := s.Ledger.Value(ledger.Rendering)
	return then != nil && string(then) != s.rendering()
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

// checkRendering makes everything due if templates or settings changed.
func (st *stages) checkRendering() {
	if st.engine.renderingChanged() {
		st.notes.Queue.MarkAll()
	}
	st.engine.Ledger.SetValue(ledger.Rendering, []byte(st.engine.rendering()))
}

// Anew lists the notes, by paths relative to the managed folder, that would change if all were rendered from
// stored data without reading a source. Vault and ledger must be open read-only. If a run is due anyway, or
// impossible, it lists none.
func (s *Engine) Anew(ctx context.Context) ([]string, error) {
	if s.renderingChanged() {
		return nil, nil
	}
	again := *s
	again.Sources, again.Progress = nil, nil
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
		if strings.HasSuffix(t.Path, ".md") {
			paths = append(paths, t.Path)
		}
	}
	return paths, err
}
