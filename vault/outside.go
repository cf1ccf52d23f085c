package vault

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// A note of ours that its user moved out of the managed folder may be kept up to
// date where it lies (Draft.Outside): by the same steps as any other, in the real
// folders of the vault, never in a hidden one. It is never created, moved or
// removed there.

// CheckOutside tells why a note outside of the managed folder must not be
// written, nil if it may: the way there must be one of real folders. p counts
// from the vault's root.
func (v *Vault) CheckOutside(p string) error {
	if !fs.ValidPath(p) || !isNote(p) {
		return fmt.Errorf("path %q: no path of a note", p)
	}
	if v.inner == wholeVault && !v.apart(p) || strings.HasPrefix(p, v.inner+"/") {
		return fmt.Errorf("path %q: it lies in the managed folder", p)
	}
	if err := checkNames(p); err != nil {
		return err
	}
	f, err := v.around.open(path.Dir(p), false)
	if err != nil {
		return err
	}
	v.around.done(f)
	return nil
}

// below gives the folders in which a path is looked up.
func (v *Vault) below(outside bool) *folders {
	if outside {
		return v.around
	}
	return v.folders
}
