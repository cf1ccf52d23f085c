package owned

import (
	"fmt"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Files of ours that are no notes (bases, canvases, pictures) are followed where
// their user moved them, as notes are.

// Gone takes in what became of a file that is gone.
func (f *Files) Gone(e observe.FileGone) error {
	if e.Fate == observe.Deleted {
		return f.addTombstone(e.File)
	}
	if e.Fate == observe.LeftByCheckout && names.IsPictureFile(e.File.ID) {
		f.Notes.Skip(names.PictureID(e.File.ID))
	}
	return f.Forget(e.File)
}

// Forget forgets a file that is gone and was not deleted: it may come again.
func (f *Files) Forget(file ledger.OwnedFile) error {
	if err := f.Notes.Ledger.DropOwned(file.ID); err != nil || names.IsPictureFile(file.ID) {
		return err
	}
	return MarkPages(f.Notes.Ledger, file.ID, f.Notes.Queue.Mark)
}

// addTombstone makes a tombstone of a file that the user deleted. What shows it is due.
func (f *Files) addTombstone(file ledger.OwnedFile) error {
	if names.IsPictureFile(file.ID) {
		if err := f.addPictureTombstone(file.ID); err != nil {
			return err
		}
		return f.Notes.Ledger.DropOwned(file.ID)
	}
	if !f.Vault.HasTombstone(file.ID) { // else another machine saw it go first
		if err := f.Notes.Ledger.AddTombstone(ledger.Tombstone{ID: file.ID, Path: file.Path}); err != nil {
			return err
		}
		f.Recorder.Edit(func(r *report.Report) { r.Notes.Tombstoned++ })
	}
	if err := f.Vault.AddTombstone(file.ID); err != nil {
		return err
	}
	return f.Forget(file)
}

// Follow takes in that a file lies elsewhere: what shows it is due.
func (f *Files) Follow(file ledger.OwnedFile, at string) error {
	row, known, err := f.Notes.Ledger.Owned(file.ID)
	if err != nil {
		return err
	}
	row.ID, row.Path = file.ID, at
	f.look.Files.Stands(at)
	if err := f.Notes.Ledger.PutOwned(row); err != nil {
		return err
	}
	if err := f.Written.Also(file.Path, at); err != nil {
		return err
	}
	if known || names.IsPictureFile(file.ID) {
		f.Recorder.Moved("", "", at)
	}
	if names.IsPictureFile(file.ID) {
		return f.usersDue(func(id string) bool { return id == file.ID })
	}
	return MarkPages(f.Notes.Ledger, file.ID, f.Notes.Queue.Mark)
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
	row, known, err := f.Notes.Ledger.Note(names.ProjectID(key))
	folder := path.Dir(row.Path)
	if err != nil || !known || !row.State.Stands() || folder == "." || folder == own {
		return own
	}
	for at := range f.look.Seen.Files {
		if strings.HasPrefix(at, own+"/") {
			return own
		}
	}
	return folder
}
