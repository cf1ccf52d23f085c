package ledger

import (
	"crypto/sha256"
	"database/sql"
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
	Session string
	Kind    string
	Print   Fingerprint // nil: due
}

// Items returns all known items of a source by key.
func (l *Ledger) Items(source string) (map[string]ItemRow, error) {
	m := map[string]ItemRow{}
	err := l.each(func(r *sql.Rows) error {
		var key string
		var row ItemRow
		var print []byte
		if err := r.Scan(&key, &row.Session, &row.Kind, &print); err != nil {
			return err
		}
		row.Print = print
		m[key] = row
		return nil
	}, "SELECT key, session, kind, parts FROM items WHERE source=?", source)
	return m, err
}

// PutItem stores the fingerprint of an item that was read.
func (l *Ledger) PutItem(it sources.Item, print Fingerprint) error {
	return l.run("INSERT OR REPLACE INTO items(source, key, kind, session, root, path, parts) VALUES(?,?,?,?,?,?,?)",
		it.Source, it.Key, string(it.Kind), it.Session, it.Root, it.Path, []byte(print))
}

// PutCommands replaces the command history of an item.
func (l *Ledger) PutCommands(it sources.Item, commands []string) error {
	if err := l.run("DELETE FROM commands WHERE source=? AND item=?", it.Source, it.Key); err != nil {
		return err
	}
	for i, c := range commands {
		if err := l.run("INSERT INTO commands(source, item, pos, text) VALUES(?,?,?,?)", it.Source, it.Key, i, c); err != nil {
			return err
		}
	}
	return nil
}

// Commands returns the command history of an item, in file order.
func (l *Ledger) Commands(source, item string) ([]string, error) {
	var out []string
	err := l.each(func(r *sql.Rows) error {
		var s string
		if err := r.Scan(&s); err != nil {
			return err
		}
		out = append(out, s)
		return nil
	}, "SELECT text FROM commands WHERE source=? AND item=? ORDER BY pos", source, item)
	return out, err
}
