// Package vault keeps markdown notes on disk without harm to what a human
// wrote: it names them, takes them apart, renews the parts that are ours and
// writes them so that at every moment a path holds complete old or complete new
// bytes. It knows nothing of sessions.
//
// How the text of a note is made, and how what is ours in it is distinguished from what is
// its user's, is in package note; what a note says that both changed is
// decided in package merge. Here is what touches the disk.
package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"sync"

	"github.com/sessionloom/sessionloom/vault/note"
	"github.com/sessionloom/sessionloom/vault/store"
)

var (
	// ErrNoVault means that the folder of the vault, or the managed folder in
	// it, does not exist or is no real folder.
	ErrNoVault = errors.New("no vault here")
	// ErrNoMarker means that the managed folder has no .sessionloom/vault.yaml:
	// it is a wrong folder or a disk that is not mounted.
	ErrNoMarker = errors.New("the vault's settings file .sessionloom/vault.yaml is missing")
	// ErrBadMarker means that the marker exists and cannot be read.
	ErrBadMarker = errors.New("the vault's settings file .sessionloom/vault.yaml cannot be read")
	// ErrNewer means that the vault was laid out by a newer version of this
	// program, see [LayoutVersion].
	ErrNewer = errors.New("the vault was laid out by a newer version")
	// ErrTaken means that another file stands where a note was to be created,
	// on some file systems also under a name that differs in case alone.
	ErrTaken = store.ErrTaken
)

// Options of an open vault.
type Options struct {
	DryRun bool          // write nothing at all
	Texts  bool          // fill Result.Old and Result.New
	System *store.System // nil: this one
}

// Vault is the managed folder of an Obsidian vault; "." is the vault, but for folders at its top
// that begin with "_", which tools keep. No two goroutines may deal with one note.
type Vault struct {
	opt   Options
	inner string      // the managed folder, from the vault's root, with slashes
	outer *store.Disk // the vault
	disk  *store.Disk // the managed folder
	dry   *dryRun     // what a dry run would have done; else nil
	files store.Store // the disk, or that of the dry run: all that is read and written goes through it

	mu         sync.Mutex // guards what follows
	marker     Marker
	tombstones map[string]bool // names in the tombstone folder, nil: not read yet
	scanned    bool
	temps      []string    // temporary files the last Scan came by
	linked     [][2]string // notes with two names that the last Scan came by
}

// Create makes the managed folder and writes the marker, where they are missing.
func Create(dir, folder string, m Marker) error {
	inner, err := cleanFolder(folder)
	if err != nil {
		return err
	}
	if err := store.MakeFolder(dir); err != nil {
		return fmt.Errorf("create vault %q: %w", dir, err)
	}
	outer, err := store.OpenDisk(dir, store.Options{})
	if err != nil {
		return fmt.Errorf("create vault %q: %w", dir, err)
	}
	defer func() { _ = outer.Close() }()
	disk, err := outer.Sub(inner, true)
	if err != nil {
		return fmt.Errorf("create folder %q in vault %q: %w", folder, dir, err)
	}
	if _, err = disk.Create(markerPath, markerText(m)); errors.Is(err, ErrTaken) {
		err = nil
	} else if err != nil {
		err = fmt.Errorf("create the vault's settings file: %w", err)
	}
	return errors.Join(err, disk.Flush(), disk.Close())
}

// Open opens the managed folder, or [ErrNoVault], [ErrNoMarker] or [ErrNewer].
func Open(dir, folder string, o Options) (*Vault, error) {
	inner, err := cleanFolder(folder)
	if err != nil {
		return nil, err
	}
	outer, err := store.OpenDisk(dir, store.Options{System: o.System, Rescued: rescuedPath})
	if err != nil {
		return nil, fmt.Errorf("open vault %q: %w", dir, noVault(err))
	}
	disk, err := outer.Sub(inner, false)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open folder %q of vault %q: %w", folder, dir, noVault(err)), outer.Close())
	}
	v := &Vault{opt: o, inner: inner, outer: outer, disk: disk, files: disk}
	if v.marker, err = v.readMarker(); err != nil {
		return nil, errors.Join(fmt.Errorf("open vault %q: %w", dir, err), v.Close())
	}
	if v.marker.Layout > LayoutVersion {
		err := fmt.Errorf("%w: its layout is %d, this one knows %d", ErrNewer, v.marker.Layout, LayoutVersion)
		return nil, errors.Join(err, v.Close())
	}
	if o.DryRun {
		v.dry = &dryRun{Overlay: store.NewOverlay(disk), began: maps.Clone(v.marker.Settings)}
		v.files = v.dry
	} else if err := disk.Writable(); err != nil {
		return nil, errors.Join(fmt.Errorf("write to folder %q of vault %q: %w", folder, dir, err), v.Close())
	}
	return v, nil
}

