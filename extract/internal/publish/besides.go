package publish

import (
	"cmp"
	"context"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
	"github.com/sessionloom/sessionloom/vault"
)

// putCanvas writes the canvas of a project before the page that links to it. It
// is written once: from then on it is its user's.
func (p *Publisher) putCanvas(ctx context.Context, d *draft) error {
	if d.facts.Type != names.TypeProject || d.facts.Sessions < pages.CanvasMinimum || d.body == nil {
		return nil
	}
	id, pr := names.CanvasID(d.facts.Project), identity.ProjectFromKey(d.facts.Project)
	if _, known, err := p.Notes.Ledger.Owned(id); err != nil || known || p.Vault.HasTombstone(id) {
		return err
	}
	text, err := p.Builder.Canvas(pr).Text()
	if err = cmp.Or(p.Notes.Ledger.Failed(), err); err != nil {
		return err
	}
	failed, err := p.Owned.Keep(ctx, id, vault.OwnedFile{Path: p.Owned.InProject(pr.Key, names.CanvasPath(pr)), Text: text, Once: true})
	if failed {
		p.Recorder.Retry(d.due.kind, d.due.owner) // the page stays due, so that it is tried again
	}
	return err
}

// putPictures writes the pictures that a note is going to show.
func (p *Publisher) putPictures(ctx context.Context, d *draft, m *pages.OpenSession, v vault.Draft) error {
	if d.body == nil || d.facts.Type != names.TypeSession && d.facts.Type != names.TypePart {
		return nil
	}
	return p.Owned.PutPictures(ctx, &m.Session, d.facts.Project, v)
}
