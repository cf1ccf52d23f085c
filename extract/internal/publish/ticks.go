package publish

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault/note"
)

// A box that is ticked on a page of lists closes all ends of its thread: the tick is carried into
// the notes of the sessions that told of it, which stay the truth. It stays on the page until
// they are written.

// carryTicks makes due the notes of sessions whose boxes are to be ticked.
func (p *Publisher) carryTicks() {
	p.ticks = map[string]note.Ticks{}
	for _, id := range p.Notes.Ledger.Due(ledger.DueTick) {
		for _, m := range p.Notes.Thread(id).Mentions {
			if m.Ticked {
				continue
			}
			if p.ticks[m.Session] == nil {
				p.ticks[m.Session] = note.Ticks{}
			}
			p.ticks[m.Session][m.ID] = note.Tick{Mark: "x"}
			p.Notes.Queue.Mark(ledger.DueSession, strings.TrimPrefix(m.Session, "session:"))
		}
	}
}

// endTicks forgets the ticks whose threads are closed.
func (p *Publisher) endTicks() {
	for _, id := range p.Notes.Ledger.Due(ledger.DueTick) {
		if len(p.Notes.Thread(id).Mentions) == 0 {
			p.Notes.Ledger.Done(ledger.DueTick, id)
		}
	}
}
