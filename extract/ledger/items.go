package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/fxamacker/cbor/v2"

	"github.com/sessionloom/sessionloom/sources"
)

func hashOf(b []byte) []byte {
	h := sha256.Sum256(b)
	return h[:16]
}

// Fingerprint is the short form of stamps: equal fingerprints, equal stamps.
type Fingerprint []byte

// FingerprintParts sums up the stamps of parts.
func FingerprintParts(parts []sources.Part) Fingerprint {
	b := make([]byte, 0, 64*len(parts))
	for _, p := range parts {
		b = append(append(b, p.Name...), 0)
		b = AppendStamp(b, p.Stamp)
	}
	return hashOf(b)
}

// AppendStamp appends a stamp in a fixed binary form.
func AppendStamp(b []byte, s sources.Stamp) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(s.Size))
	b = binary.LittleEndian.AppendUint64(b, uint64(s.MTime))
	b = binary.LittleEndian.AppendUint64(b, s.Inode)
	return binary.LittleEndian.AppendUint64(b, uint64(s.CTime))
}

// ItemRow is what the ledger knows of an item.
type ItemRow struct {
	Kind  sources.ItemKind `cbor:"k"`
	Print Fingerprint      `cbor:"p"` // nil: due
}

// Items returns all known items of a source by key.
func (l *Ledger) Items(source string) (map[string]ItemRow, error) {
	m := map[string]ItemRow{}
	b, err := l.Meta(itemsKey + source)
	if err != nil || b == nil {
		return m, err
	}
	if err := cbor.Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("read items of %q: %w", source, err)
	}
	return m, nil
}

// PutItems stores all known items of a source. They are one value: what changes
// is small beside what a row for each would cost to read in every pass.
func (l *Ledger) PutItems(source string, items map[string]ItemRow) error {
	b, err := l.codec.form.Marshal(items)
	if err != nil {
		return fmt.Errorf("store items of %q: %w", source, err)
	}
	return l.SetMeta(itemsKey+source, b)
}

// itemsKey precedes the source in the keys of the items.
const itemsKey = "items:"
