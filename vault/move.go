package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Move gives the note with this id another place in the managed folder, with
// all that a human wrote in it. It returns [ErrTaken] where another file has
// the new name, and [fs.ErrNotExist] where the note is gone. The name counts as
// durable only after the next [Vault.Flush].
func (v *Vault) Move(ctx context.Context, id, from, to string) (Stamp, error) {
	if err := canceled(ctx); err != nil {
		return Stamp{}, err
	}
	s, err := v.move(id, from, to)
	if err != nil {
		return Stamp{}, fmt.Errorf("move note %q to %q: %w", from, to, err)
	}
	return s, nil
}

func (v *Vault) move(id, from, to string) (Stamp, error) {
	if err := errors.Join(note.CheckPath(from), note.CheckPath(to)); err != nil {
		return Stamp{}, err
	}
	old, err := v.folders.open(path.Dir(from), false)
	if err != nil {
		return Stamp{}, err
	}
	defer v.folders.done(old)
	was, err := old.readFile(path.Base(from))
	if err != nil {
		return Stamp{}, err
	}
	if note.ParseDocument(was.text).ID != id {
		return Stamp{}, fmt.Errorf("it is not the note %q any more", id)
	}
	if v.opt.DryRun {
		return was.stamp, v.rehearseMove(id, from, to, was.text)
	}
	next, err := v.folders.open(path.Dir(to), true)
	if err != nil {
		return Stamp{}, err
	}
	defer v.folders.done(next)
	if err := v.moveFile(old, path.Base(from), next, path.Base(to), was.text); err != nil {
		return Stamp{}, err
	}
	v.leave(old.path)
	v.remember(from, to)
	info, err := next.root.Lstat(path.Base(to))
	if err != nil {
		return Stamp{}, err
	}
	return stampOf(info), nil
}

// moveFile moves a file to a folder where nobody may have its new name. Whatever a
// human saves under the old name meanwhile moves along, or stays there (errMoved).
func (v *Vault) moveFile(old *folder, from string, next *folder, to string, was []byte) error {
	v.before(stepSwap)
	err := errors.ErrUnsupported
	if !v.seams.plain {
		err = renameNoReplace(old.dir, from, next.dir, to)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		err = v.movePlain(old, from, next, to, was)
	}
	if errors.Is(err, fs.ErrExist) {
		err = ErrTaken
	}
	if err != nil {
		return err
	}
	v.folders.touched(next)
	v.folders.touched(old)
	info, err := next.root.Lstat(to)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.Join(fmt.Errorf("%q is no regular file any more", from), renameNoReplace(next.dir, to, old.dir, from))
	}
	return err
}

// movePlain is the way without such a rename. A second link comes first: nothing
// that has the new name is replaced, and at no moment is the note without a name.
// Where there are no links the name is looked up just before.
func (v *Vault) movePlain(old *folder, from string, next *folder, to string, was []byte) error {
	here, there := path.Join(old.path, from), path.Join(next.path, to)
	err := v.folders.root.Link(here, there)
	if noLinks(err) {
		if next.exists(to) {
			return ErrTaken
		}
		return v.folders.root.Rename(here, there)
	}
	if err != nil {
		return err
	}
	v.before(stepLook)
	temp, err := v.tempName(was, was)
	if err == nil {
		err = old.root.Rename(from, temp)
	}
	if err != nil {
		return errors.Join(err, next.root.Remove(to))
	}
	taken, err := old.root.Lstat(temp)
	if err != nil {
		return err // the next Sweep looks at it
	}
	if moved, err := next.root.Lstat(to); err == nil && os.SameFile(taken, moved) {
		return old.root.Remove(temp)
	}
	// Saved anew between the two: what was linked is the text it replaced.
	return errors.Join(errMoved, v.renameNew(old, temp, from), next.root.Remove(to))
}
