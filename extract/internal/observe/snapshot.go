package observe

import (
	"context"
	"crypto/sha256"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault"
)

// Snapshot is the managed folder as it stands, with the notes of ours elsewhere in the
// vault.
type Snapshot struct {
	Files     map[string]vault.Stamp // by path from the managed folder
	Elsewhere map[string]vault.Stamp // by path from the vault's root

	entries  []vault.Entry
	searched bool // notes of ours elsewhere were looked for once
}

// TakeSnapshot looks at the managed folder, and at the notes of ours elsewhere that
// the last run listed.
func TakeSnapshot(ctx context.Context, v *vault.Vault, l *ledger.Ledger) (s Snapshot, err error) {
	if s.entries, err = v.Scan(ctx); err != nil {
		return s, err
	}
	changed, err := v.Unlink(func(p string) (bool, error) {
		_, known, err := l.NoteAt(p)
		return known, err
	})
	if err == nil && changed {
		s.entries, err = v.Scan(ctx)
	}
	if err != nil {
		return s, err
	}
	s.Files = make(map[string]vault.Stamp, len(s.entries))
	for _, e := range s.entries {
		s.Files[e.Path] = e.Stamp
	}
	s.Elsewhere, s.searched = LoadElsewhere(l, v)
	return s, nil
}

// Fingerprint sums a snapshot up.
func (s Snapshot) Fingerprint() []byte {
	h := sha256.New()
	var b []byte
	for i, files := range []map[string]vault.Stamp{s.Files, s.Elsewhere} {
		for _, path := range slices.Sorted(maps.Keys(files)) {
			s := files[path]
			b = append(append(append(b[:0], byte(i)), path...), 0)
			b = ledger.AppendStamp(b, sources.Stamp{Size: s.Size, MTime: s.MTime, CTime: s.CTime, Inode: s.Inode})
			h.Write(b)
		}
	}
	return h.Sum(nil)
}

// LoadElsewhere looks at the notes of ours that are known to lie elsewhere in the vault,
// and tells whether they were ever looked for.
func LoadElsewhere(l *ledger.Ledger, v *vault.Vault) (at map[string]vault.Stamp, searched bool) {
	at = map[string]vault.Stamp{}
	for _, r := range ledger.Got(l.NotesInState(ledger.MovedOut)) {
		n, _ := v.Elsewhere(r.Path) // one that cannot be read has no stamp: that is another than last time
		at[r.Path] = n.Stamp
	}
	return at, len(ledger.Got(l.Value(ledger.Searched))) > 0
}
