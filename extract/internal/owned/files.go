// Package owned keeps the files of ours that are no notes: bases, canvases and pictures.
//
// A file is on the disk before a page shows it. One that its user moved inside the managed
// folder is known again: a base by its first line, a canvas by the node of its project, a
// picture by its bytes. A base is kept up to date and merged by line, if what comes out is still
// a base; one whose first line names a newer version is left alone. A canvas is written once,
// and is its user's from then on: two vaults with equal notes may have other canvases.
package owned

import (
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
)

// Files are the files of ours that are no notes. They are followed where their user
// moved them, as notes are, and one that its user deleted gets a tombstone.
type Files struct {
	Vault        *vault.Vault
	Notes        *index.Notes
	Recorder     *report.Recorder
	Written      *written.Files
	Templates    *templates.Set
	ShowPictures bool // notes show the pictures of prompts

	look    observe.Input // how the vault was looked at
	folders sync.Map      // project → the folder its files are in
}

// Looked tells how the vault was looked at: files are searched for in the same way.
func (f *Files) Looked(at observe.Input) { f.look = at }
