package vault

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// replacePlain is the way without a swap: look again, then rename over it. A
// second link keeps hold of what stands there, where the file system has links,
// so that what is saved into it meanwhile is seen afterwards. What an editor puts
// in its place in the moment between the last look and the rename is lost.
func (v *Vault) replacePlain(f *folder, name string, seen content, t temp, text []byte) (Stamp, error) {
	held, err := v.hold(f, name, seen)
	if err == nil {
		if err = f.root.Rename(t.name, name); err == nil {
			v.folders.touched(f)
			v.before(stepLook)
			return v.checkHeld(f, name, held, seen.text, text, t)
		}
	}
	if held != "" {
		err = errors.Join(err, f.root.Remove(held))
	}
	return Stamp{}, errors.Join(err, f.root.Remove(t.name))
}

// hold gives a note a second, temporary name, empty where that cannot be done,
// and sees that it is still as it was read: else [errMoved].
func (v *Vault) hold(f *folder, name string, seen content) (string, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return "", err
	}
	if stampOf(info) != seen.stamp {
		return "", errMoved
	}
	held, err := v.tempName(seen.text, seen.text)
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
		err = errMoved
	}
	return held, err
}

// checkHeld looks at what was renamed over.
func (v *Vault) checkHeld(f *folder, name, held string, was, text []byte, t temp) (Stamp, error) {
	stamp := f.stampAfter(name, t)
	if held == "" {
		v.wroteIn(f, name)
		return stamp, nil
	}
	out, err := f.readDisplaced(held)
	if err == nil && bytes.Equal(out.text, was) {
		v.wroteIn(f, name)
		return stamp, f.root.Remove(held)
	}
	if err != nil && !errors.Is(err, errMoved) {
		return Stamp{}, fmt.Errorf("read what %q was replaced for (left as %q): %w", name, held, err)
	}
	// A text of a human's goes back, unless they have saved another since.
	if now, err := f.readFile(name); err != nil || !bytes.Equal(now.text, text) {
		return Stamp{}, errors.Join(errMoved, v.rescue(f, held))
	}
	return Stamp{}, errors.Join(errMoved, f.root.Rename(held, name))
}
