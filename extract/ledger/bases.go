package ledger

import (
	"cmp"
	"fmt"

	"github.com/klauspost/compress/s2"
)

// PutBases stores, packed, the texts of a note's regions as they were last taken in: what
// a merge with the user's edits starts from. nil leaves the one that is stored.
func (l *Ledger) PutBases(note string, body, nav *string) error {
	if body == nil && nav == nil {
		return nil
	}
	return l.run("INSERT INTO merge_bases(note, body, nav) VALUES(?,?,?) "+
		"ON CONFLICT(note) DO UPDATE SET body=coalesce(excluded.body, body), nav=coalesce(excluded.nav, nav)", note, packText(body), packText(nav))
}

// Bases returns what PutBases stored, nil for what is unknown.
func (l *Ledger) Bases(note string) (body, nav *string, err error) {
	var packed [2][]byte
	if _, err := l.one([]any{&packed[0], &packed[1]}, "SELECT body, nav FROM merge_bases WHERE note=?", note); err != nil {
		return nil, nil, err
	}
	body, err = unpackText(packed[0])
	nav, failed := unpackText(packed[1])
	return body, nav, cmp.Or(err, failed)
}

// DropBases forgets what PutBases stored.
func (l *Ledger) DropBases(note string) error {
	return l.run("DELETE FROM merge_bases WHERE note=?", note)
}

func packText(text *string) []byte {
	if text == nil {
		return nil
	}
	return s2.Encode(nil, []byte(*text))
}

func unpackText(packed []byte) (*string, error) {
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
