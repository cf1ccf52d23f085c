package ledger

import (
	"fmt"

	"github.com/fxamacker/cbor/v2"
	"github.com/klauspost/compress/zstd"

	"github.com/sessionloom/sessionloom/sources"
)

// codec packs sessions for the ledger.
type codec struct {
	enc  *zstd.Encoder
	dec  *zstd.Decoder
	form cbor.EncMode // one form for one value: what is kept is compared by hash
}

// maxSession bounds what unpacking may use: a kept session is small beside it.
const maxSession = 1 << 30

func newCodec() (*codec, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(2), zstd.WithWindowSize(256<<10), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("open compressor: %w", err)
	}
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxSession))
	if err != nil {
		return nil, fmt.Errorf("open decompressor: %w", err)
	}
	options := cbor.CoreDetEncOptions()
	options.Time = cbor.TimeRFC3339NanoUTC
	form, err := options.EncMode()
	if err != nil {
		return nil, fmt.Errorf("open encoder: %w", err)
	}
	return &codec{enc: enc, dec: dec, form: form}, nil
}

func (c *codec) close() {
	_ = c.enc.Close()
	c.dec.Close()
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
	return Packed{Hash: hashOf(plain), Content: c.enc.EncodeAll(plain, nil), Size: len(plain)}, nil
}

func (c *codec) unpack(content []byte) (*sources.Session, error) {
	plain, err := c.dec.DecodeAll(content, nil)
	if err != nil {
		return nil, fmt.Errorf("unpack kept session: %w", err)
	}
	var s sources.Session
	if err := cbor.Unmarshal(plain, &s); err != nil {
		return nil, fmt.Errorf("unpack kept session: %w", err)
	}
	return &s, nil
}
