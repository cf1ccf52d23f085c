package pages

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// kindsInWords are what a page calls the kinds of lines.
var kindsInWords = map[sources.DistilledKind]templates.Text{
	sources.DistilledOutcome: "Outcome", sources.DistilledLeft: "Left", sources.DistilledDecision: "Decisions", sources.DistilledLearned: "Learned",
}

func (b *Builder) words(s *sources.Session, said []sources.Distillate, turn func(number int) templates.Link) (out []templates.Words) {
	for _, d := range said {
		w := templates.Words{By: templates.Text(d.By), At: b.local(d.At), Old: d.Of != s.Fingerprint()}
		last := sources.DistilledKind("")
		for _, line := range d.Lines {
			one := templates.Worded{Text: templates.Text(line.Text), Quote: templates.Text(line.Quote), From: turn(line.Turn + 1)}
			if b.Transcript == "none" {
				one.Quote = ""
			}
			if line.Kind != last {
				one.Kind, last = kindsInWords[line.Kind], line.Kind
			}
			w.Lines = append(w.Lines, one)
		}
		out = append(out, w)
	}
	return out
}

// said are the lines that the page of a project shows.
func (r *rowBuilder) said(all []sources.Distillate) {
	for _, d := range all {
		for _, line := range d.Lines {
			if line.Kind != sources.DistilledDecision && line.Kind != sources.DistilledLearned {
				continue
			}
			_, block := r.turn(line.Turn)
			r.add(facts.Row{Key: facts.RowWords, At: d.At, From: block, What: d.By, Text: line.Text})
		}
	}
}

func (b *Builder) saidOf(r *facts.ProjectIndex) (out []templates.Said) {
	const shown = 8
	for _, t := range facts.RowsOf(r.Sessions, facts.RowWords) {
		if len(out) == shown {
			break
		}
		by := strings.ReplaceAll(t.Row.What, "_", " ")
		out = append(out, templates.Said{At: b.local(t.Row.At), Text: templates.Text(t.Row.Text), By: templates.Text(by), Link: b.rowLink(*t.Session, t.Row, t.Session.Title)})
	}
	return out
}
