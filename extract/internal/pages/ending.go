package pages

import (
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/decisions"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/outcome"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/templates"
)

// ended quotes how a session ended, unless it has one prompt with a short answer, which the conversation
// shows.
func (b *Builder) ended(s *sources.Session, e outcome.Ending, turn func(number int) templates.Link) (v templates.Ended) {
	const shortConversation = 600 // bytes of an answer that is read at a glance
	if len(s.Turns) == 1 && e.Broke == "" && e.Check == nil && len(e.Steps) == 0 && len(s.Turns[0].Assistant) <= shortConversation {
		return v
	}
	v.Prompt, v.Broke, v.Words = templates.Text(e.Prompt), templates.Text(e.Broke), typed[templates.Text](e.Words)
	if e.Turn >= 0 {
		v.Turn = turn(e.Turn + 1)
	}
	if len(e.Steps) > 0 {
		v.Steps, v.At, v.Followed = typed[templates.Text](e.Steps), b.local(e.At), e.Followed
		v.Checkpoint = b.link(names.CheckpointID(s.ID, e.Checkpoint), "checkpoint "+strconv.Itoa(e.Checkpoint))
	}
	if c := e.Check; c != nil {
		v.Check = templates.LastCheck{Line: templates.Code(c.Line), Exit: templates.Text(exitOf(c)), Turn: turn(c.Turn + 1)}
	}
	return v
}

func decided(k known, turn func(number int) templates.Link) (out []templates.Decided) {
	for _, d := range k.decided {
		out = append(out, templates.Decided{Text: templates.Text(d.Text), Kind: templates.Text(d.Kind.Words()), From: turn(d.Turn + 1)})
	}
	return out
}

func remembered(s *sources.Session, turn func(number int) templates.Link) (out []templates.Remembered) {
	for _, m := range decisions.Remembered(s) {
		out = append(out, templates.Remembered{Subject: templates.Text(m.Subject), Fact: templates.Text(m.Fact), From: turn(m.Turn + 1)})
	}
	return out
}

func (b *Builder) sessionsEnded(latest []facts.Facts) (out []templates.SessionEnded) {
	for _, s := range latest[:min(len(latest), projectEnded)] {
		e := templates.SessionEnded{Session: b.sessionLink(s), At: b.local(s.LastChange())}
		for _, row := range s.Of(facts.RowPrompt) {
			e.Prompt = templates.Text(row.Text)
		}
		for _, row := range s.Of(facts.RowEnd) {
			e.Words = templates.Text(row.Text)
		}
		for _, row := range s.Of(facts.RowStep) {
			e.Steps = append(e.Steps, templates.Text(row.Text))
			e.Checkpoint = b.checkpointLink(s, row)
		}
		for _, row := range s.Of(facts.RowCheck) {
			e.Check = templates.LastCheck{Line: templates.Code(row.Text), Exit: templates.Text(row.What), Turn: b.rowLink(s, row, "last check")}
		}
		if e.Prompt != "" || e.Words != "" {
			out = append(out, e)
		}
	}
	return out
}

func (b *Builder) details(latest []facts.Facts) (out []templates.Fact) {
	for _, s := range latest {
		for _, row := range s.Of(facts.RowDetail) {
			out = append(out, templates.Fact{Text: templates.Text(row.Text), Link: b.checkpointLink(s, row)})
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

func (b *Builder) checkpointLink(s facts.Facts, row facts.Row) templates.Link {
	number, _ := strconv.Atoi(strings.TrimPrefix(row.From, "cp"))
	return b.link(names.CheckpointID(s.Session(), number), "checkpoint "+strconv.Itoa(number))
}
