package extract

import (
	"context"
	"errors"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
)

// Files of ours that are no notes: the bases, which are kept up to date around
// what their user changed, and the canvas of each project, which is written once.
// One that its user deleted gets a tombstone as a note does.

// keptBase is one of the bases.
type keptBase struct {
	id, path string
	render   func(*templates.Set, templates.Base) (string, error)
}

func keptBases() []keptBase {
	return []keptBase{
		{names.SessionsBaseID, names.SessionsBasePath, (*templates.Set).SessionsBase},
		{names.FilesBaseID, names.FilesBasePath, (*templates.Set).FilesBase},
	}
}

// keepBases writes the bases, where there are notes at all and they are not yet as
// this version has them.
func (p *pass) keepBases(ctx context.Context) error {
	var due []keptBase
	written := map[string]string{}
	for _, b := range keptBases() {
		text, err := b.render(p.Pages, templates.Base{Folder: p.Folder})
		if err != nil {
			p.rec.File(b.id, vault.FileResult{Outcome: vault.Failed, Path: b.path}, err)
			continue
		}
		row, known, err := p.Ledger.Owned(b.id)
		if err != nil {
			return err
		}
		if (!known || row.Ours != texts.Digest(text, 16)) && !p.Vault.Buried(b.id) {
			due, written[b.id] = append(due, b), text
		}
	}
	if len(due) == 0 {
		return p.written.Flush()
	}
	if some, err := someNotes(p.Ledger); err != nil || !some {
		return errors.Join(err, p.written.Flush())
	}
	if err := p.Ledger.Begin(); err != nil {
		return err
	}
	for _, b := range due {
		if _, err := p.keepFile(ctx, b.id, vault.KeptFile{Path: b.path, Text: written[b.id]}); err != nil {
			return err
		}
	}
	if err := p.written.Flush(); err != nil {
		return err
	}
	return p.notes.Commit()
}

// someNotes tells whether there is anything a base would show.
func someNotes(l *ledger.Ledger) (bool, error) {
	for _, typ := range []string{names.TypeSession, names.TypeProject, names.TypeMemory, names.TypeHome} { // Home stays where its user wrote in it
		if notes, err := l.Latest(typ, 1); err != nil || len(notes) > 0 {
			return len(notes) > 0, err
		}
	}
	return false, nil
}

// keepFile writes a file of ours unless it was done before or its user deleted
// it. It tells whether that failed, which is in the report then.
func (p *pass) keepFile(ctx context.Context, id string, d vault.KeptFile) (failed bool, err error) {
	row, known, err := p.Ledger.Owned(id)
	ours := texts.Digest(d.Text, 16)
	if err != nil || p.Vault.Buried(id) || known && (d.Once || row.Ours == ours) {
		return false, err
	}
	if known {
		d.Path, d.Base = row.Path, row.Base
	}
	res, err := p.Vault.PutFile(ctx, d)
	if err != nil && ctx.Err() != nil {
		return true, err
	}
	p.settling.Lock()
	defer p.settling.Unlock()
	p.rec.File(id, res, err)
	if err != nil {
		return true, nil
	}
	return false, p.Ledger.PutOwned(ledger.OwnedFile{ID: id, Path: d.Path, Ours: ours, Base: res.Base, Reason: res.Reason})
}

// markPages marks the pages that show a file.
func markPages(l *ledger.Ledger, id string, mark func(kind, id string) error) error {
	if _, key, ok := strings.Cut(id, names.CanvasID("")); ok {
		return mark(ledger.DuePage, names.ProjectID(key))
	}
	rows, err := l.NotesOfType(names.TypeProject)
	if err = errors.Join(err, mark(ledger.DuePage, names.HomeID)); err != nil {
		return err
	}
	for _, r := range rows {
		if err := mark(ledger.DuePage, r.ID); err != nil {
			return err
		}
	}
	return nil
}

// meetFiles takes in the bases and canvases that the ledger does not know though
// they stand somewhere: it was lost, or a plan made them. Where it is lost, one
// that a page shows and that is nowhere was deleted.
func (p *pass) meetFiles(ctx context.Context) error {
	shown := []ledger.OwnedFile{}
	for _, b := range keptBases() {
		text, err := b.render(p.Pages, templates.Base{Folder: p.Folder})
		if err != nil {
			return err
		}
		shown = append(shown, ledger.OwnedFile{ID: b.id, Path: b.path, Ours: texts.Digest(text, 16)})
	}
	projects, err := p.Ledger.NotesOfType(names.TypeProject)
	if err != nil {
		return err
	}
	for _, r := range projects {
		if page, err := facts.Decode(r.Facts); err != nil {
			return err
		} else if page.Sessions >= pages.CanvasMinimum {
			shown = append(shown, ledger.OwnedFile{ID: names.CanvasID(r.Project), Path: p.inProject(r.Project, names.CanvasPath(identity.ProjectFromKey(r.Project)))})
		}
	}
	for _, f := range shown {
		if _, known, err := p.Ledger.Owned(f.ID); err != nil {
			return err
		} else if known || p.Vault.Buried(f.ID) {
			continue
		}
		if err := p.meetFile(ctx, f); err != nil {
			return err
		}
	}
	return p.written.Flush()
}

func (p *pass) meetFile(ctx context.Context, f ledger.OwnedFile) error {
	owner := names.HomeID
	if _, key, ok := strings.Cut(f.ID, names.CanvasID("")); ok {
		owner = names.ProjectID(key)
	}
	row, known, err := p.Ledger.Note(owner)
	if err != nil || !known || !row.State.Stands() {
		return err
	}
	there, err := p.Vault.Attached(f.Path)
	if err != nil {
		return err
	}
	if there {
		if p.Ledger.Fresh() && p.Vault.Buried(owner) { // a page that nobody writes any more: it would not be met again
			return p.Ledger.PutOwned(ledger.OwnedFile{ID: f.ID, Path: f.Path})
		}
		return nil
	}
	switch fate, at, err := observe.FateOfUnknown(ctx, p.lookInput(), f, row.Path); fate {
	case observe.Moved:
		return p.follow(f, at)
	case observe.Deleted:
		return p.buryOwned(f)
	default:
		return err
	}
}

// fileLink is where links to a file of ours lead that we put at a path, empty where
// its user deleted it.
func (p *pass) fileLink(id, path string) string {
	if p.Vault.Buried(id) {
		return ""
	}
	if f, known, err := p.Ledger.Owned(id); err == nil && known { // a read that failed ends the run before the page is written
		path = f.Path
	}
	return p.notes.FromRoot(path)
}
