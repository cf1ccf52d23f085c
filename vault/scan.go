package vault

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/inspect"
	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"
)

// Entry is one file found by a scan.
type Entry = note.Entry

// listing is what is in the managed folder, sorted, without hidden files and links.
type listing struct {
	notes, others []Entry
	temps         []string    // temporary files of ours
	linked        [][2]string // notes with two names
}

func (v *Vault) list(ctx context.Context) (l listing, err error) {
	first := map[Stamp]string{} // one name of each note that has several
	look := func(p store.Found) error {
		name, e := p.Info.Name(), Entry{Path: p.Path(), Stamp: p.Stamp()}
		switch {
		case store.IsTemp(name):
			l.temps = append(l.temps, e.Path)
		case store.Hidden(name):
		case !note.IsNote(name):
			l.others = append(l.others, e)
		default:
			l.notes = append(l.notes, e)
			if !p.Linked() {
				break
			}
			if other, twice := first[e.Stamp]; twice {
				l.linked = append(l.linked, [2]string{other, e.Path})
			}
			first[e.Stamp] = e.Path
		}
		return nil
	}
	if err := v.disk.Walk(ctx, store.Walk{LeaveOut: v.apart, Visit: look}); err != nil {
		return listing{}, fmt.Errorf("scan the vault: %w", err)
	}
	byPath := func(a, b Entry) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(l.notes, byPath)
	slices.SortFunc(l.others, byPath)
	slices.Sort(l.temps)
	return l, nil
}

// Scan lists every note by names and stamps alone, and remembers temporary files for CleanTemp.
func (v *Vault) Scan(ctx context.Context) ([]Entry, error) {
	l, err := v.list(ctx)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	v.scanned, v.temps, v.linked = true, l.temps, l.linked
	v.mu.Unlock()
	return l.notes, nil
}

// Unlink takes one of two names from each note of ours that the last Scan found under two, if known
// tells of one alone: a run was killed as it moved it. Its caller holds the run's lock.
func (v *Vault) Unlink(known func(p string) (bool, error)) (done bool, err error) {
	v.mu.Lock()
	linked := v.linked
	v.linked = nil
	v.mu.Unlock()
	for _, names := range linked {
		first, err := known(names[0])
		second, failed := known(names[1])
		if err = errors.Join(err, failed); err != nil {
			return done, err
		}
		if first == second || v.dry != nil {
			continue
		}
		if first {
			names[0], names[1] = names[1], names[0]
		}
		was, err := v.disk.Read(names[0])
		stays, failed := v.disk.Read(names[1])
		if err = errors.Join(err, failed); err == nil && bytes.Equal(was.Text, stays.Text) && note.HoldsMarker(string(was.Text)) {
			done, err = true, v.disk.Remove(names[0], was)
		}
		if err != nil {
			return done, fmt.Errorf("take the name %q from a note that has another: %w", names[0], err)
		}
	}
	return done, nil
}

// Files lists what is not a note, but for files too large to be ours.
func (v *Vault) Files(ctx context.Context) ([]string, error) {
	l, err := v.list(ctx)
	all := []string{}
	for _, e := range l.others {
		if e.Stamp.Size <= note.MaxSize {
			all = append(all, e.Path)
		}
	}
	return all, err
}

// apart reports whether a folder inside the managed one is not part of it.
func (v *Vault) apart(folder string) bool {
	return v.inner == wholeVault && strings.HasPrefix(folder, "_")
}

// headSize is how much of a note Find reads: as much as the longest frontmatter takes.
const headSize = 64 << 10

// Find looks for notes of ours elsewhere in the vault: id → path from its root. A nil ids is any id
// of a note with a marker. Of two the shorter path counts, for a copy's name is longer. Only heads
// are read. Folders that cannot be looked into are named in skipped.
func (v *Vault) Find(ctx context.Context, ids map[string]bool) (found map[string]string, skipped []string, err error) {
	found = map[string]string{}
	buf := make([]byte, headSize)
	// The managed folder of another vault, which is in this one, is passed over: its notes
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

// managed reports whether a whole folder is part of the managed one.
func (v *Vault) managed(folder string) bool {
	if v.inner == wholeVault {
		return !v.apart(folder)
	}
	return folder == v.inner
}

// Elsewhere reads a note that Find found.
func (v *Vault) Elsewhere(p string) (n Note, text []byte, err error) {
	defer annotate(&err, "read note", p)
	if !fs.ValidPath(p) || !note.IsNote(p) || strings.Contains("/"+p, "/.") {
		return Note{}, nil, errors.New("no path of a note")
	}
	file, err := v.outer.Read(p)
	if err != nil {
		return Note{}, nil, err
	}
	return parse(p, file), file.Text, nil
}

// headID reads the id of a note, with marked only if its head has a marker.
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

// ReadFolder reads the files with a suffix of a folder that the user keeps for us, by name. A link, a
// special file or one of more than most bytes is an error, a missing folder [fs.ErrNotExist].
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
		file, err := v.outer.Read(path.Join(folder, name))
		if err == nil && int64(len(file.Text)) > most {
			err = fmt.Errorf("it is longer than %d KiB", most>>10)
		}
		if err != nil {
			return nil, fmt.Errorf("read %q in folder %q of the vault: %w", name, folder, err)
		}
		texts[name] = string(file.Text)
	}
	return texts, nil
}

// Inspect looks at every note of ours and what the notes link to. It writes nothing.
func (v *Vault) Inspect(ctx context.Context, o inspect.Options) (inspect.Report, error) {
	l, err := v.list(ctx)
	if err != nil {
		return inspect.Report{}, err
	}
	odd, err := v.unexpected()
	if err != nil {
		return inspect.Report{}, err
	}
	read := func(p string) ([]byte, Stamp, error) {
		file, err := v.files.Read(p)
		return file.Text, file.Stamp, err
	}
	stands := func(at string) bool {
		_, err := v.outer.Stat(at)
		return err == nil || errors.Is(err, fs.ErrPermission) // of what we may not look at nothing bad is said
	}
	return inspect.Run(ctx, inspect.Vault{Folder: v.inner, Notes: l.notes, Others: l.others, Temps: l.temps,
		Unexpected: odd, Read: read, Stands: stands}, o)
}

// unexpected lists what lies among our records and is none, but for the user's templates.
func (v *Vault) unexpected() ([]string, error) {
	files, others, err := v.disk.List(metaPath)
	if err != nil {
		return nil, err
	}
	var odd []string
	known := []string{markerFile, path.Base(tombstonesPath), path.Base(rescuedPath), path.Base(distilledPath), "templates"}
	for _, name := range append(files, others...) {
		if !slices.Contains(known, name) && !store.Hidden(name) {
			odd = append(odd, path.Join(metaPath, name))
		}
	}
	stones, err := v.metaNames(tombstonesPath)
	for _, name := range stones {
		if _, bad := hex.DecodeString(name); bad != nil || len(name) != len(tombstone("")) {
			odd = append(odd, path.Join(tombstonesPath, name))
		}
	}
	said, failed := v.metaNames(distilledPath)
	for _, name := range said {
		if !distilledName.MatchString(name) {
			odd = append(odd, path.Join(distilledPath, name))
		}
	}
	return odd, errors.Join(err, failed)
}
