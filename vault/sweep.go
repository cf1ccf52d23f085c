package vault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// Leftover is a temporary file that an interrupted run left.
type Leftover struct {
	Path    string // where it lay, from the managed folder
	Rescued string // where a text that is not ours was moved to; empty: removed
}

// Sweep clears the temporary files of interrupted runs away, those that the
// last Scan came by. What was written by us, or had been taken in before it was
// replaced, is removed; anything else may be all that is left of a human's edit
// and is moved to the rescue folder. The folders named, from the vault's root,
// are cleared too: those of notes that are written outside of the managed
// folder. A dry run only lists. Only the holder of the run's lock may call it.
func (v *Vault) Sweep(ctx context.Context, outside ...string) ([]Leftover, error) {
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
			if l.Rescued, err = v.sweepFile(v.folders, p); err != nil {
				return all, fmt.Errorf("clear temporary file %q away: %w", p, err)
			}
		}
		all = append(all, l)
	}
	for _, folder := range outside {
		left, err := v.sweepOutside(folder)
		if err != nil {
			return all, fmt.Errorf("clear temporary files in %q away: %w", folder, err)
		}
		all = append(all, left...)
	}
	return all, nil
}

// ownTemps lists the temporary files in the folders of our own records, where no
// Scan comes by.
func (v *Vault) ownTemps() (temps []string, err error) {
	for _, p := range []string{metaPath, tombstonesPath, linesPath, rescuedPath, troublePath} {
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

// sweepOutside clears one folder of the vault, but none below it.
func (v *Vault) sweepOutside(folder string) ([]Leftover, error) {
	f, err := v.around.open(folder, false)
	if err != nil {
		return nil, nil // it is gone, or never was one to be written in
	}
	names, err := f.names()
	v.folders.done(f)
	var all []Leftover
	for _, name := range names {
		if !isTemp(name) {
			continue
		}
		l := Leftover{Path: path.Join(folder, name)}
		if !v.opt.DryRun {
			var swept error
			l.Rescued, swept = v.sweepFile(v.around, l.Path)
			err = errors.Join(err, swept)
		}
		all = append(all, l)
	}
	return all, err
}

func (v *Vault) sweepFile(in *folders, p string) (rescued string, err error) {
	f, err := in.open(path.Dir(p), false)
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
	if hash := textHash(c.text); len(c.text) > 0 && hash != hashes[0] && hash != hashes[1] {
		return v.rescueFile(f, name)
	}
	v.folders.touched(f)
	return "", f.root.Remove(name)
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
