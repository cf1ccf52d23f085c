package extract

import (
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/vault"
)

// Notes in the managed folder that are none of ours are remembered by path and
// stamp and opened again only when those change: where that folder is the whole
// vault they are most.

// wholeVault is the managed folder where that is the vault itself.
const wholeVault = "."

// isOurs tells a note of ours from one that a human gave an id of their own, as
// many do. In a folder of our own every id is taken to be ours: the note may have
// lost its markers.
func (p *pass) isOurs(n vault.Note) bool {
	return n.ID != "" && (n.Marked || p.Folder != wholeVault || names.IsRareID(n.ID))
}
