package ledger

import (
	"sync"
	"sync/atomic"

	"github.com/gofrs/flock"
)

// Ledger is an open ledger. Its methods are safe for concurrent use.
type Ledger struct {
	mu      sync.Mutex
	conn    *connection
	lock    *flock.Flock
	codec   *codec
	file    string // empty: in memory
	discard bool
	fresh   bool
	inTx    bool
	faults  faults
	failed  error // of the first write that failed: nothing is written after it
}

// faults are what is wrong with a ledger.
type faults struct {
	damaged atomic.Bool           // its file is to be quarantined
	broken  atomic.Pointer[error] // of the first read or write that failed
}
