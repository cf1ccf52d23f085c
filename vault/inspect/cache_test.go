package inspect

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/vault/note"
)

// TestCheckMemoryIsNeverTrustedBroken: a damaged memory is none.
func TestCheckMemoryIsNeverTrustedBroken(t *testing.T) {
	good := someMemory(t)
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 0x55
		if m := decodeCache(bad, " trusting"); len(m.notes) > 0 {
			t.Fatalf("byte %d damaged: %d notes", i, len(m.notes))
		}
		if m := decodeCache(good[:i], " trusting"); len(m.notes) > 0 {
			t.Fatalf("cut at %d: %d notes", i, len(m.notes))
		}
	}
	if m := decodeCache(good, " trusting"); len(m.notes) != 3 {
		t.Errorf("%d notes remembered", len(m.notes))
	}
}

func FuzzRecall(f *testing.F) {
	good := someMemory(f)
	f.Add(good[bytes.IndexByte(good[len(cacheHead):], '\n')+len(cacheHead)+5:])
	f.Fuzz(func(_ *testing.T, rows []byte) {
		r := cacheReader{heap: string(rows), rows: string(rows)}
		for r.rows != "" && !r.failed {
			_ = fmt.Sprint(r.note())
		}
	})
}

// someMemory is what a check remembers of three notes that link to each other.
func someMemory(t testing.TB) []byte {
	t.Helper()
	out, err := Run(t.Context(), texts{
		"s.md":       string(note.Render(someContent())),
		"day.md":     string(note.Render(note.Content{ID: "day:2026-01-02", Body: someContent().Nav})),
		"mine.md":    "---\nid: 7\n---\n[[nowhere]] ![[nothing.png]]\n",
		"views.base": "views:\n  - type: table\n    name: By project\n",
	}, Options{Trusting: true, Now: time.Unix(1, 0)})
	if err != nil || len(out.Memory) == 0 {
		t.Fatal(out, err)
	}
	return out.Memory
}

// texts is a managed folder in memory, that of the whole vault.
type texts map[string]string

func (d texts) List(context.Context) (Listing, error) {
	l := Listing{Folder: "."}
	for _, p := range slices.Sorted(maps.Keys(d)) {
		e := note.Entry{Path: p, Stamp: note.Stamp{Size: int64(len(d[p]))}}
		if note.IsNote(p) {
			l.Notes = append(l.Notes, e)
		} else {
			l.Others = append(l.Others, e)
		}
	}
	return l, nil
}

func (d texts) Read(p string) ([]byte, note.Stamp, error) {
	return []byte(d[p]), note.Stamp{Size: int64(len(d[p]))}, nil
}

func (d texts) Stands(at string) bool { return d[at] != "" }

func (d texts) ReadAt(at string) ([]byte, error) { return []byte(d[at]), nil }
