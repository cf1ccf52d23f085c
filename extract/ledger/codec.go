package ledger

import (
	"fmt"

	"github.com/fxamacker/cbor/v2"
	"github.com/klauspost/compress/s2"

	"github.com/sessionloom/sessionloom/sources"
)

// codec packs sessions for the ledger: quick to pack and unpack, for every
// session that is due goes through it.
type codec struct {
	form cbor.EncMode // one form for one value: what is kept is compared by hash
}

func newCodec() (*codec, error) {
	options := cbor.CoreDetEncOptions()
	options.Time = cbor.TimeRFC3339NanoUTC
	form, err := options.EncMode()
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
	plain, err := c.form.Marshal(s)
	if err != nil {
		return Packed{}, fmt.Errorf("pack session %q: %w", s.ID, err)
	}
	return Packed{Hash: hashOf(plain), Content: s2.Encode(nil, plain), Size: len(plain)}, nil
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
