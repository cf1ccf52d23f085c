package extract

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
)

func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// renewFile puts a damaged view, canvas or picture aside and has it written anew.
func (w *repair) renewFile(at string) (done, left string, err error) {
	file, known, err := w.Sync.Ledger.FileAt(at)
	if err != nil {
		return "", "", err
	}
	var content []byte
	if !known {
		if content, err = w.pictureOf(at); err != nil || content == nil {
			return "", "nobody knows what it showed: take it from a backup, or delete it", err
		}
	}
	rescued, err := w.Sync.Vault.SetFileAside(w.ctx, at)
	if err != nil {
		return "", err.Error(), nil
	}
	done = "written anew; what stood there lies in " + path.Join(w.Sync.Folder, rescued)
	if !known {
		return done, "", w.Sync.Vault.Attach(w.ctx, at, content)
	}
	if err := w.Sync.Ledger.DropFile(file.ID); err != nil {
		return "", "", err
	}
	if _, key, canvas := strings.Cut(file.ID, canvasID("")); canvas {
		err = w.Sync.Ledger.MarkDue(ledger.DuePage, projectID(key))
	}
	return done, "", err
}

// pictureOf finds what a picture showed in what is kept of the sessions that show
// it, nil where none has it.
func (w *repair) pictureOf(at string) ([]byte, error) {
	all, err := w.Sync.Ledger.Pictures()
	if err != nil {
		return nil, err
	}
	for _, pic := range all {
		if pic.Path != at {
			continue
		}
		layers, err := w.Sync.Ledger.Layers(pic.Session)
		if err != nil {
			return nil, err
		}
		m := mergeLayers(layers)
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
