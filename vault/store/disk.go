// Package store keeps the files of one folder: on the disk, so that each is whole at any
// moment and what somebody saves meanwhile survives, or in memory above the disk, so that
// what a run would write can be looked at. It knows files, and nothing of what is in them.
package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Disk is a folder of the disk with all below it. No link is followed on the way to a file.
type Disk struct {
	opt  Options
	at   string // where the folder lies
	root *os.Root
	dirs *dirCache
	sync batcher

	guard func() error // see Guard

	mu    sync.Mutex // guards what follows
	left  map[string]bool
	wrote map[string]bool
}

// OpenDisk opens a folder.
func OpenDisk(at string, o Options) (*Disk, error) {
	root, err := os.OpenRoot(at)
	if err != nil {
		return nil, err
	}
	return newDisk(at, root, o), nil
}

func newDisk(at string, root *os.Root, o Options) *Disk {
	if o.System == nil {
		o.System = new(ThisSystem())
	}
	return &Disk{opt: o, at: at, root: root, dirs: newDirCache(root), left: map[string]bool{}, wrote: map[string]bool{}}
}

// Sub opens a folder of the disk's; create makes it, durably.
func (d *Disk) Sub(inner string, create bool) (*Disk, error) {
	root, err := openPlain(d.root, inner, create)
	if err != nil {
		return nil, err
	}
	return newDisk(filepath.Join(d.at, filepath.FromSlash(inner)), root, d.opt), nil
}

// Path is the path at which the folder was opened.
func (d *Disk) Path() string { return d.at }

// Close releases the folders. It flushes nothing, see [Disk.Flush].
func (d *Disk) Close() error { return errors.Join(d.dirs.close(), d.root.Close()) }

// Flush makes changed names durable. Until it returned nil nothing counts as written.
func (d *Disk) Flush() error { return d.dirs.flush() }

// FlushFolder makes the names in the folder of a file durable.
func (d *Disk) FlushFolder(p string) error {
	f, err := d.dirs.open(path.Dir(p), false)
	if err != nil {
		return err
	}
	defer d.dirs.done(f)
	return syncFolder(f.dir)
}

// Writable explains why nothing can be written in the folder, nil if it can.
func (d *Disk) Writable() error { return writable(d.root) }

// InPlace explains why the folder is no longer where it was opened, nil if it is.
func (d *Disk) InPlace() error {
	info, err := os.Lstat(d.at)
	if err != nil {
		return err
	}
	if opened, err := d.root.Stat("."); err != nil || !os.SameFile(info, opened) {
		return errors.Join(fmt.Errorf("another folder stands at %q", d.at), err)
	}
	return nil
}

// Read reads a file.
func (d *Disk) Read(p string) (File, error) {
	f, err := d.dirs.open(path.Dir(p), false)
	if err != nil {
		return File{}, err
	}
	defer d.dirs.done(f)
	return f.readFile(path.Base(p))
}

// Stat reports whether a path exists.
func (d *Disk) Stat(p string) (note.Stamp, error) {
	f, err := d.dirs.open(path.Dir(p), false)
	if err != nil {
		return note.Stamp{}, err
	}
	defer d.dirs.done(f)
	info, err := f.root.Lstat(path.Base(p))
	if err != nil {
		return note.Stamp{}, err
	}
	return stampOf(info), nil
}

// List lists the regular files of a folder and what else is in it, each sorted.
func (d *Disk) List(folder string) (files, others []string, err error) {
	f, err := d.dirs.open(folder, false)
	if err != nil {
		return nil, nil, err
	}
	defer d.dirs.done(f)
	dir, err := f.root.Open(".")
	if err != nil {
		return nil, nil, err
	}
	list, err := dir.ReadDir(-1)
	for _, e := range list {
		if e.Type().IsRegular() {
			files = append(files, e.Name())
		} else {
			others = append(others, e.Name())
		}
	}
	slices.Sort(files)
	slices.Sort(others)
	return files, others, errors.Join(err, dir.Close())
}

// Guard has every change of a file ask first: an error refuses it.
func (d *Disk) Guard(refuses func() error) { d.guard = refuses }

// openToChange opens the folder of a file that is about to be changed.
func (d *Disk) openToChange(p string, create bool) (*openDir, error) {
	if d.guard != nil {
		if err := d.guard(); err != nil {
			return nil, err
		}
	}
	return d.dirs.open(path.Dir(p), create)
}

// Create makes a file.
func (d *Disk) Create(p string, text []byte) (note.Stamp, error) {
	f, err := d.openToChange(p, true)
	if err != nil {
		return note.Stamp{}, err
	}
	defer d.dirs.done(f)
	return d.create(f, path.Base(p), text)
}

