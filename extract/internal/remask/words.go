package remask

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// Words masks what agents said of sessions, where the vault keeps it, while notes may show what the
// rules mask. It goes before it is read, for the names of the files tell which one counts. Nobody
// is asked again.
func (r *Remasker) Words() error {
	if len(r.Notes.Ledger.Value(ledger.Unmasked)) == 0 {
		return nil
	}
	files, err := r.Vault.Distilled()
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
			err = cmp.Or(r.Vault.PutDistilled(name, text), r.Vault.Flush())
			if err == nil {
				err = r.Vault.DropDistilled(was)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
