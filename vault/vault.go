package vault

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Errors that a caller tells apart.
var (
	// ErrNoVault says that the folder of the vault, or the managed folder in
	// it, does not exist or is no real folder.
	ErrNoVault = errors.New("no vault here")
	// ErrNoMarker says that the managed folder has no .sessionloom/vault.yaml:
	// it is a wrong folder or a disk that is not mounted.
	ErrNoMarker = errors.New("the vault's marker is missing")
	// ErrBadMarker says that the marker stands there and cannot be read.
	ErrBadMarker = errors.New("the vault's marker cannot be read")
	// ErrNewer says that the vault was laid out by a newer version of this
	// program, see [LayoutVersion].
	ErrNewer = errors.New("the vault was laid out by a newer version")
	// ErrTaken says that another file stands where a note was to be created,
	// on some file systems also under a name that differs in case alone.
	ErrTaken = errors.New("the name is taken")
)

// Options of an open vault.
type Options struct {
	DryRun bool      // write nothing at all
	Texts  bool      // fill Result.Old and Result.New
	Rand   io.Reader // of names of temporary files; nil: crypto/rand
}

// Vault is the managed folder of an Obsidian vault; "." is the vault itself, but
// for the folders at its top whose name begins with "_": there tools keep what is
// no page of the vault. Its methods may be called
// from several goroutines as long as no two deal with one note.
type Vault struct {
	opt     Options
	outer   *os.Root // the vault
	inner   string   // the managed folder in it, with slashes
	folders *folders // below the managed folder
	gather  gatherer

	mu     sync.Mutex // guards what follows and opt.Rand
	marker Marker
	buried map[string]bool // names in the tombstone folder, nil: not read yet
	left   map[string]bool // folders that files of ours went from, see Tidy
	temps  []string        // temporary files the last Scan came by, nil: not scanned
	wrote  map[string]bool // paths written, moved or removed since the last TakeWritten

	seams seams
}

// seams are those of tests.
type seams struct {
	// A human or a kill between two steps of a write, a disk
	// that fails, a file system that knows plain renames alone.
	step  func(step)
	sync  func(*os.File) error
	plain bool

	// What follows takes a guard away, so that a test can see its checks fail.
	blind   bool // what came out of a swap is not looked at
	trust   bool // every region counts as untouched
	believe bool // a plan is believed without a look at what stands there
}

// Create makes the vault's folder and the managed folder in it where they are
// missing and writes the marker. A marker that stands there stays.
func Create(dir, folder string, m Marker) error {
	inner, err := cleanFolder(folder)
	if err != nil {
		return err
	}
	if err := makeFolder(dir); err != nil {
		return fmt.Errorf("create vault %q: %w", dir, err)
	}
	outer, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("create vault %q: %w", dir, err)
	}
	defer func() { _ = outer.Close() }()
	root, err := openPlain(outer, inner, true)
	if err != nil {
		return fmt.Errorf("create folder %q in vault %q: %w", folder, dir, err)
	}
	defer func() { _ = root.Close() }()
	v := &Vault{opt: Options{Rand: rand.Reader}, folders: newFolders(root)}
	err = v.createMarker(m)
	return errors.Join(err, v.folders.flush(), v.folders.close())
}

// Open opens the managed folder of a vault. It returns [ErrNoVault] or
// [ErrNoMarker] where there is none, [ErrNewer] where it is not ours to write to.
func Open(dir, folder string, o Options) (*Vault, error) {
	inner, err := cleanFolder(folder)
	if err != nil {
		return nil, err
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	outer, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open vault %q: %w: %w", dir, ErrNoVault, err)
	}
	root, err := openPlain(outer, inner, false)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open folder %q of vault %q: %w: %w", folder, dir, ErrNoVault, err), outer.Close())
	}
	v := &Vault{opt: o, outer: outer, inner: inner, folders: newFolders(root)}
	if v.marker, err = v.readMarker(); err != nil {
		return nil, errors.Join(fmt.Errorf("open vault %q: %w", dir, err), v.Close())
	}
	if v.marker.Layout > LayoutVersion {
		err := fmt.Errorf("%w: its layout is %d, this one knows %d", ErrNewer, v.marker.Layout, LayoutVersion)
		return nil, errors.Join(err, v.Close())
	}
	if !o.DryRun {
		if err := writable(root); err != nil {
			return nil, errors.Join(fmt.Errorf("write to folder %q of vault %q: %w", folder, dir, err), v.Close())
		}
	}
	if o.DryRun {
		v.folders.rehearse(newRehearsal(v.marker))
	}
	return v, nil
}

// Close releases the folders. It flushes nothing, see [Vault.Flush].
func (v *Vault) Close() error {
	return errors.Join(v.folders.close(), v.folders.root.Close(), v.outer.Close())
}

// Flush makes the names written since the last Flush durable: it syncs their
// folders. Until it returned nil no note counts as written.
func (v *Vault) Flush() error { return v.folders.flush() }

// Load reads and parses one note. A file that is gone is [fs.ErrNotExist].
func (v *Vault) Load(p string) (Note, error) {
	text, stamp, err := v.read(p)
	if err != nil {
		return Note{}, fmt.Errorf("load note %q: %w", p, err)
	}
	n := note.Parse(p, text)
	n.Stamp = stamp
	if n.ID != "" && n.Broken == "" && note.CheckPath(p) != nil {
		n.Broken = "its name is one that not every system takes: rename it"
	}
	return n, nil
}

// Text reads the bytes of one note.
func (v *Vault) Text(p string) ([]byte, error) {
	text, _, err := v.read(p)
	if err != nil {
		return nil, fmt.Errorf("read note %q: %w", p, err)
	}
	return text, nil
}

func (v *Vault) read(p string) ([]byte, Stamp, error) {
	if !fs.ValidPath(p) || !note.IsNote(p) || !filepath.IsLocal(filepath.FromSlash(p)) { // of any name: it may be the user's
		return nil, Stamp{}, fmt.Errorf("path %q: no path of a note", p)
	}
	f, err := v.folders.open(path.Dir(p), false)
	if err != nil {
		return nil, Stamp{}, err
	}
	defer v.folders.done(f)
	file, err := f.readFile(path.Base(p))
	return file.text, file.stamp, err
}

// wholeVault is the name of the managed folder where that is the vault itself.
const wholeVault = "."

// cleanFolder checks the name of the managed folder.
func cleanFolder(folder string) (string, error) {
	p := path.Clean(filepath.ToSlash(folder))
	if folder == "" || p != wholeVault && (!fs.ValidPath(p) || note.CheckNames(p) != nil) {
		return "", fmt.Errorf("folder %q: must be a folder inside the vault, without hidden parts", folder)
	}
	return p, nil
}

// canceled is the error of a context that ended, nil while it lasts.
func canceled(ctx context.Context) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
