package owned

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/extract/internal/contain"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/merge"
)

func isCanvas(id string) bool { return strings.HasPrefix(id, names.CanvasID("")) }

// KeepCanvases draws the canvases of projects, by their keys, and removes those that are no
// longer wanted: draw gives no text of them. It is to be done before a page links to one.
func (f *Files) KeepCanvases(ctx context.Context, atOnce int, projects []string, draw func(project string) string) error {
	var mu sync.Mutex
	var spare []string
	err := contain.Each(ctx, atOnce, projects, func(ctx context.Context, key string) error {
		drawn, err := f.keepCanvas(ctx, key, draw)
		if !drawn {
			mu.Lock()
			defer mu.Unlock()
			spare = append(spare, names.CanvasID(key))
		}
		return err
	})
	if err != nil {
		return err
	}
	return f.drop(ctx, spare)
}

// keepCanvas draws a canvas if there is to be one. If that fails, the page of its project stays
// due, so that it is tried again.
func (f *Files) keepCanvas(ctx context.Context, key string, draw func(project string) string) (wanted bool, err error) {
	id, page := names.CanvasID(key), names.ProjectID(key)
	at := f.InProject(key, names.CanvasPath(identity.ProjectFromKey(key)))
	wanted = true
	err = contain.Failure(ctx, f.Notes.Ledger, func() error {
		text := draw(key)
		if wanted = text != ""; !wanted {
			return nil
		}
		failed, err := f.Keep(ctx, id, vault.OwnedFile{Path: at, Text: text})
		if failed && err == nil {
			f.Recorder.Retry(ledger.DuePage, page)
		}
		return err
	}, func(err error) { f.Recorder.Fail(ledger.DuePage, page, id, at, err) })
	return wanted, err
}

// drop removes canvases, where they are as we wrote them. That it does is known before, also
// after a power failure: else one that is gone was deleted by its user.
func (f *Files) drop(ctx context.Context, ids []string) error {
	var going []ledger.OwnedFile
	for _, id := range ids {
		file, known := f.Notes.Ledger.Owned(id)
		if !known {
			continue
		}
		text, err := f.Vault.File(file.Path)
		if err != nil || !merge.IsAsWritten(file.Path, text) {
			continue // what cannot be read stays
		}
		file.Reason = Removing
		f.Notes.Ledger.PutOwned(file)
		going = append(going, file)
	}
	if len(going) == 0 {
		return nil
	}
	if err := errors.Join(f.Notes.Commit(), f.Notes.Ledger.Last()); err != nil {
		return err
	}
	for _, file := range going {
		if err := f.remove(ctx, file); err != nil {
			return err
		}
	}
	return nil
}

func (f *Files) remove(ctx context.Context, file ledger.OwnedFile) error {
	res := vault.Result{Outcome: vault.Removed, Path: file.Path}
	removed, err := f.Vault.Detach(ctx, file.Path, func(text []byte) bool {
		res.Old = text
		return merge.IsAsWritten(file.Path, text)
	})
	switch {
	case err != nil && ctx.Err() != nil:
		return err
	case err != nil:
		res.Outcome = vault.Failed
		f.Recorder.File(file.ID, res, err)
		return nil
	case removed:
		f.Recorder.File(file.ID, res, nil)
	}
	f.Notes.Ledger.DropOwned(file.ID)
	return nil
}

// NameCanvases names those that are concerned and their user's: nobody else can change them.
func (f *Files) NameCanvases(why string, concerned func(id string, text []byte) (bool, error)) error {
	for _, file := range f.Notes.Ledger.OwnedFiles() {
		if !isCanvas(file.ID) {
			continue
		}
		text, err := f.Vault.File(file.Path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && merge.IsAsWritten(file.Path, text) {
			continue
		}
		is := false
		if err == nil {
			is, err = concerned(file.ID, text)
		}
		if err != nil {
			return err
		}
		if is {
			f.Recorder.Keep(f.Notes.FromRoot(file.Path), why)
		}
	}
	return nil
}
