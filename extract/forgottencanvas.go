package extract

import (
	"context"

	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// dropCanvases removes the canvases that show a forgotten session, so that they
// are drawn anew without it. One that its user changed is told of and stays.
func (p *pass) dropCanvases(ctx context.Context) error {
	for _, c := range p.forget.canvases {
		f, known, err := p.Ledger.Owned(names.CanvasID(c.Project))
		if err != nil {
			return err
		}
		if known {
			err = p.dropCanvas(ctx, f, c)
		}
		if err != nil {
			return err
		}
	}
	if len(p.forget.canvases) == 0 {
		return nil
	}
	p.forget.canvases = nil
	if err := p.written.Flush(); err != nil {
		return err
	}
	if err := p.Ledger.Begin(); err != nil {
		return err
	}
	return p.writeNotes(ctx)
}

func (p *pass) dropCanvas(ctx context.Context, f ledger.OwnedFile, c ledger.SessionRow) error {
	shows := false
	removed, err := p.Vault.Detach(ctx, f.Path, func(content []byte) bool {
		shows = names.ShowsCard(content, names.SessionID(c.ID))
		return shows && texts.Digest(string(content), 16) == f.Ours
	})
	switch {
	case err != nil:
		return err
	case removed:
		return p.owned.Forget(f)
	case shows:
		p.rec.Keep(p.notes.FromRoot(f.Path), "it shows a session that is forgotten, and holds what you changed: take the card out of it")
	}
	return nil
}
