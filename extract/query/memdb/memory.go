package memdb

import (
	"errors"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// vaSlot is the size in bytes of an argument of a C function that takes any number.
const vaSlot = 8

var errUnbounded = errors.New("the memory of SQLite is not counted in this process")

// BoundMemory has SQLite count the memory that it takes, so that a statement can be bounded. It
// must be called before anything in this process opens a database.
func BoundMemory() error {
	tls := libc.NewTLS()
	defer tls.Close()
	args := tls.Alloc(vaSlot)
	defer tls.Free(vaSlot)
	lib.Xsqlite3_config(tls, lib.SQLITE_CONFIG_MEMSTATUS, libc.VaList(args, int32(1))) // refused where one is open
	return checkBounded(tls)
}

func checkBounded(tls *libc.TLS) error {
	p := lib.Xsqlite3_malloc(tls, 1) // nothing may be taken yet
	defer lib.Xsqlite3_free(tls, p)
	if lib.Xsqlite3_memory_used(tls) == 0 {
		return errUnbounded
	}
	return nil
}

// Limit bounds the memory of SQLite in this process to what it takes now and so many bytes
// more. Zero: it is not bounded.
func (d *DB) Limit(more int64) {
	if more > 0 {
		more += lib.Xsqlite3_memory_used(d.tls)
	}
	lib.Xsqlite3_hard_heap_limit64(d.tls, more)
}
