package remask

import (
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
)

// Words masks agents' answers about sessions in the vault, while notes may show what the rules mask. Nobody
// is asked again.
func (r *Remasker) Words() error {
	if len(r.Notes.Ledger.Value(ledger.Unmasked)) == 0 {
		return nil
	}
	return r.Vault.ReviseDistilled(func(text []byte) ([]byte, error) {
		f, err := sources.DecodeDistilled(text)
		if err != nil {
			return text, nil // its reader reports it
		}
		return f.Masked(r.Masker.Session)
	})
}
