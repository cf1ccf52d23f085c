package remask

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/sources"
)

// maskWords masks what agents said of sessions, where the vault keeps it. Nobody is asked again.
func (r *Remasker) maskWords() error {
	files, err := r.Vault.Distilled("")
	if err != nil {
		return err
	}
	for _, was := range slices.Sorted(maps.Keys(files)) {
		f, err := sources.DecodeDistilled(files[was])
		if err != nil { // who reads it tells
			continue
		}
		s := sources.Session{Distilled: []sources.Distillate{f.Distillate}}
		if err := r.Masker.Session(&s, nil); err != nil {
			return fmt.Errorf("mask what an agent said of a session: %w", err)
		}
		f.Distillate = s.Distilled[0]
		name, text, err := f.Encode()
		if err == nil && name != was {
			if err = r.Vault.PutDistilled(name, text); err == nil {
				err = r.Vault.DropDistilled(was)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
