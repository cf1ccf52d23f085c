package extract

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Files of ours that are no notes (bases, canvases, pictures) are followed where
// their user moved them, as notes are.

// takeFileGone takes in what became of a file that is gone.
func (p *pass) takeFileGone(e observe.FileGone) error {
	if e.Fate == observe.Deleted {
		return p.buryOwned(e.File)
	}
	if e.Fate == observe.LeftByCheckout && names.IsPictureFile(e.File.ID) {
		p.notes.Skip(names.PictureID(e.File.ID))
	}
	return p.forgetOwned(e.File)
}

// forgetOwned forgets a file that is gone and was not deleted: it may come again.
func (p *pass) forgetOwned(f ledger.OwnedFile) error {
	if err := p.Ledger.DropOwned(f.ID); err != nil || names.IsPictureFile(f.ID) {
		return err
	}
	return markPages(p.Ledger, f.ID, p.queue.Mark)
}

// buryOwned makes a tombstone of a file that the user deleted. What shows it is due.
func (p *pass) buryOwned(f ledger.OwnedFile) error {
	if names.IsPictureFile(f.ID) {
		return errors.Join(p.buryPicture(f.ID), p.Ledger.DropOwned(f.ID))
	}
	if !p.Vault.Buried(f.ID) { // else another machine saw it go first
		if err := p.Ledger.PutGrave(ledger.Grave{ID: f.ID, Path: f.Path}); err != nil {
			return err
		}
		p.rec.Edit(func(r *Report) { r.Notes.Tombstoned++ })
	}
	return errors.Join(p.Vault.Bury(f.ID), p.forgetOwned(f))
}

// follow takes in that a file lies elsewhere: what shows it is due.
func (p *pass) follow(f ledger.OwnedFile, at string) error {
	row, known, err := p.Ledger.Owned(f.ID)
	if err != nil {
		return err
	}
	row.ID, row.Path = f.ID, at
	p.owned.Stands(at)
	if err := errors.Join(p.Ledger.PutOwned(row), p.written.Also(f.Path, at)); err != nil {
		return err
	}
	if known || names.IsPictureFile(f.ID) {
		p.rec.Moved("", "", at)
	}
	if names.IsPictureFile(f.ID) {
		return p.usersDue(func(id string) bool { return id == f.ID })
	}
	return markPages(p.Ledger, f.ID, p.queue.Mark)
}

// inProject is where lies what we would put into the folder of a project: its
// user may have given that another name, and the project's page went with it.
func (p *pass) inProject(key, name string) string {
	own := names.ProjectFolder(identity.ProjectFromKey(key))
	rest, ok := strings.CutPrefix(name, own+"/")
	if key == "" || !ok {
		return name
	}
	folder, known := p.folders.Load(key)
	if !known {
		folder = p.projectIn(key, own)
		p.folders.Store(key, folder)
	}
	return fmt.Sprint(folder) + "/" + rest
}

// projectIn is the folder of a project, own where we put it: another is it where
// the page lies and nothing is left in that.
func (p *pass) projectIn(key, own string) string {
	row, known, err := p.Ledger.Note(names.ProjectID(key))
	folder := path.Dir(row.Path)
	if err != nil || !known || !row.State.Stands() || folder == "." || folder == own {
		return own
	}
	for at := range p.seen.Files {
		if strings.HasPrefix(at, own+"/") {
			return own
		}
	}
	return folder
}
