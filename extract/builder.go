package extract

import (
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
)

// newBuilder makes the pages of this pass.
func (p *pass) newBuilder() *pages.Builder {
	v := index.View{Notes: p.notes}
	return &pages.Builder{
		Templates: p.Pages, Notes: v, Tasks: index.Tasks{Ledger: p.Ledger, Projects: p.projects}, Files: p.owned, Zone: p.zone, Layout: p.layout,
		HotFiles: p.Settings.HotFiles, Transcript: p.Settings.Transcript, HomeCount: p.Settings.HomeCount,
	}
}
