package extract

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
)

// What a project's canvas shows.
const (
	canvasMinimum  = 3 // sessions a project has before it gets one
	canvasSessions = 40
	canvasFiles    = 15
	canvasWeeks    = 8 // weeks up to which it is divided by week, else by month
)

// putCanvas writes the canvas of a project before the page that links to it. It
// is written once: from then on it is its user's.
func (p *pass) putCanvas(ctx context.Context, d *draft) error {
	if d.facts.Type != names.TypeProject || d.facts.Sessions < canvasMinimum || d.body == nil {
		return nil
	}
	id, pr := names.CanvasID(d.facts.Project), identity.ProjectFromKey(d.facts.Project)
	if _, known, err := p.Ledger.File(id); err != nil || known || p.Vault.Buried(id) {
		return err
	}
	c, err := p.projectCanvas(pr)
	if err != nil {
		return err
	}
	text, err := c.Text()
	if err != nil {
		return err
	}
	failed, err := p.keepFile(ctx, id, vault.KeptFile{Path: p.inProject(pr.Key, names.CanvasPath(pr)), Text: text, Once: true})
	if failed {
		p.mu.Lock()
		p.failed[d.kind+d.owner] = true // the page stays due, so that it is tried again
		p.mu.Unlock()
	}
	return err
}

// projectCanvas shows the latest sessions of a project and its hottest files,
// with an arrow from each session to the files it changed.
func (p *pass) projectCanvas(pr identity.Project) (templates.Canvas, error) {
	r, err := p.atlas.project(pr.Key)
	if err != nil {
		return templates.Canvas{}, err
	}
	c := templates.Canvas{Top: p.card(names.ProjectID(pr.Key))}
	cards := map[string]string{} // path of a file → id of its card
	for _, h := range r.Hot(p.Settings.HotFiles) {
		if card := p.card(names.FileID(pr.Key, h.Path)); card.Path != "" && len(c.Files) < canvasFiles {
			c.Files = append(c.Files, card)
			cards[h.Path] = card.ID
		}
	}
	sessions := slices.DeleteFunc(slices.Clone(r.Sessions), func(f facts.Facts) bool { return p.placeOf(f.ID).path == "" })
	sessions = sessions[max(0, len(sessions)-canvasSessions):]
	period := p.canvasPeriod(sessions)
	for _, s := range sessions {
		card := p.card(s.ID)
		label := period(p.local(s.Created))
		if n := len(c.Groups); n == 0 || c.Groups[n-1].Label != label {
			c.Groups = append(c.Groups, templates.CanvasGroup{ID: texts.Digest("canvas "+pr.Key+" "+label, 16), Label: label})
		}
		g := &c.Groups[len(c.Groups)-1]
		g.Cards = append(g.Cards, card)
		for _, path := range s.Files {
			if to := cards[path]; to != "" {
				c.Arrows = append(c.Arrows, templates.CanvasArrow{ID: texts.Digest(s.ID+" "+path, 16), From: card.ID, To: to})
			}
		}
	}
	return c, nil
}

// showsCard tells whether the text of a canvas has the card of a note.
func showsCard(text []byte, id string) bool {
	return bytes.Contains(text, []byte(texts.Digest(id, 16)))
}

func (p *pass) card(id string) templates.CanvasCard {
	path := p.placeOf(id).path
	if path != "" {
		path += ".md"
	}
	return templates.CanvasCard{ID: texts.Digest(id, 16), Path: path}
}

// canvasPeriod gives the words of the frames: weeks of a short time, else months.
func (p *pass) canvasPeriod(sessions []facts.Facts) func(time.Time) string {
	first, last := facts.Span(sessions)
	layout := "January 2006"
	byWeek := last.Sub(first) <= canvasWeeks*7*24*time.Hour
	return func(t time.Time) string {
		switch {
		case t.IsZero():
			return "undated"
		case byWeek:
			monday, _ := names.MondayOf(names.WeekOf(t.Format(time.DateOnly)))
			return names.WeekTitle(monday)
		}
		return t.Format(layout)
	}
}
