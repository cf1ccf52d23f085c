package ledger

import (
	"fmt"

	"github.com/klauspost/compress/s2"
)

// Bases are the texts of a note's regions as they were last taken in, packed:
// what a merge with the user's edits starts from. nil: unknown.
type Bases struct{ Body, Nav []byte }

// PackBase packs a text for the ledger, nil for none. It needs no ledger, so
// that many can pack at once.
func PackBase(text *string) []byte {
	if text == nil {
		return nil
	}
	return s2.Encode(nil, []byte(*text))
}

// UnpackBase is the opposite of PackBase.
func UnpackBase(packed []byte) (*string, error) {
	if packed == nil {
		return nil, nil
	}
	plain, err := s2.Decode(nil, packed)
	if err != nil {
		return nil, fmt.Errorf("unpack base of a note: %w", err)
	}
	text := string(plain)
	return &text, nil
}

// PutBases stores what is not nil.
func (l *Ledger) PutBases(note string, b Bases) error {
	if b.Body == nil && b.Nav == nil {
		return nil
	}
	return l.run("INSERT INTO merge_bases(note, body, nav) VALUES(?,?,?) "+
		"ON CONFLICT(note) DO UPDATE SET body=coalesce(excluded.body, body), nav=coalesce(excluded.nav, nav)", note, b.Body, b.Nav)
}

// Bases returns what PutBases stored.
func (l *Ledger) Bases(note string) (b Bases, err error) {
	_, err = l.one([]any{&b.Body, &b.Nav}, "SELECT body, nav FROM merge_bases WHERE note=?", note)
	return b, err
}

// DropBases forgets what PutBases stored.
func (l *Ledger) DropBases(note string) error {
	return l.run("DELETE FROM merge_bases WHERE note=?", note)
}
