// Package ledger remembers, in one SQLite file per vault, what was read and what is in the vault:
// fingerprints of the sources, the masked and compressed content of every layer, cached facts of every note,
// and what is due.
//
// It is a cache: the next run rebuilds a deleted one from sources and vault. Due work is stored in the same
// transaction as the content that caused it, and cleared only after the notes are in the vault. So the ledger
// may lag behind the vault, but never runs ahead of it.
package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
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
	file    string // in memory only if discard
	discard bool
	fresh   bool
	inTx    bool
	damaged atomic.Bool           // its file is to be quarantined
	failed  atomic.Pointer[error] // see Failed
}

// codec packs sessions for the ledger: it is fast, as every due session goes through it.
type codec struct {
	form cbor.UserBufferEncMode // canonical, as stored data is compared by hash
	back cbor.DecMode           // for sessions of any length
	free sync.Pool              // pool of *packing
}

type packing struct {
	plain  bytes.Buffer
	packed []byte
}

func newCodec() (*codec, error) {
	options := cbor.CoreDetEncOptions()
	options.Time = cbor.TimeRFC3339NanoUTC
	form, err := options.UserBufferEncMode()
	if err != nil {
		return nil, fmt.Errorf("open encoder: %w", err)
	}
	back, err := cbor.DecOptions{MaxArrayElements: math.MaxInt32, MaxMapPairs: math.MaxInt32, UTF8: cbor.UTF8DecodeInvalid}.DecMode()
	if err != nil {
		return nil, fmt.Errorf("open decoder: %w", err)
	}
	return &codec{form: form, back: back}, nil
}

// Packed is a session as the ledger stores it.
type Packed struct {
	Hash    []byte // hash of the plain form
	Content []byte
}

func (c *codec) pack(s *sources.Session) (Packed, error) {
	const keptPacking = 4 << 20 // limit in bytes of a buffer that is reused
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
	out := Packed{Hash: hashOf(plain), Content: bytes.Clone(room.packed)}
	if room.plain.Cap() <= keptPacking {
		c.free.Put(room)
	}
	return out, nil
}

func (l *Ledger) unpack(session string, content []byte) *sources.Session {
	var s sources.Session
	plain, err := s2.Decode(nil, content)
	if err == nil {
		err = l.codec.back.Unmarshal(plain, &s)
	}
	if err != nil {
		_ = l.Harmed(fmt.Errorf("unpack kept session %q: %w", session, err))
	}
	return &s
}

// Key names a single value in the ledger.
type Key string

// The keys of all values.
const (
	keySchema      Key = "schema"        // version of the tables
	MaskKey        Key = "mask_key"      // key for masks of secrets
	Rules          Key = "rules"         // fingerprint of the current rules for masking
	DistilFailed   Key = "distil_failed" // time of the last failure of the asked agent
	Unmasked       Key = "unmasked"      // set while notes may show secrets of new rules
	Rendering      Key = "rendering"     // fingerprint of templates and settings
	Bases          Key = "bases"         // fingerprint of the data in the bases
	VaultPrint     Key = "vault"         // fingerprint of the managed folder
	Head           Key = "head"          // commit checked out in the vault
	TombstonePrint Key = "tombstones"    // fingerprint of the tombstones in the vault
	Unmanaged      Key = "unmanaged"     // stamps of foreign notes in the managed folder
	Searched       Key = "searched"      // set once generated notes were searched outside the managed folder
	AliasesDue     Key = "aliases_due"   // set while the grouping of ids may have changed
	ProjectsDue    Key = "projects_due"  // set while the projects of sessions must be found again, as records or notes changed their evidence
	Joins          Key = "joins"         // joined projects when the records were assigned
)

// Value returns a value, or nil.
func (l *Ledger) Value(key Key) []byte {
	var v []byte
	l.one([]any{&v}, "SELECT value FROM kv WHERE key=?", string(key))
	return v
}

// SetValue stores a value, without a write if it is unchanged.
func (l *Ledger) SetValue(key Key, value []byte) {
	old := l.Value(key)
	if old != nil && bytes.Equal(old, value) {
		return
	}
	// An empty value reads as nil, so only the database sees whether it exists.
	l.run("INSERT INTO kv(key, value) VALUES(?,?) ON CONFLICT(key) DO UPDATE SET value=excluded.value WHERE value IS NOT excluded.value", string(key), value)
}

func hashOf(b []byte) []byte {
	h := sha256.Sum256(b)
	return h[:16]
}

// Fingerprint is a digest of stamps, equal exactly if they are.
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

// ItemRow is the state's data about an item.
type ItemRow struct {
	Kind    sources.ItemKind
	Print   Fingerprint // nil: due
	Records int         // number when it was read; 0: unknown
}

// Items returns all known items of a source by key.
func (l *Ledger) Items(source string) map[string]ItemRow {
	return byKey(l, func(key *string, r *ItemRow) []any { return []any{key, &r.Kind, (*[]byte)(&r.Print), &r.Records} },
		"SELECT key, kind, print, records FROM items WHERE source=?", source)
}

// Item returns a known item of a source, or false.
func (l *Ledger) Item(source, key string) (r ItemRow, known bool) {
	known = l.one([]any{&r.Kind, (*[]byte)(&r.Print), &r.Records}, "SELECT kind, print, records FROM items WHERE source=? AND key=?", source, key)
	return r, known
}

// CountItems counts the known items of a kind of a source.
func (l *Ledger) CountItems(source string, kind sources.ItemKind) int {
	return l.count("SELECT count(*) FROM items WHERE source=? AND kind=?", source, string(kind))
}

// PutItem stores the row of an item.
func (l *Ledger) PutItem(source, key string, it ItemRow) {
	l.run("INSERT OR REPLACE INTO items(source, key, kind, print, records) VALUES(?,?,?,?,?)", source, key, string(it.Kind), []byte(it.Print), it.Records)
}

// Scan is the state's data about a source as a whole.
type Scan struct {
	Listing  []byte // fingerprint of its listing; nil: an item is due
	Shared   []byte // fingerprint of the parts that many items share; nil: compare them
	Vanished int    // number of sessions no longer listed
}

// Scan returns the stored scan of a source.
func (l *Ledger) Scan(source string) (s Scan) {
	l.one([]any{&s.Listing, &s.Shared, &s.Vanished}, "SELECT listing, shared, vanished FROM scans WHERE source=?", source)
	return s
}

// PutScan stores the scan of a source.
func (l *Ledger) PutScan(source string, s Scan) {
	l.run("INSERT OR REPLACE INTO scans(source, listing, shared, vanished) VALUES(?,?,?,?)", source, s.Listing, s.Shared, s.Vanished)
}
