package sqlite

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// Layout of a -shm, the index of a write-ahead log (sqlite.org, "WAL-mode File
// Format", 2.1): its header stands there twice, numbers in the order of the
// machine.
const (
	indexHeader  = 48
	indexSum     = 40 // where the header's checksum stands
	indexStarted = 12 // where a byte says that it was ever filled
	indexVersion = 3007000
)

// indexed says that the -shm beside a database is an index. SQLite would try for
// ten seconds and more to read garbage as one, whatever its timeout.
func indexed(path string) bool {
	f, _, err := files.OpenText(path + "-shm")
	if err != nil {
		return false
	}
	defer f.Close()
	both := make([]byte, 2*indexHeader)
	if _, err := io.ReadFull(f, both); err != nil || !bytes.Equal(both[:indexHeader], both[indexHeader:]) {
		return false
	}
	word := func(at int) uint32 { return binary.NativeEndian.Uint32(both[at:]) }
	var a, b uint32
	for at := 0; at < indexSum; at += 8 {
		a += word(at) + b
		b += word(at+4) + a
	}
	return word(0) == indexVersion && both[indexStarted] == 1 && a == word(indexSum) && b == word(indexSum+4)
}
