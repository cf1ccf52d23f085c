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
		return rescuedName(was.text), nil
	}
	return v.takeAside(f, path.Base(p))
}

// RenewFile puts content in the place of a damaged file of ours that is no note,
// in one step: a file that is gone for a moment would count as deleted. What stood
// there is kept in the rescue folder; it returns where. A file that is gone is
// [fs.ErrNotExist].
func (v *Vault) RenewFile(ctx context.Context, p string, content []byte) (string, error) {
	if err := errors.Join(canceled(ctx), checkAttachment(p)); err != nil {
		return "", err
	}
	rescued, err := v.renewFile(p, content)
	if err != nil {
		return "", fmt.Errorf("renew file %q: %w", p, err)
	}
	return rescued, nil
}

func (v *Vault) renewFile(p string, content []byte) (string, error) {
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
		v.folders.rehearsal.put(Result{Outcome: Updated, Path: p, Old: was.text, New: content})
		return rescuedName(was.text), nil
	}
	rescued, err := v.rescueText(was.text)
	if err == nil {
		_, err = v.replace(f, path.Base(p), was, content)
	}
	return rescued, err
}
