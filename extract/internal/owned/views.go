package owned

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
)

// Files of ours that are no notes: the bases, which are kept up to date around
// what their user changed, and the canvas of each project, which is written once.
// One that its user deleted gets a tombstone as a note does.

// View is one of the bases.
type View struct {
	ID, Path string
	view     func(folder templates.Path) templates.View
}

// Text is what a base says of the notes in a folder.
func (v View) Text(set *templates.Set, folder string) (string, error) {
	return set.Page(v.view(templates.Path(folder)))
}

// Views are the bases that are kept.
func Views() []View {
	return []View{
		{names.SessionsBaseID, names.SessionsBasePath, func(f templates.Path) templates.View { return templates.SessionsBase{Folder: f} }},
		{names.FilesBaseID, names.FilesBasePath, func(f templates.Path) templates.View { return templates.FilesBase{Folder: f} }},
	}
}

// KeepBases writes the bases, where there are notes at all and they are not yet as
// this version has them.
func (f *Files) KeepBases(ctx context.Context) error {
	// Home stays where its user wrote in it.
	some := slices.ContainsFunc([]string{names.TypeSession, names.TypeProject, names.TypeMemory, names.TypeHome}, func(typ string) bool {
		return len(ledger.Got(f.Notes.Ledger.Latest(typ, 1))) > 0
	})
	if !some {
		return f.Written.Flush()
	}
	if err := f.Notes.Ledger.Begin(); err != nil {
		return err
	}
	for _, b := range Views() {
		text, err := b.Text(f.Templates, f.Notes.FromRoot(""))
		if err != nil {
			f.Recorder.File(b.ID, vault.Result{Outcome: vault.Failed, Path: b.Path}, err)
			continue
		}
		if _, err := f.Keep(ctx, b.ID, vault.OwnedFile{Path: b.Path, Text: text}); err != nil {
			return err
		}
	}
	if err := f.Written.Flush(); err != nil {
		return err
	}
	return f.Notes.Commit()
}

// Keep writes a file of ours unless it was done before or its user deleted
// it. It tells whether that failed, which is in the report then.
func (f *Files) Keep(ctx context.Context, id string, d vault.OwnedFile) (failed bool, err error) {
	row, known := ledger.Found(f.Notes.Ledger.Owned(id))
	ours := texts.Digest(d.Text, 16)
	if f.Vault.HasTombstone(id) || known && (d.Once || row.Ours == ours) {
		return false, nil
	}
	if known {
		d.Path, d.Base = row.Path, row.Base
	}
	if err := f.Notes.Ledger.Failed(); err != nil {
		return true, err
	}
	res, err := f.Vault.PutFile(ctx, d)
	if err != nil && ctx.Err() != nil {
		return true, err
	}
	f.Recorder.File(id, res, err)
	if err != nil {
		return true, nil
	}
	return false, f.Notes.Ledger.PutOwned(ledger.OwnedFile{ID: id, Path: d.Path, Ours: ours, Base: res.Base, Reason: res.Reason})
}

// Redraw has the canvases that are concerned be drawn anew, where they stand as we drew
// them. One that its user changed stays and is named.
func (f *Files) Redraw(ctx context.Context, why string, concerned func(id string, text []byte) (bool, error)) error {
	for _, file := range ledger.Got(f.Notes.Ledger.OwnedFiles()) {
		if !strings.HasPrefix(file.ID, names.CanvasID("")) {
			continue
		}
		is := false
		var failed error
		removed, err := f.Vault.Detach(ctx, file.Path, func(content []byte) bool {
			is, failed = concerned(file.ID, content)
			return is && texts.Digest(string(content), 16) == file.Ours
		})
		switch err = errors.Join(err, failed); {
		case err != nil:
			return err
		case removed:
			err = f.forget(file)
		case is:
			f.Recorder.Keep(f.Notes.FromRoot(file.Path), why)
		}
		if err != nil {
			return err
		}
	}
	return f.Written.Flush()
}
