package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/sessionloom/sessionloom/vault/store"
)

// Leftover is a temporary file that an interrupted run left.
type Leftover struct {
	Path    string // where it lay, from the managed folder
	Rescued string // where a text that is not ours was moved to; empty: removed
}

// Sweep clears the temporary files of interrupted runs away, those that the
// last Scan came by. What was written by us, or had been taken in before it was
// replaced, is removed; anything else may be all that is left of a human's edit
// and is moved to the rescue folder. A dry run only lists. Only the holder of the
// run's lock may call it.
func (v *Vault) Sweep(ctx context.Context) ([]Leftover, error) {
	v.mu.Lock()
	scanned := v.scanned
	v.mu.Unlock()
	if !scanned {
		if _, err := v.Scan(ctx); err != nil {
			return nil, err
		}
	}
	v.mu.Lock()
	temps := v.temps
	v.scanned, v.temps = false, nil
	v.mu.Unlock()
	own, err := v.ownTemps()
	if err != nil {
		return nil, fmt.Errorf("look for temporary files: %w", err)
	}
	temps = append(temps, own...)
	var all []Leftover
	for _, p := range temps {
		l := Leftover{Path: p}
		if v.dry == nil {
			if l.Rescued, err = v.disk.CleanTemp(p); err != nil {
				return all, err
			}
		}
		all = append(all, l)
	}
	return all, nil
}

// ownTemps lists the temporary files in the folders of our own records, where no
// Scan comes by.
func (v *Vault) ownTemps() (temps []string, err error) {
	for _, p := range []string{metaPath, tombstonesPath, rescuedPath} {
		names, _, err := v.disk.List(p)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, name := range names {
			if store.IsTemp(name) {
				temps = append(temps, path.Join(p, name))
			}
		}
	}
	return temps, nil
}

// DropRecords takes folders of our own records away, by their names, that this
// version has no use for: their empty files, and each folder that is empty then.
// All that was ever kept in them is names; a file that holds a byte stays.
func (v *Vault) DropRecords(names ...string) error {
	var errs []error
	for _, name := range names {
		p := path.Join(metaPath, name)
		if err := v.dropEmpty(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("clear %q away: %w", p, err))
		}
	}
	return errors.Join(errs...)
}

func (v *Vault) dropEmpty(p string) error {
	names, _, err := v.disk.List(p)
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		at := path.Join(p, name)
		if file, unread := v.files.Read(at); unread == nil && len(file.Text) == 0 {
			errs = append(errs, v.files.Remove(at, file))
		}
	}
	_, err = v.Tidy(p)
	return errors.Join(append(errs, err)...)
}

// rescuedPath is the folder of texts that could not be placed without losing
// something. It is hidden from Obsidian and never indexed.
const rescuedPath = metaPath + "/rescued"

// Rescued lists the texts in the rescue folder, from the managed folder: they
// are told of until somebody has looked at them.
func (v *Vault) Rescued(ctx context.Context) ([]string, error) {
	names, err := v.metaNames(rescuedPath)
	if err != nil {
		return nil, fmt.Errorf("list rescued texts: %w", err)
	}
	for i, name := range names {
		names[i] = path.Join(rescuedPath, name)
	}
	return names, canceled(ctx)
}
