package pages

import (
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// kindsInWords maps the kinds of lines to their names on a page.
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
