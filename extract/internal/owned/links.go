package owned

import (
	"github.com/sessionloom/sessionloom/extract/internal/names"
)

// Link implements [pages.Files].
func (f *Files) Link(id, project, path string) string {
	if f.Vault.HasTombstone(id) {
		return ""
	}
	at := f.InProject(project, path)
	if file, known, err := f.Notes.Ledger.Owned(id); err == nil && known { // a read that failed ends the run before the page is written
		at = file.Path
	}
	return f.Notes.FromRoot(at)
}

// Picture implements [pages.Files].
func (f *Files) Picture(project, path string) string {
	if f.Vault.HasTombstone(names.PictureID(path)) {
		return ""
	}
	lies, err := f.PictureAt(project, path)
	if err != nil {
		return ""
	}
	return f.Notes.FromRoot(lies)
}
