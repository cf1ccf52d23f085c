package extract

import (
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// A file that is missing may have been taken away by version control: with the
// commit that was checked out, or put aside for the time being. Neither is a
// deletion.

// dropAside takes out the notes that version control put aside. They are neither
// deleted nor written as long as they are away.
func (p *pass) dropAside(gone []ledger.NoteFile) ([]ledger.NoteFile, error) {
	aside, left, err := observe.Explain(p.Git, gone, p.fileFromRoot, observe.Hidden)
	for _, r := range aside {
		p.unsure, p.absent[r.ID] = true, true
	}
	return left, err
}

// fileFromRoot is where a note lay, from the vault's root.
func (p *pass) fileFromRoot(r ledger.NoteFile) string {
	if r.State == ledger.Away {
		return r.Path
	}
	return p.fromRoot(r.Path)
}
