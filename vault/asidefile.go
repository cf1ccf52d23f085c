package vault

import (
	"context"
	"errors"
	"fmt"
	"path"
)

// SetFileAside takes a damaged file of ours that is no note out of sight, whole:
// into the rescue folder. It returns where it lies there, from the managed folder.
// A file that is gone is [fs.ErrNotExist].
func (v *Vault) SetFileAside(ctx context.Context, p string) (string, error) {
	if err := errors.Join(canceled(ctx), checkAttachment(p)); err != nil {
		return "", err
	}
	rescued, err := v.setFileAside(p)
	if err != nil {
		return "", fmt.Errorf("set file %q aside: %w", p, err)
	}
	return rescued, nil
}

func (v *Vault) setFileAside(p string) (string, error) {
	f, err := v.folders.open(path.Dir(p), false)
	if err != nil {
		return "", err
	}
	defer v.folders.done(f)
	was, err := f.readFile(path.Base(p))
	if err != nil {
		return "", err
	}
	if v.opt.DryRun {
		v.folders.rehearsal.put(Result{Outcome: Removed, Path: p, Old: was.text})
		return path.Join(rescuedPath, textHash(was.text)+".md"), nil
	}
	return v.takeAside(f, path.Base(p))
}
