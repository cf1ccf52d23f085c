package ledger

import (
	"crypto/sha256"
	"encoding/binary"

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
	Kind  sources.ItemKind
	Print Fingerprint // nil: due
}

// Items returns all known items of a source by key.
func (l *Ledger) Items(source string) (map[string]ItemRow, error) {
	type row struct {
		key string
		ItemRow
	}
	rows, err := list(l, func(r *row) []any { return []any{&r.key, &r.Kind, (*[]byte)(&r.Print)} },
		"SELECT key, kind, print FROM items WHERE source=?", source)
	items := make(map[string]ItemRow, len(rows))
	for _, r := range rows {
		items[r.key] = r.ItemRow
	}
	return items, err
}

// PutItem stores what is known of an item.
func (l *Ledger) PutItem(source, key string, it ItemRow) error {
	return l.run("INSERT OR REPLACE INTO items(source, key, kind, print) VALUES(?,?,?,?)", source, key, string(it.Kind), []byte(it.Print))
}

// Scan is what is known of a source as a whole.
type Scan struct {
	Listing  []byte // fingerprint of what it lists; nil: an item is due
	Shared   []byte // fingerprint of the parts that many items share; nil: they are to be compared
	Vanished int    // sessions that are no longer listed
}

// Scan returns what is known of a source.
func (l *Ledger) Scan(source string) (s Scan, err error) {
	_, err = l.one([]any{&s.Listing, &s.Shared, &s.Vanished}, "SELECT listing, shared, vanished FROM scans WHERE source=?", source)
	return s, err
}

// PutScan stores what is known of a source.
func (l *Ledger) PutScan(source string, s Scan) error {
	return l.run("INSERT OR REPLACE INTO scans(source, listing, shared, vanished) VALUES(?,?,?,?)", source, s.Listing, s.Shared, s.Vanished)
}
