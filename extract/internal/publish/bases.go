package publish

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// packBases packs what the next merge starts from, before the ledger is held.
func packBases(res vault.Result) ledger.Bases {
	return ledger.Bases{Body: ledger.PackBase(res.BaseBody), Nav: ledger.PackBase(res.BaseNav)}
}

// refusedNow is what of a note stays refused: a draft of the navigation alone
// tells nothing of the rest.
func (d *draft) refusedNow(res vault.Result) string {
	if d.body != nil || d.fate != stays {
		return res.Refused
	}
	words := strings.Fields(d.row.RejectedHash)
	for _, w := range strings.Fields(res.Refused) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}
