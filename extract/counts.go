package extract

import (
	"strconv"

	"github.com/sessionloom/sessionloom/extract/ledger"
)

// countSessions completes the counts of sessions, also while no source moves.
func (st *stages) countSessions() error {
	empty, err := st.countEmpty()
	if err != nil {
		return err
	}
	left, err := st.assign.LeftToOthers()
	if err != nil {
		return err
	}
	rows, err := st.engine.Ledger.RowsOnly()
	st.rec.Edit(func(r *Report) {
		c := &r.Sessions
		c.Unchanged, c.Empty = c.Listed-c.New-c.Changed-c.Failed, empty
		r.LeftTo, r.StoreOnly = left, rows
	})
	return err
}

// countEmpty counts the sessions without anything to show, unless the count of an
// earlier run still holds.
func (st *stages) countEmpty() (int, error) {
	value, err := st.engine.Ledger.Value(ledger.Empty)
	if err != nil {
		return 0, err
	}
	if n, err := strconv.Atoi(string(value)); err == nil {
		return n, nil
	}
	n, err := st.engine.Ledger.EmptySessions()
	st.notes.AtEnd(ledger.Empty, []byte(strconv.Itoa(n)))
	return n, err
}
