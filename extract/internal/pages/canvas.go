package pages

import (
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/templates"
)

// Limits of a project's canvas.
const (
	canvasSessions = 40
	canvasFiles    = 15
	canvasWeeks    = 8 // limit of weeks for groups by week; beyond it by month
)

// Canvas shows the latest sessions of a project with their outcomes, and its hottest files, with an arrow
// from each session to the files it changed. It is "" if there is to be none.
func (b *Builder) Canvas(key string) string {
	if !b.hasCanvas(key) {
		return ""
	}
	r := b.Notes.Project(key)
	c := templates.Canvas{Top: b.canvasNote(names.ProjectID(key))}
	files := map[string]string{} // path of a file → id of its node
	for _, h := range r.Hot(b.HotFiles) {
		if len(c.Files) == canvasFiles {
			break
		}
		if note := b.canvasNote(names.FileID(key, h.Path)); note.Path != "" {
			c.Files = append(c.Files, note)
			files[h.Path] = note.ID
		}
	}
	var sessions []facts.Facts
	for _, s := range slices.Backward(r.Sessions) {
		if len(sessions) < canvasSessions && b.Notes.Note(s.ID).Path != "" {
			sessions = append(sessions, s)
		}
	}
	slices.Reverse(sessions)
	period := b.canvasPeriod(sessions)
	for _, s := range sessions {
		shown := templates.CanvasSession{ID: names.CanvasNodeID(s.ID), Row: b.sessionRow(s, false), Open: s.Unticked()}
		label := period(b.local(s.Created))
		if n := len(c.Groups); n == 0 || c.Groups[n-1].Label != label {
			c.Groups = append(c.Groups, templates.CanvasGroup{ID: texts.Digest("canvas "+key+" "+label, 16), Label: label})
		}
		g := &c.Groups[len(c.Groups)-1]
		g.Sessions = append(g.Sessions, shown)
		for _, path := range s.Files {
			if to := files[path]; to != "" {
				c.Arrows = append(c.Arrows, templates.CanvasArrow{ID: texts.Digest(s.ID+" "+path, 16), From: shown.ID, To: to})
			}
		}
	}
	return c.Text()
}

func (b *Builder) canvasNote(id string) templates.CanvasNote {
	path := b.Notes.Note(id).Path
	if path != "" {
		path += ".md"
	}
	return templates.CanvasNote{ID: names.CanvasNodeID(id), Path: path}
}

// canvasPeriod returns a function that names the groups: weeks for a short time, else months.
func (b *Builder) canvasPeriod(sessions []facts.Facts) func(time.Time) string {
	first, last := facts.Span(sessions)
	byWeek := last.Sub(first) <= canvasWeeks*7*24*time.Hour
	return func(t time.Time) string {
		switch {
		case t.IsZero():
			return "undated"
		case byWeek:
			return names.WeekTitle(mondayOf(t))
		}
		return t.Format("January 2006")
	}
}
