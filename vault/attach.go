package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/sessionloom/sessionloom/vault/note"
)

// Attach writes a file that notes show, such as a picture, and makes the folders
// on the way, and tells whether it did. What stands there already stays as it is: its name is to tell its
// content. It is there to last before a note can show it.
func (v *Vault) Attach(ctx context.Context, p string, content []byte) (created bool, err error) {
	if err := canceled(ctx); err != nil {
		return false, err
	}
	if err := checkAttachment(p); err != nil {
		return false, err
	}
	if v.opt.DryRun {
		return v.rehearseFile(p, content)
	}
	f, err := v.folders.open(path.Dir(p), true)
	if err != nil {
		return false, fmt.Errorf("write attachment %q: %w", p, err)
	}
	defer v.folders.done(f)
	_, err = v.create(f, path.Base(p), content)
	if errors.Is(err, ErrTaken) {
		return false, nil
	}
	if err == nil {
		err = syncFolder(f.dir)
	}
	if err != nil {
		return false, fmt.Errorf("write attachment %q: %w", p, err)
	}
	return true, nil
}

// Attached tells whether a file stands at the path of an attachment.
func (v *Vault) Attached(p string) (bool, error) {
	if err := checkAttachment(p); err != nil {
		return false, err
	}
	f, err := v.folders.open(path.Dir(p), false)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for attachment %q: %w", p, err)
	}
	defer v.folders.done(f)
	if _, known, err := f.readRehearsed(path.Base(p)); known || err != nil {
		return err == nil, nil
	}
	_, err = f.root.Lstat(path.Base(p))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("look for attachment %q: %w", p, err)
	}
	return err == nil, nil
}

// File reads a file that is no note.
func (v *Vault) File(p string) ([]byte, error) {
	if err := checkAttachment(p); err != nil {
		return nil, err
	}
	f, err := v.folders.open(path.Dir(p), false)
	if err != nil {
		return nil, fmt.Errorf("read file %q: %w", p, err)
	}
	defer v.folders.done(f)
	c, err := f.readFile(path.Base(p))
	if err != nil {
		return nil, fmt.Errorf("read file %q: %w", p, err)
	}
	return c.text, nil
}

// Detach removes a file that notes showed, if ours says that its content is what
// was written once; it tells whether it did. A file that is gone is no error.
func (v *Vault) Detach(ctx context.Context, p string, ours func(content []byte) bool) (bool, error) {
	if err := errors.Join(canceled(ctx), checkAttachment(p)); err != nil {
		return false, err
	}
	f, err := v.folders.open(path.Dir(p), false)
	if err == nil {
		defer v.folders.done(f)
		var was content
		if was, err = f.readFile(path.Base(p)); err == nil {
			if !ours(was.text) {
				return false, nil
			}
			if !v.opt.DryRun {
				err = v.removeFile(f, path.Base(p), was)
			}
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("remove attachment %q: %w", p, err)
	}
	return true, nil
}

// checkAttachment refuses whatever is not the path of a visible file inside the
// managed folder that is no note.
func checkAttachment(p string) error {
	if !fs.ValidPath(p) || p == "." || note.IsNote(p) {
		return fmt.Errorf("path %q: no path of an attachment", p)
	}
	return note.CheckNames(p)
}
