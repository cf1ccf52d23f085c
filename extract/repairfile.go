package extract

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/owned"
	"github.com/sessionloom/sessionloom/extract/internal/session"
	"github.com/sessionloom/sessionloom/vault/inspect"
)

func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// renewFile has a damaged view, canvas or picture be written anew. What stands
// there is put aside.
func (w *repair) renewFile(at string) (done, left string, err error) {
	file, known, err := w.Sync.Ledger.OwnedAt(at)
	if err != nil {
		return "", "", err
	}
	if !known || names.IsPictureFile(file.ID) {
		return w.renewPicture(at)
	}
	file.Reason = owned.Renewed
	w.afterwards = append(w.afterwards, func() error {
		rescued, err := w.Sync.Vault.Quarantine(w.ctx, "", at)
		key := keyOf(Finding{Kind: inspect.FindingFile, Note: path.Join(w.Sync.Folder, at)})
		if err != nil {
			w.left[key] = err.Error() // this one alone; the others are gone on with
		} else {
			w.done[key] = "written anew; " + w.rescuedWords(rescued)
		}
		return nil
	})
	return "", "", w.Sync.Ledger.PutOwned(file)
}

// renewPicture writes a picture anew from what is kept of the sessions that show
// it.
func (w *repair) renewPicture(at string) (done, left string, err error) {
	content, err := w.pictureOf(at)
	if err != nil || content == nil {
		return "", "nobody knows what it showed: take it from a backup, or delete it", err
	}
	rescued, err := w.Sync.Vault.RenewFile(w.ctx, at, content)
	if err != nil {
		return "", err.Error(), nil
	}
	return "written anew; " + w.rescuedWords(rescued), "", nil
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
		m := session.Merge(layers)
		for _, t := range m.Session.Turns {
			for _, a := range t.Attachments {
				if sum := sha256.Sum256(a.Content); strings.HasPrefix(path.Base(at), hex.EncodeToString(sum[:8])+".") {
					return a.Content, nil
				}
			}
		}
	}
	return nil, nil
}
