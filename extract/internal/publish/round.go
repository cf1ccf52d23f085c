package publish

import (
	"cmp"
	"slices"
)

// A run plans all notes before it writes the first one, for a link is rendered
// with the place and title of what it leads to. What was planned is in the ledger
// by then, so a session's drafts need not be kept meanwhile: those of a history
// of many sessions are drafted once more when it is their turn to be written.

// mostHeld is how many drafts of sessions a round keeps by default, some 3 kB each.
const mostHeld = 4096

// round is what planning once over made due.
type round struct {
	drafts []*draft
	later  []string // sessions to be drafted once more, oldest first
	held   int      // drafts of sessions among drafts
	Notes  int      // all that are to be written, those of later too
}

func (r *round) take(drafts []*draft) {
	r.drafts = append(r.drafts, drafts...)
	r.Notes += len(drafts)
}

// takeFamily takes in the drafts of a session, or that there will be some. A note
// that is to go from where it lies is known by its draft alone.
func (p *Publisher) takeFamily(r *round, session string, family []*draft) error {
	if len(family) == 0 {
		return nil
	}
	if r.held+len(family) <= cmp.Or(p.Options.Held, mostHeld) || slices.ContainsFunc(family, (*draft).leaves) {
		r.held += len(family)
		r.take(family)
		return nil
	}
	r.later = append(r.later, session)
	r.Notes += len(family)
	return p.intend(family)
}

// intend remembers what is planned before any of it is written.
func (p *Publisher) intend(drafts []*draft) error {
	for _, d := range drafts {
		session, paths := "", []string{cmp.Or(d.at(), d.place.path)}
		if d.body != nil {
			session = d.session
		}
		if d.place.moveTo != "" {
			paths = append(paths, d.place.moveTo)
		}
		if err := p.Written.Intend(session, paths...); err != nil {
			return err
		}
	}
	return nil
}
