package extract

import (
	"context"
	"errors"
)

// Anew lists by their paths, from the managed folder, the notes that would read otherwise
// if all of them were rendered from what is kept, and nothing read from any source. Vault
// and ledger must be open to be read alone. Where a run is due anyway, or cannot be done,
// it lists none.
func (s *Sync) Anew(ctx context.Context) ([]string, error) {
	if due, err := s.rerenderDue(); err != nil || due {
		return nil, err
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
	if err := st.notes.Queue.MarkAll(); err != nil {
		return nil, err
	}
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
