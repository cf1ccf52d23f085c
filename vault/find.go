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
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
)

// How much of a note Find reads: enough for the id as we place it, and below
// frontmatter that its user sorted, or where any id of ours will do and one of our
// markers is to be seen, as much as the longest frontmatter takes.
const (
	shortHead = 4 << 10
	longHead  = 64 << 10
)

// Find looks for notes of ours that lie elsewhere in the vault, outside of the
// managed folder and of those of other vaults: id → path from the vault's root. A nil ids stands for any id,
// then the note must show one of our markers. Of two notes with one id the one
// with the shorter path counts, for a copy's name is longer. Only the head of
// each note is read; one that cannot be read is passed over. Folders that
// cannot be looked into are named in skipped: a note may lie there.
func (v *Vault) Find(ctx context.Context, ids map[string]bool) (found map[string]string, skipped []string, err error) {
	found = map[string]string{}
	buf := make([]byte, longHead)
	w := &walker{leaveOut: v.managed, passOver: managedByAnother, closed: func(folder string, _ error) { skipped = append(skipped, folder) }}
	w.visit = func(p place) error {
		full := p.path()
		if hidden(p.info.Name()) || !note.IsNote(p.info.Name()) || v.managed(p.folder) {
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
	}
	if err := w.walk(ctx, v.outer); err != nil {
		return nil, nil, fmt.Errorf("look for moved notes: %w", err)
	}
	slices.Sort(skipped)
	return found, skipped, nil
}

// managed tells of a folder, by its path from the vault's root, that all of it is
// part of the managed one.
func (v *Vault) managed(folder string) bool {
	if v.inner == wholeVault {
		return !v.apart(folder)
	}
	return folder == v.inner
}

// managedByAnother tells of a folder that it is the managed one of another vault,
// which lies in this one: its notes may well have the ids of ours.
func managedByAnother(root *os.Root) bool {
	_, err := root.Lstat(path.Join(metaPath, markerFile))
	return err == nil
}

// Elsewhere reads a note that Find found, by its path from the vault's root.
func (v *Vault) Elsewhere(p string) (Note, error) {
	if !fs.ValidPath(p) || !note.IsNote(p) {
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
	n := note.Parse(p, c.text)
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
	for n, most := 0, shortHead; ; most = longHead {
		more, err := io.ReadFull(file, buf[n:most])
		n += more
		whole := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !whole {
			return ""
		}
		head := buf[:n]
		if !whole {
			head = head[:bytes.LastIndexByte(head, '\n')+1]
		}
		id, open := note.SalvageID(head)
		if id != "" && (!marked || note.HoldsMarker(string(head))) {
			return id
		}
		if whole || most == longHead || id == "" && !open {
			return ""
		}
	}
}

// TextOutside reads the bytes of a note that its user moved out of the managed
// folder, in real, visible folders. p counts from the vault's root.
func (v *Vault) TextOutside(p string) ([]byte, error) {
	around := newFolders(v.outer)
	defer func() { _ = around.close() }() // nothing was written
	err := note.CheckPath(p)
	var f *folder
	if err == nil {
		f, err = around.open(path.Dir(p), false)
	}
	if err != nil {
		return nil, fmt.Errorf("read note %q: %w", p, err)
	}
	defer around.done(f)
	c, err := f.readFile(path.Base(p))
	if err != nil {
		return nil, fmt.Errorf("read note %q: %w", p, err)
	}
	return c.text, nil
}
