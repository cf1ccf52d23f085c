package vault

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/vault/store"
)

// StaleTemp is a temporary file that an interrupted run left.
type StaleTemp struct {
	Path    string // where it lay, from the managed folder
	Rescued string // where a text that is not ours was moved to; empty: removed
}

// CleanTemp clears away temporary files of interrupted runs. What may be all that is left of a
// human's edit goes to the rescue folder. A dry run only lists. Its caller holds the run's lock.
func (v *Vault) CleanTemp(ctx context.Context) ([]StaleTemp, error) {
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
	var all []StaleTemp
	for _, p := range temps {
		l := StaleTemp{Path: p}
		if v.dry == nil {
			if l.Rescued, err = v.disk.CleanTemp(p); err != nil {
				return all, err
			}
		}
		all = append(all, l)
	}
	return all, nil
}

// ownTemps lists temporary files among our records, which Scan skips.
func (v *Vault) ownTemps() (temps []string, err error) {
	for _, p := range []string{metaPath, tombstonesPath, rescuedPath, distilledPath} {
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

// rescuedPath keeps texts that could not be placed without loss, hidden from Obsidian.
const rescuedPath = metaPath + "/rescued"

// Rescued lists the texts in the rescue folder.
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

// tombstonesPath holds an empty file for each note that must not come back, named by a hash of its
// id: it tells nothing, and machines never conflict over it.
const tombstonesPath = metaPath + "/tombstones"

func tombstone(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16])
}

// TombstonePath is where the tombstone of a note lies, from the managed folder.
func TombstonePath(id string) string { return tombstonesPath + "/" + tombstone(id) }

// HasTombstone is true, too, if the tombstones cannot be read: nothing may come back.
func (v *Vault) HasTombstone(id string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.readTombstones() != nil || len(v.tombstones) > 0 && v.tombstones[tombstone(id)]
}

// HasTombstones reports whether some note has a tombstone, true if that is unknown.
func (v *Vault) HasTombstones() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.readTombstones() != nil {
		return true
	}
	return len(v.tombstones) > 0
}

// DeletedAt reports when the tombstone of a note was set here, false if it has none.
func (v *Vault) DeletedAt(id string) (time.Time, bool) {
	s, err := v.files.Stat(TombstonePath(id))
	return time.Unix(0, s.MTime), err == nil
}

// Tombstones sums up which tombstones there are: equal sums, equal tombstones.
func (v *Vault) Tombstones() ([]byte, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.readTombstones(); err != nil {
		return nil, err
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(v.tombstones)) {
		h.Write(append([]byte(name), 0))
	}
	return h.Sum(nil), nil
}

func (v *Vault) readTombstones() error {
	if v.tombstones != nil {
		return nil
	}
	names, err := v.metaNames(tombstonesPath)
	if err != nil {
		return fmt.Errorf("read deletion records: %w", err)
	}
	v.tombstones = make(map[string]bool, len(names))
	for _, name := range names {
		v.tombstones[name] = true
	}
	return nil
}

func (v *Vault) metaNames(p string) ([]string, error) {
	names, _, err := v.disk.List(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return slices.DeleteFunc(names, store.Hidden), err
}

// AddTombstone sets a tombstone. A second one for the same note does nothing.
func (v *Vault) AddTombstone(id string) error {
	if v.HasTombstone(id) {
		return nil
	}
	if _, err := v.files.Create(TombstonePath(id), nil); err != nil && !errors.Is(err, ErrTaken) {
		return fmt.Errorf("set the deletion record of %q: %w", id, err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.tombstones[tombstone(id)] = true
	return nil
}

// RemoveTombstone takes the tombstone of a note away and says whether there was one.
func (v *Vault) RemoveTombstone(id string) (bool, error) {
	v.mu.Lock()
	err := v.readTombstones()
	was := v.tombstones[tombstone(id)]
	v.mu.Unlock()
	if err != nil || !was {
		return false, err
	}
	stone, err := v.files.Read(TombstonePath(id))
	if err == nil {
		err = v.files.Remove(TombstonePath(id), stone)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return true, fmt.Errorf("remove the deletion record of %q: %w", id, err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.tombstones, tombstone(id))
	return true, nil
}
