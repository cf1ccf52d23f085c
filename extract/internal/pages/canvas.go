package pages

import (
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/templates"
)

// What a project's canvas shows.
const (
	CanvasMinimum  = 3 // sessions a project has before it gets one
	canvasSessions = 40
	canvasFiles    = 15
	canvasWeeks    = 8 // weeks up to which it is divided by week, else by month
)

// Canvas shows the latest sessions of a project and its hottest files,
// with an arrow from each session to the files it changed.
func (b *Builder) Canvas(pr identity.Project) (templates.Canvas, error) {
	r, err := b.Notes.Project(pr.Key)
	if err != nil {
		return templates.Canvas{}, err
	}
	c := templates.Canvas{Top: b.card(names.ProjectID(pr.Key))}
	nodes := map[string]string{} // path of a file → id of its node
	for _, h := range r.Hot(b.HotFiles) {
		if node := b.card(names.FileID(pr.Key, h.Path)); node.Path != "" && len(c.Files) < canvasFiles {
			c.Files = append(c.Files, node)
			nodes[h.Path] = node.ID
		}
	}
	sessions := slices.DeleteFunc(slices.Clone(r.Sessions), func(f facts.Facts) bool { return b.Notes.Note(f.ID).Path == "" })
	sessions = sessions[max(0, len(sessions)-canvasSessions):]
	period := b.canvasPeriod(sessions)
	for _, s := range sessions {
		node := b.card(s.ID)
		label := period(b.local(s.Created))
		if n := len(c.Groups); n == 0 || c.Groups[n-1].Label != label {
			c.Groups = append(c.Groups, templates.CanvasGroup{ID: texts.Digest("canvas "+pr.Key+" "+label, 16), Label: label})
		}
		g := &c.Groups[len(c.Groups)-1]
		g.Cards = append(g.Cards, node)
		for _, path := range s.Files {
			if to := nodes[path]; to != "" {
				c.Arrows = append(c.Arrows, templates.CanvasArrow{ID: texts.Digest(s.ID+" "+path, 16), From: node.ID, To: to})
			}
		}
	}
	return c, nil
}

func (b *Builder) card(id string) templates.CanvasCard {
	path := b.Notes.Note(id).Path
	if path != "" {
		path += ".md"
	}
	return templates.CanvasCard{ID: names.CanvasNodeID(id), Path: path}
}

// canvasPeriod gives the words of the frames: weeks of a short time, else months.
func (b *Builder) canvasPeriod(sessions []facts.Facts) func(time.Time) string {
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
