package vault

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"
)

// headSize is how much of a note Find reads: as much as the longest frontmatter takes.
const headSize = 64 << 10

// Find looks for notes of ours that lie elsewhere in the vault, outside of the
// managed folder and of those of other vaults: id → path from the vault's root. A nil ids stands for any id,
// then the note must show one of our markers. Of two notes with one id the one
// with the shorter path counts, for a copy's name is longer. Only the head of
// each note is read; one that cannot be read is passed over. Folders that
// cannot be looked into are named in skipped: a note may lie there.
func (v *Vault) Find(ctx context.Context, ids map[string]bool) (found map[string]string, skipped []string, err error) {
	found = map[string]string{}
	buf := make([]byte, headSize)
	// The managed folder of another vault, which lies in this one, is passed over: its notes
	// may well have the ids of ours.
	w := store.Walk{LeaveOut: v.managed, PassOver: markerPath, Closed: func(folder string, _ error) { skipped = append(skipped, folder) }}
	w.Visit = func(p store.Found) error {
		full := p.Path()
		if store.Hidden(p.Info.Name()) || !note.IsNote(p.Info.Name()) || v.managed(p.Folder) {
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
	if err := v.outer.Walk(ctx, w); err != nil {
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

// Elsewhere reads a note that Find found, by its path from the vault's root.
func (v *Vault) Elsewhere(p string) (Note, error) {
	if !fs.ValidPath(p) || !note.IsNote(p) {
		return Note{}, fmt.Errorf("path %q: no path of a note", p)
	}
	file, err := v.outer.Read(p)
	if err != nil {
		return Note{}, fmt.Errorf("read note %q: %w", p, err)
	}
	return parse(p, file), nil
}

// headID reads the id of a note, with marked only if a marker of ours stands in
// its head.
func headID(p store.Found, buf []byte, marked bool) string {
	file, err := p.Open()
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	n, err := io.ReadFull(file, buf)
	head := buf[:n]
	switch {
	case err == nil:
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
		return ""
	}
	if marked && !note.HoldsMarker(string(head)) {
		return ""
	}
	return note.SalvageID(head)
}

// TextOutside reads the bytes of a note that its user moved out of the managed
// folder, in real, visible folders. p counts from the vault's root.
func (v *Vault) TextOutside(p string) ([]byte, error) {
	err := note.CheckPath(p)
	var file store.File
	if err == nil {
		file, err = v.outer.Read(p)
	}
	if err != nil {
		return nil, fmt.Errorf("read note %q: %w", p, err)
	}
	return file.Text, nil
}

// ReadFolder reads the files of a folder of the vault that the user keeps for
// us, those whose names end in suffix: text by name. folder is a path from the
// vault's root with slashes, and may be hidden. A link on the way, a file that is
// no regular one or is longer than most bytes is an error, a missing folder
// [fs.ErrNotExist].
func (v *Vault) ReadFolder(folder, suffix string, most int64) (map[string]string, error) {
	if !fs.ValidPath(folder) || !filepath.IsLocal(folder) {
		return nil, fmt.Errorf("folder %q does not lie in the vault", folder)
	}
	names, others, err := v.outer.List(folder)
	if err != nil {
		return nil, fmt.Errorf("list folder %q of the vault: %w", folder, err)
	}
	texts := map[string]string{}
	for _, name := range append(names, others...) {
		if store.Hidden(name) || !strings.HasSuffix(strings.ToLower(name), suffix) {
			continue
		}
		text, err := v.readBounded(path.Join(folder, name), most)
		if err != nil {
			return nil, fmt.Errorf("read %q in folder %q of the vault: %w", name, folder, err)
		}
		texts[name] = text
	}
	return texts, nil
}

func (v *Vault) readBounded(p string, most int64) (string, error) {
	s, err := v.outer.Stat(p)
	if err != nil {
		return "", err
	}
	if s.Size > most {
		return "", fmt.Errorf("it is longer than %d KiB", most>>10)
	}
	file, err := v.outer.Read(p)
	return string(file.Text), err
}
