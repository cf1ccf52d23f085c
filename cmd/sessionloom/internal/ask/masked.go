package ask

import (
	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/extract/redact"
)

// Texts is Known for what shows texts of sessions. It refuses where the rules for secrets changed
// since the last sync: what is kept is masked by the rules that were in force then.
func (h Host) Texts(cmd *cobra.Command, use func(Known) error) error {
	return h.Known(cmd, func(k Known) error {
		m, err := redact.New(k.Ledger.Value(ledger.MaskKey), k.Config.Redact)
		if err != nil {
			return exit.Usage("look at the section redact of the configuration", "%w", err)
		}
		if string(k.Ledger.Value(ledger.Rules)) != m.Fingerprint() {
			return exit.Failed("sessionloom sync masks what is kept by the new ones", "the rules for secrets changed since the last sync")
		}
		return use(k)
	})
}
