package retire

import (
	"context"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// DropShown takes away what still shows something forgotten, once it is known which notes
// stand. purged tells that this run took something out of the state. It tells whether
// something is due by it.
func (f *Forgetter) DropShown(ctx context.Context, purged bool) (due bool, err error) {
	if err := f.dropPictures(ctx, purged); err != nil {
		return false, err
	}
	return f.dropCanvases(ctx)
}

// dropCanvases removes the canvases that show a forgotten session, so that they
// are drawn anew without it. One that its user changed is told of and stays.
func (f *Forgetter) dropCanvases(ctx context.Context) (due bool, err error) {
	for _, c := range f.canvases {
		file, known, err := f.notes.Ledger.Owned(names.CanvasID(c.Project))
		if err != nil {
			return false, err
		}
		if known {
			err = f.dropCanvas(ctx, file, c)
		}
		if err != nil {
			return false, err
		}
	}
	if len(f.canvases) == 0 {
		return false, nil
	}
	f.canvases = nil
	if err := f.written.Flush(); err != nil {
		return false, err
	}
	return true, f.notes.Ledger.Begin()
}

func (f *Forgetter) dropCanvas(ctx context.Context, file ledger.OwnedFile, c ledger.SessionRow) error {
	shows := false
	removed, err := f.vault.Detach(ctx, file.Path, func(content []byte) bool {
		shows = names.ShowsCard(content, names.SessionID(c.ID))
		return shows && texts.Digest(string(content), 16) == file.Ours
	})
	switch {
	case err != nil:
		return err
	case removed:
		return f.owned.Forget(file)
	case shows:
		f.rec.Keep(f.notes.FromRoot(file.Path), "it shows a session that is forgotten, and holds what you changed: take the card out of it")
	}
	return nil
}
