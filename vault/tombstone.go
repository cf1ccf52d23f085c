package vault

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/sessionloom/sessionloom/vault/store"
)

// tombstonesPath holds one empty file for each note that must not come back,
// named by a hash of its id: it tells nothing of what was deleted, and two
// machines never conflict over it.
const tombstonesPath = metaPath + "/tombstones"

func tombstone(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16])
}

// TombstonePath is where the tombstone of a note lies, from the managed folder.
func TombstonePath(id string) string { return tombstonesPath + "/" + tombstone(id) }

// HasTombstone says that a note has a tombstone. Where the tombstones cannot be read
// every note counts as deleted: nothing deleted may come back.
func (v *Vault) HasTombstone(id string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if err := v.readTombstones(); err != nil {
		return true
	}
	return len(v.tombstones) > 0 && v.tombstones[tombstone(id)]
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
		if v.tombstones[name] {
			h.Write(append([]byte(name), 0))
		}
	}
	return h.Sum(nil), nil
}

// readTombstones fills v.tombstones once; the caller holds the lock.
func (v *Vault) readTombstones() error {
	if v.tombstones != nil {
		return nil
	}
	names, err := v.metaNames(tombstonesPath)
	if err != nil {
		return fmt.Errorf("read tombstones: %w", err)
	}
	v.tombstones = make(map[string]bool, len(names))
	for _, name := range names {
		v.tombstones[name] = true
	}
	return nil
}

// metaNames lists the regular files of one of our own folders, sorted.
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
		return fmt.Errorf("set tombstone for %q: %w", id, err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.tombstones[tombstone(id)] = true
	v.dry.tombstone(id, true)
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
		return true, fmt.Errorf("remove tombstone of %q: %w", id, err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.tombstones, tombstone(id))
	v.dry.tombstone(id, false)
	return true, nil
}
