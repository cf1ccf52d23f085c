package lines

import (
	"crypto/sha256"
	"fmt"
	"io"
)

// ProbeSize is how many bytes of the beginning and of the end are hashed.
const ProbeSize = 4 << 10

// Probes hashes the first bytes of a log and the last ones before end, so that a
// log that was written anew is told from one that grew.
func Probes(src io.ReaderAt, end int64) (head, tail []byte, err error) {
	buf := make([]byte, min(ProbeSize, end))
	hash := func(at int64) ([]byte, error) {
		if n, err := src.ReadAt(buf, at); n < len(buf) {
			return nil, fmt.Errorf("read %d bytes at %d: %w", len(buf), at, err)
		}
		sum := sha256.Sum256(buf)
		return sum[:], nil
	}
	if head, err = hash(0); err != nil {
		return nil, nil, err
	}
	tail, err = hash(end - int64(len(buf)))
	return head, tail, err
}
