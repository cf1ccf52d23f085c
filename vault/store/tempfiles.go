package store

import (
	"errors"
	"fmt"
	"path"

	"github.com/sessionloom/sessionloom/vault/note"
)

// CleanTemp clears a temporary file of an interrupted run away. What was written by us, or
// had been taken in before it was replaced, is removed; anything else may be all that is
// left of a human's edit: it goes to the folder of rescued texts, and CleanTemp tells where.
func (d *Disk) CleanTemp(p string) (rescued string, err error) {
	f, err := d.dirs.open(path.Dir(p), false)
	if err != nil {
		return "", fmt.Errorf("clear temporary file %q away: %w", p, err)
	}
	defer d.dirs.done(f)
	if rescued, err = d.cleanTemp(f, path.Base(p)); err != nil {
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
