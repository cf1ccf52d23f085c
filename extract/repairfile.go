package extract

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/session"
)

func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// renewFile has a damaged view, canvas or picture be written anew. What stands
// there is put aside.
func (w *repair) renewFile(at string) (result, error) {
	file, known, err := w.Sync.Ledger.OwnedAt(at)
	if err != nil {
		return result{}, err
	}
	if !known || names.IsPictureFile(file.ID) {
		return w.renewPicture(at)
	}
	file.Reason = owned.Renewed
	w.replaceLater(at, func() (string, error) { return w.Sync.Vault.Quarantine(w.ctx, "", at) })
	return result{}, w.Sync.Ledger.PutOwned(file)
}

// renewPicture writes a picture anew from what is kept of the sessions that show
// it.
func (w *repair) renewPicture(at string) (result, error) {
	content, err := w.pictureOf(at)
	if err != nil || content == nil {
		return result{left: "nobody knows what it showed: take it from a backup, or delete it"}, err
	}
	rescued, err := w.Sync.Vault.RenewFile(w.ctx, at, content)
	if err != nil {
		return result{left: err.Error()}, nil
	}
	return result{done: "written anew; " + w.rescuedWords(rescued)}, nil
}

// pictureOf finds what a picture showed in what is kept of the sessions that show
// it, nil where none has it.
func (w *repair) pictureOf(at string) ([]byte, error) {
	uses, err := w.Sync.Ledger.OwnedUses()
	if err != nil {
		return nil, err
	}
	for _, u := range uses {
		if path.Base(u.File) != path.Base(at) { // its folder may have been renamed
			continue
		}
		layers, err := w.Sync.Ledger.Layers(u.Session)
		if err != nil {
			return nil, err
		}
		for _, t := range session.Merge(layers).Session.Turns {
			for _, a := range t.Attachments {
				if strings.HasPrefix(path.Base(at), names.PictureSum(a.Content)+".") {
					return a.Content, nil
				}
			}
		}
	}
	return nil, nil
}
