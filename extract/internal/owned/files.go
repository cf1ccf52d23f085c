// Package owned keeps the files of ours that are no notes: bases, canvases and pictures.
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
