// Package index is what is known of all notes: their facts, where they lie, what depends
// on what, and what is due by it.
package index

import "github.com/sessionloom/sessionloom/extract/ledger"

// BasesOf looks up, when somebody asks, what the regions of a note were made
// from. Nobody asks for a note that its user left alone. What cannot be unpacked
// is unknown, as in a lost ledger.
func BasesOf(l *ledger.Ledger, id string) func() (body, nav *string, err error) {
	return func() (body, nav *string, err error) {
		body, nav, _ = l.Bases(id)
		return body, nav, l.Failed()
	}
}
