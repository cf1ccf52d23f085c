package vault

import (
	"context"
	"errors"
	"fmt"
)

// QuarantineFile takes a damaged file of ours that is no note out of sight, whole:
// into the rescue folder. It returns where it lies there, from the managed folder.
// A file that is gone is [fs.ErrNotExist].
func (v *Vault) QuarantineFile(ctx context.Context, p string) (string, error) {
	if err := errors.Join(canceled(ctx), checkAttachment(p)); err != nil {
		return "", err
	}
	rescued, err := v.quarantineFile(p)
	if err != nil {
		return "", fmt.Errorf("set file %q aside: %w", p, err)
	}
	return rescued, nil
}

func (v *Vault) quarantineFile(p string) (string, error) {
	was, err := v.files.Read(p)
	if err != nil {
		return "", err
	}
	return v.moveToRescued(p, was)
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
	was, err := v.files.Read(p)
	if err != nil {
		return "", err
	}
	rescued, err := v.rescueText(was.Text)
	if err == nil {
		_, err = v.files.Replace(p, was, content)
	}
	return rescued, err
}
