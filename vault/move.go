package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
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
	if err := errors.Join(checkNotePath(from), checkNotePath(to)); err != nil {
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
	if takeApart(was.text).id != id {
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
	// A second link first: nothing that has the new name is replaced, and at no
	// moment is the note without a name.
	if err := v.folders.root.Link(from, to); err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = ErrTaken
		}
		return Stamp{}, err
	}
	v.folders.touched(next)
	v.folders.touched(old)
	if err := old.root.Remove(path.Base(from)); err != nil {
		return Stamp{}, errors.Join(err, next.root.Remove(path.Base(to)))
	}
	v.leave(old.path)
	v.remember(from, to)
	info, err := next.root.Lstat(path.Base(to))
	if err != nil {
		return Stamp{}, err
	}
	return stampOf(info), nil
}
