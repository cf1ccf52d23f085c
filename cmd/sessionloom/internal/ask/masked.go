package ask

import (
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
)

// Masked refuses to show texts of sessions where the rules for secrets changed since the last
// sync: what is kept is masked by the rules that were in force then.
func (k Known) Masked() error {
	m, err := redact.New(k.Ledger.Value(ledger.MaskKey), k.Config.Redact)
	if err != nil {
		return exit.Usage("look at the section redact of the configuration", "%w", err)
	}
	if string(k.Ledger.Value(ledger.Rules)) != m.Fingerprint() {
		return exit.Failed("sessionloom sync masks what is kept by the new ones", "the rules for secrets changed since the last sync")
	}
	return nil
}
