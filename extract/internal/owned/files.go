// Package owned keeps the files of ours that are not notes: bases, canvases and pictures.
//
// A file is on the disk before a page shows it. One that its user moved inside the managed
// folder is known again: a base by its first line, a canvas by the node of its project, a
// picture by its bytes. A base or canvas is written again while its bytes are as we wrote them,
// which its first line tells. Once they are not, be it that Obsidian saved it in its own spelling,
// it is its user's for good: it is not told of, unless it may show what is to be seen nowhere any
// more.
package owned

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/internal/written"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
)

// Files are the files of ours that are not notes. They are followed where their user
// moved them, as notes are, and one that its user deleted gets a tombstone.
type Files struct {
	Vault        *vault.Vault
	Notes        *index.Notes
	Recorder     *report.Recorder
	Written      *written.Files
	Templates    *templates.Set
	ShowPictures bool // notes show the pictures of prompts

	held     map[string]bool   // folders that held a note when the managed folder was looked at, with those above them
	standing map[string]bool   // where one of ours lies
	sums     map[string]string // of pictures that were looked at, by path
	others   []string          // all files of the managed folder that are no notes; nil: not looked for
	pictures map[string]bool   // folders in which we put pictures
	folders  sync.Map          // project → the folder its files are in
}

// AddTombstone makes a tombstone of a note or file that its user deleted. at is where it
// lay.
func (f *Files) AddTombstone(id, at string) error {
	if !f.Vault.HasTombstone(id) { // else another machine saw it go first
		f.Recorder.Edit(func(r *report.Report) { r.Notes.Tombstoned++ })
		f.Notes.Ledger.AddTombstone(ledger.Tombstone{ID: id, Path: at})
	}
	return f.Vault.AddTombstone(id)
}

// MarkPages marks the pages that show a base or canvas.
func MarkPages(l *ledger.Ledger, id string, mark func(kind, id string)) {
	if _, key, ok := strings.Cut(id, names.CanvasID("")); ok {
		mark(ledger.DuePage, names.ProjectID(key))
		return
	}
	for _, r := range l.NotesOfType(names.TypeProject) {
		mark(ledger.DuePage, r.ID)
	}
	mark(ledger.DuePage, names.HomeID)
}

func (f *Files) markShown(file string) {
	if !names.IsPictureFile(file) {
		MarkPages(f.Notes.Ledger, file, f.Notes.Queue.Mark)
		return
	}
	for _, u := range f.Notes.Ledger.OwnedUses() { // one picture may lie in the folders of several projects
		if names.PictureID(u.File) == names.PictureID(file) {
			f.Notes.Queue.Mark(ledger.DueSession, u.Session)
		}
	}
}

// Link implements [pages.Files].
func (f *Files) Link(id, project, path string) string {
	if f.Vault.HasTombstone(id) {
		return ""
	}
	at, _ := f.place(id, project, path)
	return f.Notes.FromRoot(at)
}

// place is where a file lies, or is to lie, that we put at a path in the folder of a
// project by itself.
func (f *Files) place(id, project, path string) (lies string, known bool) {
	if file, known := f.Notes.Ledger.Owned(id); known {
		return file.Path, true
	}
	return f.InProject(project, path), false
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
	row, known := f.Notes.Ledger.Note(names.ProjectID(key))
	folder := path.Dir(row.Path)
	if !known || !row.State.IsInFolder() || folder == "." || f.held[own] {
		return own
	}
	return folder
}

// Files of ours that are not notes: the bases, and the canvas of each project. They are written
// again while their user left them alone. One that its user deleted gets a tombstone as a note does.

// View is a view of a base.
type View struct {
	ID, Path string
	view     func(folder templates.Path) templates.View
}

// Text is the text of a base for the notes in a folder.
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
		return len(f.Notes.Ledger.LatestFacts(typ, 1)) > 0
	})
	if !some {
		return f.Written.Flush()
	}
	if err := f.keepBases(ctx); err != nil {
		return err
	}
	if err := f.Written.Flush(); err != nil {
		return err
	}
	return f.Notes.Commit()
}

func (f *Files) keepBases(ctx context.Context) error {
	folder := f.Notes.FromRoot("")
	print := []byte(f.Templates.Fingerprint() + " " + folder)
	same, whole := bytes.Equal(f.Notes.Ledger.Value(ledger.Bases), print), true
	for _, b := range Views() {
		if _, known := f.Notes.Ledger.Owned(b.ID); same && (known || f.Vault.HasTombstone(b.ID)) {
			continue
		}
		text, err := b.Text(f.Templates, folder)
		if err != nil {
			f.Recorder.File(b.ID, vault.Result{Outcome: vault.Failed, Path: b.Path}, err)
			whole = false
			continue
		}
		failed, err := f.Keep(ctx, b.ID, vault.OwnedFile{Path: b.Path, Text: text})
		if err != nil {
			return err
		}
		whole = whole && !failed
	}
	if whole {
		f.Notes.Ledger.SetValue(ledger.Bases, print)
	}
	return nil
}

// Keep writes a file of ours unless it was done before or its user deleted
// it. It reports whether that failed, which is in the report then. Of a canvas the file itself
// is asked whether it was done, for one of another machine may have come in its place.
func (f *Files) Keep(ctx context.Context, id string, d vault.OwnedFile) (failed bool, err error) {
	row, known := f.Notes.Ledger.Owned(id)
	if f.Vault.HasTombstone(id) || known && row.Ours == texts.Digest(d.Text, 16) && !isCanvas(id) {
		return false, nil
	}
	if known {
		d.Path, d.Stands = row.Path, true
	}
	res, err := f.Vault.PutFile(ctx, d)
	if err != nil && ctx.Err() != nil {
		return true, err
	}
	f.Recorder.File(id, res, err)
	if err != nil {
		return true, nil
	}
	f.Notes.Ledger.PutOwned(ledger.OwnedFile{ID: id, Path: d.Path, Ours: res.Note.Hash})
	return false, nil
}
