package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Overlay remembers what would be done to the store below it, and shows that.
type Overlay struct {
	below Store

	mu    sync.Mutex
	files map[string]overlaid // by path, those dealt with
	gone  map[string]string   // files that stand below and went: path → [Hash]
}

type overlaid struct {
	packed []byte // the text; nil: nothing stands there
	from   string // where the file stands below; empty: it is new
	was    string // [Hash] of what it holds there
}

func (f overlaid) text() ([]byte, error) {
	text, err := s2.Decode(nil, f.packed)
	if err != nil {
		return nil, fmt.Errorf("read what would be written: %w", err)
	}
	return text, nil
}

// Hash is the hash by which a [Change] tells a file, over all of its bytes.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// NewOverlay lays an overlay above a store.
func NewOverlay(below Store) *Overlay {
	return &Overlay{below: below, files: map[string]overlaid{}, gone: map[string]string{}}
}

func (o *Overlay) find(p string) (f overlaid, known bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f, known = o.files[p]
	if known && f.packed == nil {
		err = &fs.PathError{Op: "open", Path: p, Err: fs.ErrNotExist}
	}
	return f, known, err
}

// Read reads a file as it will be.
func (o *Overlay) Read(p string) (File, error) {
	f, known, err := o.find(p)
	if err != nil {
		return File{}, err
	}
	if !known {
		return o.below.Read(p)
	}
	text, err := f.text()
	return File{Text: text}, err
}

// Stat reports whether a path would exist.
func (o *Overlay) Stat(p string) (note.Stamp, error) {
	if _, known, err := o.find(p); known || err != nil {
		return note.Stamp{}, err
	}
	return o.below.Stat(p)
}

// Create adds a new file.
func (o *Overlay) Create(p string, text []byte) (note.Stamp, error) {
	if _, err := o.Stat(p); !errors.Is(err, fs.ErrNotExist) {
		return note.Stamp{}, cmp.Or(err, ErrTaken)
	}
	o.put(p, overlaid{}, text)
	return note.Stamp{}, nil
}

func (o *Overlay) put(p string, f overlaid, text []byte) {
	f.packed = s2.Encode(nil, text)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.files[p] = f
}

// Replace remembers another text of a file.
func (o *Overlay) Replace(p string, was File, text []byte) (note.Stamp, error) {
	if err := o.check(p, was); err != nil {
		return note.Stamp{}, err
	}
	o.put(p, o.seen(p, was), text)
	return note.Stamp{}, nil
}

// Move remembers another path of a file.
func (o *Overlay) Move(from, to string, was File) (note.Stamp, error) {
	if _, err := o.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		return note.Stamp{}, cmp.Or(err, ErrTaken)
	}
	if err := o.check(from, was); err != nil {
		return note.Stamp{}, err
	}
	o.put(to, o.seen(from, was), was.Text)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.files[from] = overlaid{}
	return note.Stamp{}, nil
}

// Remove records that a file is removed.
func (o *Overlay) Remove(p string, was File) error {
	if err := o.check(p, was); err != nil {
		return err
	}
	f := o.seen(p, was)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.files[p] = overlaid{}
	if f.from != "" {
		o.gone[f.from] = f.was
	}
	return nil
}

func (o *Overlay) check(p string, was File) error {
	now, err := o.Read(p)
	if err == nil && !bytes.Equal(now.Text, was.Text) {
		err = ErrChanged
	}
	return err
}

func (o *Overlay) seen(p string, was File) overlaid {
	o.mu.Lock()
	defer o.mu.Unlock()
	f, known := o.files[p]
	if !known {
		f = overlaid{from: p, was: Hash(was.Text)}
	}
	return f
}

// Change is what becomes of one file by all that was done to it.
type Change struct {
	Path   string
	From   string // where it stands, if it is to be moved
	Was    string // [Hash] of what stands at From or Path; empty: nothing does
	Text   []byte // what is to stand at Path
	Remove bool   // nothing is to stand there; Text is empty
}

// Changes lists by path what differs from the disk below.
func (o *Overlay) Changes() ([]Change, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []Change
	for _, p := range slices.Sorted(maps.Keys(o.files)) {
		f, gone := o.files[p], o.gone[p]
		if f.packed == nil {
			if gone != "" {
				all = append(all, Change{Path: p, Was: gone, Remove: true})
			}
			continue
		}
		text, err := f.text()
		if err != nil {
			return nil, err
		}
		c := Change{Path: p, From: f.from, Was: f.was, Text: text}
		switch f.from {
		case "": // it takes the place of what went
			c.Was = gone
		case p:
			c.From = ""
		}
		if c.From != "" || c.Was != Hash(text) {
			all = append(all, c)
		}
	}
	return all, nil
}
