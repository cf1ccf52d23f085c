package store

import (
	"github.com/sessionloom/sessionloom/vault/note"

	"bytes"
	"errors"
	"fmt"
	"os"
)

// replaceByLink is the way without a swap: look again, then rename over it. A
// second link keeps hold of what stands there, where the file system has links,
// so that what is saved into it meanwhile is seen afterwards. What an editor puts
// in its place in the moment between the last look and the rename is lost.
func (d *Disk) replaceByLink(f *openDir, name string, seen File, t temp, text []byte) (note.Stamp, error) {
	held, err := d.hold(f, name, seen)
	if err == nil {
		if err = d.opt.System.Rename(f.root, t.name, name); err == nil {
			d.dirs.touched(f)
			return d.checkHeld(f, name, held, seen.Text, text, t)
		}
	}
	if held != "" {
		err = errors.Join(err, f.root.Remove(held))
	}
	return note.Stamp{}, errors.Join(err, f.root.Remove(t.name))
}

// hold gives a note a second, temporary name, empty where that cannot be done,
// and sees that it is still as it was read: else [ErrChanged].
func (d *Disk) hold(f *openDir, name string, seen File) (string, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return "", err
	}
	if stampOf(info) != seen.Stamp {
		return "", ErrChanged
	}
	held, err := d.tempName(seen.Text, seen.Text)
	if err != nil {
		return "", err
	}
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

// checkHeld looks at what was renamed over.
func (d *Disk) checkHeld(f *openDir, name, held string, was, text []byte, t temp) (note.Stamp, error) {
	stamp := f.stampAfter(name, t)
	if held == "" {
		d.wroteIn(f, name)
		return stamp, nil
	}
	out, err := f.readDisplaced(held)
	if err == nil && bytes.Equal(out.Text, was) {
		d.wroteIn(f, name)
		return stamp, f.root.Remove(held)
	}
	if err != nil && !errors.Is(err, ErrChanged) {
		return note.Stamp{}, fmt.Errorf("read what %q was replaced for (left as %q): %w", name, held, err)
	}
	// A text of a human's goes back, unless they have saved another since.
	if now, err := f.readFile(name); err != nil || !bytes.Equal(now.Text, text) {
		return note.Stamp{}, errors.Join(ErrChanged, d.rescue(f, held))
	}
	return note.Stamp{}, errors.Join(ErrChanged, f.root.Rename(held, name))
}
