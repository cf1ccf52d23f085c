package pages

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

func (b *Builder) words(s *sources.Session, said []sources.Distillate, turn func(number int) templates.Link) (out []templates.Worded) {
	for _, d := range said {
		last := sources.DistilledKind("")
		for i, line := range d.Lines {
			one := templates.Worded{Text: templates.Text(line.Text), Quote: templates.Text(line.Quote), From: turn(line.Turn + 1)}
			if i == 0 {
				one.By, one.At, one.Old = templates.Text(d.By), b.local(d.At), d.Of != s.Fingerprint()
			}
			if b.Transcript == "none" {
				one.Quote = ""
			}
			if line.Kind != last {
				one.Kind, last = templates.Text(strings.ToUpper(string(line.Kind[:1]))+string(line.Kind[1:])), line.Kind
			}
			out = append(out, one)
		}
	}
	return out
}
