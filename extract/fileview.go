package extract

import (
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/pages"
)

// fileView answers what pages ask of our files that are no notes.
type fileView struct{ p *pass }

func (v fileView) Link(id, project, path string) string {
	return v.p.fileLink(id, v.p.inProject(project, path))
}

func (v fileView) Picture(project, path string) string {
	if v.p.Vault.Buried(names.PictureID(path)) {
		return ""
	}
	lies, err := v.p.pictureAt(project, path)
	if err != nil {
		return ""
	}
	return v.p.notes.FromRoot(lies)
}

// newBuilder makes the pages of this pass.
func (p *pass) newBuilder() *pages.Builder {
	v := index.View{Notes: p.notes}
	return &pages.Builder{
		Templates: p.Pages, Notes: v, Tasks: index.Tasks{Ledger: p.Ledger, Projects: p.projects}, Files: fileView{p}, Zone: p.zone, Layout: p.layout,
		HotFiles: p.Settings.HotFiles, Transcript: p.Settings.Transcript, HomeCount: p.Settings.HomeCount,
	}
}
