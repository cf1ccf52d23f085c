package vault

import (
	"bytes"
	"errors"
	"fmt"
	"path"

	"github.com/sessionloom/sessionloom/vault/note"
)

// errMoved says that the file is no longer what was read: a human saved it
// meanwhile. Nothing of it was lost; the caller reads it again.
var errMoved = errors.New("the note was changed meanwhile")

// step is a point of a write at which somebody else may act.
type step int

const (
	stepSwap     step = iota // the new text is on the disk, the old one was compared
	stepLook                 // the new text is in place
	stepSwapBack             // what came out is a human's and goes back
)

func (v *Vault) before(s step) {
	if v.seams.step != nil {
		v.seams.step(s)
	}
}

// replace puts a new text in the place of a file that was read before. Whatever
// a human does to the file at the same time survives: as the file itself
// (errMoved) or, where a third text came in between, in the rescue folder.
func (v *Vault) replace(f *folder, name string, was content, text []byte) (Stamp, error) {
	t, err := v.writeTemp(f, text, was.text, was.mode)
	if err != nil {
		return Stamp{}, err
	}
	now, err := f.readFile(name)
	if err == nil && !bytes.Equal(now.text, was.text) {
		err = errMoved
	}
	if err != nil {
		return Stamp{}, errors.Join(err, f.root.Remove(t.name))
	}
	v.before(stepSwap)
	err = errors.ErrUnsupported
	if !v.seams.plain {
		err = swapNames(f.dir, t.name, name)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		return v.replacePlain(f, name, now, t, text)
	}
	if err != nil {
		return Stamp{}, errors.Join(err, f.root.Remove(t.name))
	}
	v.folders.touched(f)
	return v.checkDisplaced(f, name, was.text, text, t)
}

// checkDisplaced looks at what came out of a swap, which lies under the
// temporary name now. From here on that name is never removed unseen. What is
// not what was read goes back to its place: a text of a human's, and a folder
// or link that they put there.
func (v *Vault) checkDisplaced(f *folder, name string, was, text []byte, t temp) (Stamp, error) {
	v.before(stepLook)
	out, err := f.readDisplaced(t.name)
	if err == nil && (bytes.Equal(out.text, was) || v.seams.blind) {
		v.wroteIn(f, name)
		return f.stampAfter(name, t), f.root.Remove(t.name)
	}
	v.before(stepSwapBack)
	if back := swapNames(f.dir, t.name, name); back != nil {
		return Stamp{}, errors.Join(err, back, v.rescue(f, t.name))
	}
	if err == nil {
		err = errMoved
	}
	out, unread := f.readFile(t.name)
	if unread != nil {
		return Stamp{}, errors.Join(err, fmt.Errorf("read what %q was replaced for (left as %q): %w", name, t.name, unread))
	}
	if bytes.Equal(out.text, text) {
		return Stamp{}, errors.Join(err, f.root.Remove(t.name))
	}
	if unsaved := v.rescue(f, t.name); unsaved != nil {
		return Stamp{}, unsaved
	}
	return Stamp{}, err
}

// rescuedPath is the folder of texts that could not be placed without losing
// something. It is hidden from Obsidian and never indexed.
const rescuedPath = metaPath + "/rescued"

// rescue moves a file into the rescue folder, named by its content.
func (v *Vault) rescue(f *folder, name string) error {
	_, err := v.rescueFile(f, name)
	if err != nil {
		return fmt.Errorf("rescue %q (it stays where it is): %w", path.Join(f.path, name), err)
	}
	return nil
}

func (v *Vault) rescueFile(f *folder, name string) (string, error) {
	c, err := f.readFile(name)
	if err != nil {
		return "", err
	}
	saved, err := v.rescueText(c.text)
	if err != nil {
		return "", err
	}
	v.folders.touched(f)
	return saved, f.root.Remove(name)
}

// rescueText puts a text into the rescue folder. It is there to last.
func (v *Vault) rescueText(text []byte) (string, error) {
	to, err := v.folders.open(rescuedPath, true)
	if err != nil {
		return "", err
	}
	defer v.folders.done(to)
	saved := rescuedName(text)
	if _, err := v.create(to, path.Base(saved), text); err != nil && !errors.Is(err, ErrTaken) {
		return "", err
	}
	return saved, syncFolder(to.dir)
}

// rescuedName is where a text lies that was put aside.
func rescuedName(text []byte) string { return path.Join(rescuedPath, note.Hash(text)+".md") }
