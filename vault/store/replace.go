package store

import (
	"bytes"
	"errors"
	"fmt"
	"path"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Replace puts a new text in the place of a file that was read before. Whatever
// a human does to the file at the same time survives: as the file itself
// ([ErrChanged]) or, where a third text came in between, in the folder of rescued texts.
func (d *Disk) Replace(p string, was File, text []byte) (note.Stamp, error) {
	f, err := d.dirs.open(path.Dir(p), false)
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
	err = d.opt.System.Swap(f.dir, t.name, name)
	if errors.Is(err, errors.ErrUnsupported) {
		return d.replaceByLink(f, name, now, t, text)
	}
	if err != nil {
		return note.Stamp{}, errors.Join(err, f.root.Remove(t.name))
	}
	d.dirs.touched(f)
	return d.checkDisplaced(f, name, was.Text, text, t)
}

// checkDisplaced looks at what came out of a swap, which lies under the
// temporary name now. From here on that name is never removed unseen. What is
// not what was read goes back to its place: a text of a human's, and a folder
// or link that they put there.
func (d *Disk) checkDisplaced(f *openDir, name string, was, text []byte, t temp) (note.Stamp, error) {
	out, err := f.readDisplaced(t.name)
	if err == nil && bytes.Equal(out.Text, was) {
		d.wroteIn(f, name)
		return f.stampAfter(name, t), f.root.Remove(t.name)
	}
	if back := d.opt.System.Swap(f.dir, t.name, name); back != nil {
		return note.Stamp{}, errors.Join(err, back, d.rescue(f, t.name))
	}
	if err == nil {
		err = ErrChanged
	}
	out, unread := f.readFile(t.name)
	if unread != nil {
		return note.Stamp{}, errors.Join(err, fmt.Errorf("read what %q was replaced for (left as %q): %w", name, t.name, unread))
	}
	if bytes.Equal(out.Text, text) {
		return note.Stamp{}, errors.Join(err, f.root.Remove(t.name))
	}
	if unsaved := d.rescue(f, t.name); unsaved != nil {
		return note.Stamp{}, unsaved
	}
	return note.Stamp{}, err
}

// rescue moves a file into the folder of rescued texts, named by its content.
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
	saved, err := d.rescueText(c.Text)
	if err != nil {
		return "", err
	}
	d.dirs.touched(f)
	return saved, f.root.Remove(name)
}

// rescueText puts a text into the folder of rescued texts. It is there to last.
func (d *Disk) rescueText(text []byte) (string, error) {
	to, err := d.dirs.open(d.opt.Rescued, true)
	if err != nil {
		return "", err
	}
	defer d.dirs.done(to)
	saved := RescuedName(d.opt.Rescued, text)
	if _, err := d.create(to, path.Base(saved), text); err != nil && !errors.Is(err, ErrTaken) {
		return "", err
	}
	return saved, syncFolder(to.dir)
}

// RescuedName is where a text lies in the folder of rescued texts.
func RescuedName(folder string, text []byte) string { return path.Join(folder, note.Hash(text)+".md") }

// CleanTemp clears a temporary file of an interrupted run away. What was written by us, or
// had been taken in before it was replaced, is removed; anything else may be all that is
// left of a human's edit: it goes to the folder of rescued texts, and CleanTemp tells where.
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
	if hash := note.Hash(c.Text); len(c.Text) > 0 && hash != hashes[0] && hash != hashes[1] {
		return d.rescueFile(f, name)
	}
	d.dirs.touched(f)
	return "", f.root.Remove(name)
}
