package extract

import (
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Forgotten gives the id of a session or project that is kept out, false for the
// grave of a note that was deleted.
func Forgotten(g ledger.Grave) (id string, ok bool) { return index.ForgottenIn(g) }
