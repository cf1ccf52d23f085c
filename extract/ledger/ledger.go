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
	damaged atomic.Bool           // its file is to be quarantined
	failed  atomic.Pointer[error] // see Failed
}