func (d *Disk) create(f *openDir, name string, text []byte) (note.Stamp, error) {
	if f.exists(name) {
		return note.Stamp{}, ErrTaken
	}
	t, err := d.writeTemp(f, text, nil, 0)
	if err != nil {
		return note.Stamp{}, err
	}
	if err := d.rename(f, t.name, f, name, text); err != nil {
		return note.Stamp{}, errors.Join(err, f.root.Remove(t.name))
	}
	d.dirs.touched(f)
	d.wroteIn(f, name)
	return f.stampAfter(name, t), nil
}

// Remove takes the file out of sight first and removes it only if it is what was read; else
// it goes back, or to the folder of rescued texts.
func (d *Disk) Remove(p string, was File) error {
	f, err := d.openToChange(p, false)
	if err != nil {
		return err
	}
	defer d.dirs.done(f)
	name := path.Base(p)
	temp := tempName(was.Text, was.Text)
	if err := d.rename(f, name, f, temp, was.Text); err != nil {
		return err
	}
	d.dirs.touched(f)
	out, err := f.readDisplaced(temp)
	if err == nil && bytes.Equal(out.Text, was.Text) {
		d.leave(f.path)
		d.wroteIn(f, name)
		return f.root.Remove(temp)
	}
	if err == nil {
		err = ErrChanged
	}
	back := d.rename(f, temp, f, name, nil)
	if errors.Is(back, ErrTaken) { // by what was saved there meanwhile
		back = d.rescue(f, temp)
	}
	return errors.Join(err, back)
}

// TakeWritten lists the paths at which files were written, moved or removed since it was
// asked last. Rescued texts are not among them: they are for a human to look at.
func (d *Disk) TakeWritten() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	paths := slices.Sorted(maps.Keys(d.wrote))
	clear(d.wrote)
	return paths
}

func (d *Disk) wroteIn(f *openDir, name string) { d.remember(path.Join(f.path, name)) }

func (d *Disk) remember(p string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.opt.Rescued == "" || !strings.HasPrefix(p, d.opt.Rescued+"/") {
		d.wrote[p] = true
	}
}

// Errors that callers distinguish; for a missing file it is [fs.ErrNotExist].
var (
	// ErrTaken means that another file has the name that a file was to get, on some file
	// systems also one that differs in case alone.
	ErrTaken = errors.New("the name is taken")
	// ErrChanged means that a file is no longer what was read: somebody saved it meanwhile.
	// Nothing of that was lost; the caller reads it again.
	ErrChanged = errors.New("the note was changed meanwhile")
	// ErrTooLarge means that a file is larger than anything we write. It is not read.
	ErrTooLarge = note.ErrTooLarge
)

// Store holds files by their paths. No two goroutines may deal with one file.
type Store interface {
	// Read reads a regular file of at most [note.MaxSize] bytes, or [ErrTooLarge].
	Read(path string) (File, error)
	// Stat reports whether something is at a path, and its stamp.
	Stat(path string) (note.Stamp, error)
	// Create makes a file and the folders on the way; [ErrTaken] if something is there.
	Create(path string, text []byte) (note.Stamp, error)
	// Replace puts a text in the place of what was read, or [ErrChanged].
	Replace(path string, was File, text []byte) (note.Stamp, error)
	// Move renames a file that was read, and keeps all that is saved into it meanwhile.
	Move(from, to string, was File) (note.Stamp, error)
	// Remove deletes a file if it still holds what was read; otherwise it returns [ErrChanged].
	Remove(path string, was File) error
}

// File is a file as it was read. Only a store makes one.
type File struct {
	Text  []byte
	Stamp note.Stamp // empty of a file that is not on the disk
	mode  fs.FileMode
}

// System is what a write needs of the operating system. Tests replace it.
type System struct {
	// Swap exchanges two files of a folder in one step; [errors.ErrUnsupported] where the
	// file system cannot.
	Swap func(dir *os.File, a, b string) error
	// RenameNew gives a file a name that nobody has, maybe in another folder;
	// [errors.ErrUnsupported] where the file system cannot.
	RenameNew func(dir *os.File, from string, into *os.File, to string) error
	// Rename gives a file another name of its folder, whoever has it.
	Rename func(dir *os.Root, from, to string) error
	// Sync has the bytes of a file be on the disk.
	Sync func(*os.File) error
}

// ThisSystem is the operating system that we run on.
func ThisSystem() System {
	return System{
		Swap: swapNames, RenameNew: renameNoReplace, Rename: (*os.Root).Rename,
		Sync: func(f *os.File) error { return tolerate(f.Sync()) },
	}
}

// Options of a [Disk].
type Options struct {
	System  *System // nil: [ThisSystem]
	Rescued string  // folder of texts that could not be placed without losing something
}
