package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/sessionloom/sessionloom/vault/note"
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
	scanned := v.temps != nil
	v.mu.Unlock()
	if !scanned {
		if _, err := v.Scan(ctx); err != nil {
			return nil, err
		}
	}
	v.mu.Lock()
	temps := v.temps
	v.temps = nil
	v.mu.Unlock()
	own, err := v.ownTemps()
	if err != nil {
		return nil, fmt.Errorf("look for temporary files: %w", err)
	}
	temps = append(temps, own...)
	var all []Leftover
	for _, p := range temps {
		l := Leftover{Path: p}
		if !v.opt.DryRun {
			var err error
			if l.Rescued, err = v.sweepFile(p); err != nil {
				return all, fmt.Errorf("clear temporary file %q away: %w", p, err)
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
		f, err := v.folders.open(p, false)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		names, err := f.names()
		v.folders.done(f)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if isTemp(name) {
				temps = append(temps, path.Join(p, name))
			}
		}
	}
	return temps, nil
}

func (v *Vault) sweepFile(p string) (rescued string, err error) {
	f, err := v.folders.open(path.Dir(p), false)
	if err != nil {
		return "", err
	}
	defer v.folders.done(f)
	return v.sweepIn(f, path.Base(p))
}

func (v *Vault) sweepIn(f *folder, name string) (rescued string, err error) {
	hashes, ok := tempHashes(name)
	c, err := f.readFile(name)
	if ok && errors.Is(err, ErrTooLarge) {
		return v.rescueFile(f, name)
	}
	if err != nil || !ok {
		return "", err
	}
	if hash := note.Hash(c.text); len(c.text) > 0 && hash != hashes[0] && hash != hashes[1] {
		return v.rescueFile(f, name)
	}
	v.folders.touched(f)
	return "", f.root.Remove(name)
}

// DropRecords takes folders of our own records away, by their names, that this
// version has no use for: their empty files, and each folder that is empty then.
// All that was ever kept in them is names; a file that holds a byte stays.
func (v *Vault) DropRecords(names ...string) error {
	if v.opt.DryRun {
		return nil
	}
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
	f, err := v.folders.open(p, false)
	if err != nil {
		return err
	}
	names, err := f.names()
	for _, name := range names {
		if info, unseen := f.root.Lstat(name); unseen != nil || info.Size() > 0 {
			continue
		}
		v.folders.touched(f)
		v.wroteIn(f, name)
		err = errors.Join(err, f.root.Remove(name))
	}
	v.folders.done(f)
	v.folders.removeEmpty(p)
	return err
}

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
