package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

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
	err = v.createFile(p, content)
	if errors.Is(err, ErrTaken) {
		return false, nil
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
	_, err := v.files.Stat(p)
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
	file, err := v.files.Read(p)
	if err != nil {
		return nil, fmt.Errorf("read file %q: %w", p, err)
	}
	return file.Text, nil
}

// Detach removes a file that notes showed, if ours says that its content is what
// was written once; it tells whether it did. A file that is gone is no error.
func (v *Vault) Detach(ctx context.Context, p string, ours func(content []byte) bool) (bool, error) {
	if err := errors.Join(canceled(ctx), checkAttachment(p)); err != nil {
		return false, err
	}
	was, err := v.files.Read(p)
	if err == nil {
		if !ours(was.Text) {
			return false, nil
		}
		err = v.files.Remove(p, was)
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
	if note.IsNote(p) {
		return fmt.Errorf("path %q: no path of an attachment", p)
	}
	return checkVisible(p)
}

// checkVisible refuses whatever is not the path of a visible file inside the managed folder.
func checkVisible(p string) error {
	if !fs.ValidPath(p) || p == "." {
		return fmt.Errorf("path %q: no path of a file", p)
	}
	return note.CheckNames(p)
}
