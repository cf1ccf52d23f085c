package vault

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
)

// How much of a note Find reads: enough for the id, and where any id of ours
// will do enough to see one of our markers below long frontmatter.
const (
	shortHead = 4 << 10
	longHead  = 64 << 10
)

// Find looks for notes of ours that lie elsewhere in the vault, outside of the
// managed folder: id → path from the vault's root. A nil ids stands for any id,
// then the note must show one of our markers. Of two notes with one id the one
// with the shorter path counts, for a copy's name is longer. Only the head of
// each note is read; one that cannot be read is passed over.
func (v *Vault) Find(ctx context.Context, ids map[string]bool) (map[string]string, error) {
	found := map[string]string{}
	buf := make([]byte, longHead)
	err := walk(ctx, v.outer, ".", v.managed, func(p place) error {
		full := p.path()
		if hidden(p.info.Name()) || !isNote(p.info.Name()) || v.managed(p.folder) {
			return nil
		}
		id := headID(p, buf, ids == nil)
		if id == "" || ids != nil && !ids[id] {
			return nil
		}
		if other, ok := found[id]; !ok || cmp.Or(len(full)-len(other), strings.Compare(full, other)) < 0 {
			found[id] = full
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for moved notes: %w", err)
	}
	return found, nil
}

// managed tells of a folder, by its path from the vault's root, that all of it is
// part of the managed one.
func (v *Vault) managed(folder string) bool {
	if v.inner == wholeVault {
		return !v.apart(folder)
	}
	return folder == v.inner
}

// Elsewhere reads a note that Find found, by its path from the vault's root.
func (v *Vault) Elsewhere(p string) (Note, error) {
	if !fs.ValidPath(p) || !isNote(p) {
		return Note{}, fmt.Errorf("path %q: no path of a note", p)
	}
	root, err := v.outer.OpenRoot(path.Dir(p))
	if err != nil {
		return Note{}, fmt.Errorf("read note %q: %w", p, err)
	}
	defer func() { _ = root.Close() }()
	c, err := (&folder{root: root}).readFile(path.Base(p))
	if err != nil {
		return Note{}, fmt.Errorf("read note %q: %w", p, err)
	}
	n := Parse(p, c.text)
	n.Stamp = c.stamp
	return n, nil
}

// headID reads the id of a note, with marked only if a marker of ours stands in
// its head.
func headID(p place, buf []byte, marked bool) string {
	file, err := p.root.OpenFile(p.info.Name(), os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	n, err := io.ReadFull(file, buf[:shortHead])
	id := salvageID(buf[:n])
	if id == "" || !marked {
		return id
	}
	if err == nil {
		var more int
		more, err = io.ReadFull(file, buf[n:])
		n += more
	}
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return ""
	}
	for line := range bytes.Lines(buf[:n]) {
		if looksLikeMarker(line) {
			return id
		}
	}
	return ""
}

// Leftover is a temporary file that an interrupted run left.
type Leftover struct {
	Path    string // where it lay, from the managed folder
	Rescued string // where a text that is not ours was moved to; empty: removed
}

// Sweep clears the temporary files of interrupted runs away, those that the
// last Scan came by. What was written by us, or had been taken in before it was
// replaced, is removed; anything else may be all that is left of a human's edit
// and is moved to the rescue folder. A dry run only lists them. Only the holder
// of the run's lock may call it.
func (v *Vault) Sweep(ctx context.Context) ([]Leftover, error) {
	v.mu.Lock()
	scanned := v.temps != nil
	v.mu.Unlock()
	if !scanned {
		if _, err := v.Scan(ctx); err != nil {
			return nil, err
		}
	}
	v.mu.Lock()
	temps := v.temps
	v.temps = nil
	v.mu.Unlock()
	var all []Leftover
	for _, p := range temps {
		l := Leftover{Path: p}
		if !v.opt.DryRun {
			var err error
			if l.Rescued, err = v.sweepFile(p); err != nil {
				return all, fmt.Errorf("clear temporary file %q away: %w", p, err)
			}
		}
		all = append(all, l)
	}
	return all, nil
}

func (v *Vault) sweepFile(p string) (rescued string, err error) {
	f, err := v.folders.open(path.Dir(p), false)
	if err != nil {
		return "", err
	}
	defer v.folders.done(f)
	return v.sweepIn(f, path.Base(p))
}

func (v *Vault) sweepIn(f *folder, name string) (rescued string, err error) {
	hashes, ok := tempHashes(name)
	c, err := f.readFile(name)
	if err != nil || !ok {
		return "", err
	}
	if hash := textHash(c.text); len(c.text) > 0 && hash != hashes[0] && hash != hashes[1] {
		return v.rescueFile(f, name)
	}
	v.folders.touched(f)
	return "", f.root.Remove(name)
}

// Rescued lists the texts in the rescue folder, from the managed folder: they
// are told of until somebody has looked at them.
func (v *Vault) Rescued(ctx context.Context) ([]string, error) {
	names, err := v.metaNames(rescuedPath)
	if err != nil {
		return nil, fmt.Errorf("list rescued texts: %w", err)
	}
	for i, name := range names {
		names[i] = path.Join(rescuedPath, name)
	}
	return names, canceled(ctx)
}
