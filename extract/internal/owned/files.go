// Package owned keeps the files of ours that are no notes: bases, canvases and pictures.
//
// A file is on the disk before a page shows it. One that its user moved inside the managed
// folder is known again: a base by its first line, a canvas by the node of its project, a
// picture by its bytes. A base is kept up to date and merged by line, if what comes out is still
// a base; one whose first line names a newer version is left alone. A canvas is written once,
// and is its user's from then on: two vaults with equal notes may have other canvases.
package owned

import (
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
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

	seen     map[string]vault.Stamp // the managed folder as it stands
	standing map[string]bool        // where one of ours lies
	sums     map[string]string      // of pictures that were looked at, by path
	others   []string               // all files of the managed folder that are no notes; nil: not looked for
	folders  sync.Map               // project → the folder its files are in
}

// AddTombstone makes a tombstone of a note or file that its user deleted. at is where it
// lay.
func (f *Files) AddTombstone(id, at string) error {
	if !f.Vault.HasTombstone(id) { // else another machine saw it go first
		f.Recorder.Edit(func(r *report.Report) { r.Notes.Tombstoned++ })
		if err := f.Notes.Ledger.AddTombstone(ledger.Tombstone{ID: id, Path: at}); err != nil {
			return err
		}
	}
	return f.Vault.AddTombstone(id)
}

// MarkPages marks the pages that show a base or canvas.
func MarkPages(l *ledger.Ledger, id string, mark func(kind, id string) error) error {
	if _, key, ok := strings.Cut(id, names.CanvasID("")); ok {
		return mark(ledger.DuePage, names.ProjectID(key))
	}
	for _, r := range ledger.Got(l.NotesOfType(names.TypeProject)) {
		if err := mark(ledger.DuePage, r.ID); err != nil {
			return err
		}
	}
	return mark(ledger.DuePage, names.HomeID)
}

// markShown makes due what shows a file.
func (f *Files) markShown(file string) error {
	if !names.IsPictureFile(file) {
		return MarkPages(f.Notes.Ledger, file, f.Notes.Queue.Mark)
	}
	return f.markUsers(func(shown string) bool { return shown == file })
}

// markUsers makes due the sessions that show certain pictures.
func (f *Files) markUsers(shown func(file string) bool) error {
	for _, u := range ledger.Got(f.Notes.Ledger.OwnedUses()) {
		if !shown(u.File) {
			continue
		}
		if err := f.Notes.Queue.Mark(ledger.DueSession, u.Session); err != nil {
			return err
		}
	}
	return nil
}

// Link implements [pages.Files].
func (f *Files) Link(id, project, path string) string {
	if f.Vault.HasTombstone(id) {
		return ""
	}
	at := f.InProject(project, path)
	if file, known := ledger.Found(f.Notes.Ledger.Owned(id)); known {
		at = file.Path
	}
	return f.Notes.FromRoot(at)
}

// Picture implements [pages.Files].
func (f *Files) Picture(project, path string) string {
	if f.Vault.HasTombstone(names.PictureID(path)) {
		return ""
	}
	return f.Link(names.PictureFileID(path), project, path)
}

// InProject is where lies what we would put into the folder of a project: its
// user may have given that another name, and the project's page went with it.
func (f *Files) InProject(key, name string) string {
	own := names.ProjectFolder(identity.ProjectFromKey(key))
	rest, ok := strings.CutPrefix(name, own+"/")
	if key == "" || !ok {
		return name
	}
	folder, known := f.folders.Load(key)
	if !known {
		folder = f.projectIn(key, own)
		f.folders.Store(key, folder)
	}
	return fmt.Sprint(folder) + "/" + rest
}

// projectIn is the folder of a project, own where we put it: another is it where
// the page lies and nothing is left in that.
func (f *Files) projectIn(key, own string) string {
	row, known := ledger.Found(f.Notes.Ledger.Note(names.ProjectID(key)))
	folder := path.Dir(row.Path)
	if !known || !row.State.Stands() || folder == "." || folder == own {
		return own
	}
	for at := range f.seen {
		if strings.HasPrefix(at, own+"/") {
			return own
		}
	}
	return folder
}
