package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"syscall"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Replace puts a text in the place of what was read. What a human does at the same time survives: as
// the file ([ErrChanged]) or, where a third text came in between, as a rescued one.
func (d *Disk) Replace(p string, was File, text []byte) (note.Stamp, error) {
	f, err := d.openToChange(p, false)
	if err != nil {
		return note.Stamp{}, err
	}
	defer d.dirs.done(f)
	name := path.Base(p)
	t, err := d.writeTemp(f, text, was.Text, was.mode)
	if err != nil {
		return note.Stamp{}, err
	}
	now, err := f.readFile(name)
	if err == nil && !bytes.Equal(now.Text, was.Text) {
		err = ErrChanged
	}
	if err != nil {
		return note.Stamp{}, errors.Join(err, f.root.Remove(t.name))
	}
	out, err := d.swap(f, t.name, name, now)
	if err != nil {
		return note.Stamp{}, errors.Join(err, f.root.Remove(t.name))
	}
	d.dirs.touched(f)
	return d.checkDisplaced(f, name, out, was.Text, text, t)
}

// checkDisplaced looks at what came out of a swap. That name is never removed unseen: what is not
// what was read goes back to its place.
func (d *Disk) checkDisplaced(f *openDir, name, out string, was, text []byte, t temp) (note.Stamp, error) {
	var err error
	if out != "" {
		var file File
		if file, err = f.readDisplaced(out); err == nil && !bytes.Equal(file.Text, was) {
			err = ErrChanged
		}
	}
	if err == nil {
		d.wroteIn(f, name)
		stamp := f.stampAfter(name, t)
		if out != "" {
			err = f.root.Remove(out)
		}
		return stamp, err
	}
	ours, back := d.swap(f, out, name, File{Text: text})
	if back != nil {
		return note.Stamp{}, errors.Join(err, back, d.rescue(f, out))
	}
	file, unread := f.readFile(ours)
	if unread != nil {
		return note.Stamp{}, errors.Join(err, fmt.Errorf("read what %q was replaced for (left as %q): %w", name, ours, unread))
	}
	if bytes.Equal(file.Text, text) {
		return note.Stamp{}, errors.Join(err, f.root.Remove(ours))
	}
	if unsaved := d.rescue(f, ours); unsaved != nil {
		return note.Stamp{}, unsaved
	}
	return note.Stamp{}, err
}

// swap exchanges a temporary file with one of a name, and reports where the latter lies then; empty:
// the file system can neither swap nor link, and it is gone.
//
// Without a swap it looks again and renames over the file. A second link keeps hold of what stands
// there. What an editor puts there between the last look and the rename is lost.
func (d *Disk) swap(f *openDir, temp, name string, seen File) (out string, err error) {
	err = d.opt.System.Swap(f.dir, temp, name)
	if !errors.Is(err, errors.ErrUnsupported) {
		return temp, err
	}
	held, err := d.hold(f, name, seen)
	if err == nil {
		err = d.opt.System.Rename(f.root, temp, name)
	}
	if err != nil && held != "" {
		err = errors.Join(err, f.root.Remove(held))
	}
	return held, err
}

// hold gives a note a second, temporary name if it can; [ErrChanged] if it is another by now.
func (d *Disk) hold(f *openDir, name string, seen File) (string, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return "", err
	}
	if seen.Stamp != (note.Stamp{}) && stampOf(info) != seen.Stamp {
		return "", ErrChanged
	}
	held := tempName(seen.Text, seen.Text)
	if f.root.Link(name, held) != nil {
		_, err := f.root.Lstat(name)
		return "", err // no links here, or no note any more
	}
	now, err := f.root.Lstat(name)
	linked, unseen := f.root.Lstat(held)
	if err = errors.Join(err, unseen); err == nil && (!os.SameFile(now, linked) || !os.SameFile(info, linked)) {
		err = ErrChanged
	}
	return held, err
}

func (d *Disk) rescue(f *openDir, name string) error {
	_, err := d.rescueFile(f, name)
	if err != nil {
		return fmt.Errorf("rescue %q (it stays where it is): %w", path.Join(f.path, name), err)
	}
	return nil
}

func (d *Disk) rescueFile(f *openDir, name string) (string, error) {
	c, err := f.readFile(name)
	if err != nil {
		return "", err
	}
	to, err := d.dirs.open(d.opt.Rescued, true)
	if err != nil {
		return "", err
	}
	defer d.dirs.done(to)
	saved := RescuedName(d.opt.Rescued, c.Text)
	if _, err := d.create(to, path.Base(saved), c.Text); err != nil && !errors.Is(err, ErrTaken) {
		return "", err
	}
	if err := syncFolder(to.dir); err != nil { // it is there to last
		return "", err
	}
	d.dirs.touched(f)
	return saved, f.root.Remove(name)
}

// RescuedName is where a text is in the folder of rescued texts.
func RescuedName(folder string, text []byte) string { return path.Join(folder, note.Hash(text)+".md") }

// CleanTemp clears a temporary file away. What may be all that is left of a human's edit is rescued,
// and it tells where.
func (d *Disk) CleanTemp(p string) (rescued string, err error) {
	f, err := d.dirs.open(path.Dir(p), false)
	if err == nil {
		rescued, err = d.cleanTemp(f, path.Base(p))
		d.dirs.done(f)
	}
	if err != nil {
		return "", fmt.Errorf("clear temporary file %q away: %w", p, err)
	}
	return rescued, nil
}

func (d *Disk) cleanTemp(f *openDir, name string) (rescued string, err error) {
	hashes, ok := tempHashes(name)
	c, err := f.readFile(name)
	if ok && errors.Is(err, ErrTooLarge) {
		return d.rescueFile(f, name)
	}
	if err != nil || !ok {
		return "", err
	}
	noBytes := len(bytes.Trim(c.Text, "\x00")) == 0 // a power failure leaves NULs where the text had not reached the disk
	if hash := note.Hash(c.Text); !noBytes && hash != hashes[0] && hash != hashes[1] {
		return d.rescueFile(f, name)
	}
	d.dirs.touched(f)
	return "", f.root.Remove(name)
}

// Move renames a file and keeps what is saved into it meanwhile; otherwise it returns [ErrChanged].
func (d *Disk) Move(from, to string, was File) (note.Stamp, error) {
	old, err := d.openToChange(from, false)
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
	if err := d.rename(old, from, next, to, was); err != nil {
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

// rename gives a file a free name, or returns [ErrTaken].
func (d *Disk) rename(old *openDir, from string, next *openDir, to string, was []byte) error {
	err := d.opt.System.RenameNew(old.dir, from, next.dir, to)
	if errors.Is(err, errors.ErrUnsupported) {
		err = d.renameByLink(old, from, next, to, was)
	}
	if errors.Is(err, fs.ErrExist) {
		return ErrTaken
	}
	return err
}

// renameByLink makes a second link first: nothing is replaced, and the file always has a name. Where
// there are no links the name is looked up just before.
func (d *Disk) renameByLink(old *openDir, from string, next *openDir, to string, was []byte) error {
	here, there := path.Join(old.path, from), path.Join(next.path, to)
	err := d.root.Link(here, there)
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EPERM) { // the file system has no second links
		if next.exists(to) {
			return ErrTaken
		}
		return d.root.Rename(here, there)
	}
	if err != nil {
		return err
	}
	if IsTemp(from) { // nobody else knows of it
		return old.root.Remove(from)
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
	// Saved again between the two: the link holds the text that was replaced.
	return errors.Join(ErrChanged, d.rename(old, temp, old, from, was), next.root.Remove(to))
}
