// Package ledger remembers, in one SQLite file per vault, what was read and what
// stands in the vault: fingerprints of the sources, the kept (masked, compressed)
// content of every layer, cached facts of every note, and what is still due.
//
// It is a cache. Delete it and the next run rebuilds it from sources and vault.
// What is due is stored in the same transaction as the content that made it so;
// it is cleared only after the notes are in the vault. So the ledger may lag
// behind the vault, it never runs ahead of it.
package ledger

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/fxamacker/cbor/v2"
	"github.com/gofrs/flock"
	"github.com/klauspost/compress/s2"

	"github.com/sessionloom/sessionloom/sources"
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

// codec packs sessions for the ledger: quick to pack and unpack, for every
// session that is due goes through it.
type codec struct {
	form cbor.UserBufferEncMode // one form for one value: what is kept is compared by hash
	free sync.Pool              // of *packing
}

// packing is room for one session while it is packed.
type packing struct {
	plain  bytes.Buffer
	packed []byte
}

// keptPacking is the size in bytes of the largest room that is used again.
const keptPacking = 4 << 20

func newCodec() (*codec, error) {
	options := cbor.CoreDetEncOptions()
	options.Time = cbor.TimeRFC3339NanoUTC
	form, err := options.UserBufferEncMode()
	if err != nil {
		return nil, fmt.Errorf("open encoder: %w", err)
	}
	return &codec{form: form}, nil
}

// Packed is a session as the ledger stores it.
type Packed struct {
	Hash    []byte // of the plain form
	Content []byte
	Size    int // of the plain form
}

func (c *codec) pack(s *sources.Session) (Packed, error) {
	room, ok := c.free.Get().(*packing)
	if !ok {
		room = &packing{}
	}
	room.plain.Reset()
	if err := c.form.MarshalToBuffer(s, &room.plain); err != nil {
		return Packed{}, fmt.Errorf("pack session %q: %w", s.ID, err)
	}
	plain := room.plain.Bytes()
	room.packed = s2.Encode(room.packed[:cap(room.packed)], plain)
	out := Packed{Hash: hashOf(plain), Content: bytes.Clone(room.packed), Size: len(plain)}
	if room.plain.Cap() <= keptPacking {
		c.free.Put(room)
	}
	return out, nil
}

func (c *codec) unpack(content []byte) (*sources.Session, error) {
	plain, err := s2.Decode(nil, content)
	if err != nil {
		return nil, fmt.Errorf("unpack kept session: %w", err)
	}
	var s sources.Session
	if err := cbor.Unmarshal(plain, &s); err != nil {
		return nil, fmt.Errorf("unpack kept session: %w", err)
	}
	return &s, nil
}
