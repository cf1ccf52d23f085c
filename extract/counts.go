package extract

import (
	"strconv"

	"github.com/sessionloom/sessionloom/extract/ledger"
)

// countSessions completes the counts of sessions, also while no source moves.
func (p *pass) countSessions() error {
	empty, err := p.countEmpty()
	if err != nil {
		return err
	}
	left, err := p.assign.LeftToOthers()
	if err != nil {
		return err
	}
	rows, err := p.Ledger.RowsOnly()
	p.rec.Edit(func(r *Report) {
		c := &r.Sessions
		c.Unchanged, c.Empty = c.Listed-c.New-c.Changed-c.Failed, empty
		r.LeftTo, r.StoreOnly = left, rows
	})
	return err
}

// countEmpty counts the sessions without anything to show, unless the count of an
// earlier pass still holds.
func (p *pass) countEmpty() (int, error) {
	value, err := p.Ledger.Value(ledger.Empty)
	if err != nil {
		return 0, err
	}
	if n, err := strconv.Atoi(string(value)); err == nil {
		return n, nil
	}
	n, err := p.Ledger.EmptySessions()
	p.notes.AtEnd(ledger.Empty, []byte(strconv.Itoa(n)))
	return n, err
}
