package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Move gives a file another path. Whatever somebody saves under the old one meanwhile moves
// along, or stays there ([ErrChanged]).
func (d *Disk) Move(from, to string, was File) (note.Stamp, error) {
	old, err := d.dirs.open(path.Dir(from), false)
	if err != nil {
		return note.Stamp{}, err
	}
	defer d.dirs.done(old)
	next, err := d.dirs.open(path.Dir(to), true)
	if err != nil {
		return note.Stamp{}, err
	}
	defer d.dirs.done(next)
	info, err := d.moveFile(old, path.Base(from), next, path.Base(to), was.Text)
	if err != nil {
		return note.Stamp{}, err
	}
	d.leave(old.path)
	d.remember(from)
	d.remember(to)
	return stampOf(info), nil
}

func (d *Disk) moveFile(old *openDir, from string, next *openDir, to string, was []byte) (fs.FileInfo, error) {
	err := d.opt.System.RenameNew(old.dir, from, next.dir, to)
	if errors.Is(err, errors.ErrUnsupported) {
		err = d.moveByLink(old, from, next, to, was)
	}
	if errors.Is(err, fs.ErrExist) {
		err = ErrTaken
	}
	if err != nil {
		return nil, err
	}
	d.dirs.touched(next)
	d.dirs.touched(old)
	info, err := next.root.Lstat(to)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.Join(fmt.Errorf("%q is no regular file any more", from), d.opt.System.RenameNew(next.dir, to, old.dir, from))
	}
	return info, err
}

// moveByLink is the way without such a rename. A second link comes first: nothing that has
// the new name is replaced, and at no moment is the file without a name. Where there are
// no links the name is looked up just before.
func (d *Disk) moveByLink(old *openDir, from string, next *openDir, to string, was []byte) error {
	here, there := path.Join(old.path, from), path.Join(next.path, to)
	err := d.root.Link(here, there)
	if noLinks(err) {
		if next.exists(to) {
			return ErrTaken
		}
		return d.root.Rename(here, there)
	}
	if err != nil {
		return err
	}
	temp := tempName(was, was)
	if err := d.opt.System.Rename(old.root, from, temp); err != nil {
		return errors.Join(err, next.root.Remove(to))
	}
	taken, err := old.root.Lstat(temp)
	if err != nil {
		return err // it is looked at when temporary files are cleared away
	}
	if moved, err := next.root.Lstat(to); err == nil && os.SameFile(taken, moved) {
		return old.root.Remove(temp)
	}
	// Saved anew between the two: what was linked is the text it replaced.
	return errors.Join(ErrChanged, d.renameNew(old, temp, from), next.root.Remove(to))
}
