package ledger

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/fxamacker/cbor/v2"
	"github.com/klauspost/compress/s2"

	"github.com/sessionloom/sessionloom/sources"
)

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