// noVault is why a folder could not be opened: there is none, or it may not be read.
func noVault(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrNoVault, err)
}

// Close releases the folders. It flushes nothing, see [Vault.Flush].
func (v *Vault) Close() error { return errors.Join(v.disk.Close(), v.outer.Close()) }

// Guard has every change of a file ask first: an error refuses it.
func (v *Vault) Guard(refuses func() error) { v.disk.Guard(refuses) }

// Flush makes written names durable. Until it returned nil no note counts as written.
func (v *Vault) Flush() error { return v.disk.Flush() }

// TakeWritten is [store.Disk.TakeWritten]; none in a dry run.
func (v *Vault) TakeWritten() []string { return v.disk.TakeWritten() }

// step does something to one file.
func (v *Vault) step(ctx context.Context, what, p string, do func() (Result, error)) (Result, error) {
	if err := canceled(ctx); err != nil {
		return Result{Outcome: Failed, Path: p}, err
	}
	r, err := do()
	if err != nil {
		return Result{Outcome: Failed, Path: p}, fmt.Errorf("%s %q: %w", what, p, err)
	}
	if !v.opt.Texts {
		r.Old, r.New = nil, nil
	}
	return r, nil
}

// FromRoot marks a path as one from the vault's root.
func FromRoot(p string) string { return "/" + p }

// Tidy removes empty folders, see [store.Disk.Tidy]; a dry run none.
func (v *Vault) Tidy(earlier ...string) (stay []string, err error) {
	if v.dry != nil {
		return nil, nil
	}
	return v.disk.Tidy(earlier...)
}

// Load reads and parses one note. A file that is gone is [fs.ErrNotExist].
func (v *Vault) Load(p string) (n Note, err error) {
	defer annotate(&err, "load note", p)
	file, err := v.read(p)
	if err != nil {
		return Note{}, err
	}
	n = parse(p, file)
	if n.ID != "" && n.Broken == "" && note.CheckPath(p) != nil {
		n.Broken = "its name is one that not every system takes: rename it"
	}
	return n, nil
}

// Text reads the bytes of one note.
func (v *Vault) Text(p string) (text []byte, err error) {
	defer annotate(&err, "read note", p)
	file, err := v.read(p)
	return file.Text, err
}

func (v *Vault) read(p string) (store.File, error) {
	if !fs.ValidPath(p) || !note.IsNote(p) || !filepath.IsLocal(filepath.FromSlash(p)) { // of any name: it may be the user's
		return store.File{}, fmt.Errorf("path %q: no path of a note", p)
	}
	return v.files.Read(p)
}

func parse(p string, file store.File) Note {
	n := note.Parse(p, file.Text)
	n.Stamp = file.Stamp
	return n
}

// wholeVault is the name of the managed folder where that is the vault itself.
const wholeVault = "."

func cleanFolder(folder string) (string, error) {
	p := path.Clean(filepath.ToSlash(folder))
	if folder == "" || p != wholeVault && (!fs.ValidPath(p) || note.CheckNames(p) != nil) {
		return "", fmt.Errorf("folder %q: must be a folder inside the vault, without hidden parts", folder)
	}
	return p, nil
}

// annotate adds to an error the operation and the file.
func annotate(err *error, what, p string) {
	if *err != nil {
		*err = fmt.Errorf("%s %q: %w", what, p, *err)
	}
}

// canceled is the error of a context that ended, nil while it lasts.
func canceled(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// PageVersion is the version of generated pages, see [note.Version].
const PageVersion = note.Version

// LayoutVersion is that of names and places of the notes. A vault with a newer one is not opened:
// notes would be written where the newer version does not look.
const LayoutVersion = 1
