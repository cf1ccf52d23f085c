package planfile

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/note"
)

// What a target of a plan may be, whatever fields it has or lacks: a note of ours
// at a name that we give, or one of the other files as a sync would write it. The
// vault sees to what may be taken from a file that stands there.

// notOurs tells why a target is none that a sync would have; empty: it may be one.
func (a *application) notOurs(f PlannedFile, t vault.Target) (string, error) {
	switch {
	case f.ID != "" && f.Remove:
		return a.removalNotOurs(f)
	case f.ID != "":
		return noteNotOurs(f, t), nil
	case f.From != "" || f.Remove:
		return "a file that is no note is never moved or removed", nil
	case path.Ext(f.Path) == ".base":
		return a.baseNotOurs(f, t)
	case f.Expect != "":
		return "it is no file that is ever replaced", nil
	}
	folders, err := a.projectFolders()
	if err != nil {
		return "", err
	}
	for folder, pr := range folders {
		picture := names.PicturePath(pr, sources.Attachment{Content: t.Text})
		if picture != "" && f.Path == folder+"/attachments/"+path.Base(picture) {
			return "", nil
		}
		if f.Path == folder+"/"+path.Base(names.CanvasPath(pr)) && templates.IsCanvas(t.Text) {
			return "", nil
		}
	}
	return "it is no canvas or image as it is written there", nil
}

// noteNotOurs judges a note that is to be written or moved. One that stays where
// it is may have any name: its user gave it.
func noteNotOurs(f PlannedFile, t vault.Target) string {
	if f.Expect != "" && f.From == "" {
		return ""
	}
	row, err := rowAt(f.Path, t.Text)
	if err != nil || row.ID != f.ID || !names.IsNamedByUs(index.NamedNote(row), true) {
		return "it has no name that is given to such a note"
	}
	return ""
}

// removalNotOurs judges a note that is to be taken away.
func (a *application) removalNotOurs(f PlannedFile) (string, error) {
	row, known, err := a.in.Ledger.Note(f.ID)
	if err != nil || known && row.Path == f.Path && index.IsOurs(row) {
		return "", err
	}
	text, err := a.in.Vault.Text(f.Path)
	if err != nil {
		return "", nil // it is gone already, or the vault tells why not
	}
	if row, err = rowAt(f.Path, text); err != nil || !names.IsNamedByUs(index.NamedNote(row), false) {
		return "it is not known that we wrote it", nil
	}
	return "", nil
}

// rowAt is the row of a note with a text.
func rowAt(at string, text []byte) (ledger.NoteRow, error) {
	return index.PlannedRow(facts.From(note.Parse(at, text)).Named(), at)
}

// baseNotOurs judges a base: it is to hold what a sync would make of it now.
func (a *application) baseNotOurs(f PlannedFile, t vault.Target) (string, error) {
	for _, b := range owned.Views() {
		row, known, err := a.in.Ledger.Owned(b.ID)
		if err != nil {
			return "", err
		}
		if !known {
			row.Path = b.Path
		}
		if row.Path != f.Path {
			continue
		}
		text, err := b.Text(a.in.Templates, a.in.Folder)
		if err != nil {
			return "", err
		}
		would, err := a.in.Vault.PreviewFile(vault.OwnedFile{Path: f.Path, Text: text, Base: row.Base})
		if err != nil || bytes.Equal(would, t.Text) {
			return "", err
		}
		return "it is to hold something else than a sync would make of it", nil
	}
	return "it is no base of ours", nil
}

// projectFolders are the folders in which canvases and images lie: those that we
// give, and those where the page of a project stands.
func (a *application) projectFolders() (map[string]identity.Project, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.folders != nil {
		return a.folders, nil
	}
	keys, err := a.in.Ledger.Projects()
	if err != nil {
		return nil, err
	}
	folders := map[string]identity.Project{}
	for _, f := range a.plan.Targets {
		if key, ok := strings.CutPrefix(f.ID, names.ProjectID("")); ok {
			keys = append(keys, key)
			if f.Expect != "" && f.From == "" {
				folders[path.Dir(f.Path)] = identity.ProjectFromKey(key)
			}
		}
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		row, known, err := a.in.Ledger.Note(names.ProjectID(key))
		if err != nil {
			return nil, err
		}
		if known && row.State.Stands() {
			folders[path.Dir(row.Path)] = identity.ProjectFromKey(key)
		}
		folders[names.ProjectFolder(identity.ProjectFromKey(key))] = identity.ProjectFromKey(key)
	}
	a.folders = folders
	return folders, nil
}
