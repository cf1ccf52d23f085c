package ledger

import (
	"errors"
	"path/filepath"
	"slices"
)

// Damage reads the whole ledger and tells in words what of its structure is
// damaged, nothing if it is whole. A handful of faults is enough.
func (l *Ledger) Damage() ([]string, error) {
	words, err := l.texts("PRAGMA quick_check(5)")
	return slices.DeleteFunc(words, func(w string) bool { return w == "ok" }), err
}

// Replace puts the ledger in dir out of the way, so that the next [Open] begins
// another: it is a cache. Nobody may have it open.
func Replace(dir string) error {
	lock, err := takeLock(filepath.Join(dir, "lock"))
	if err != nil {
		return err
	}
	return errors.Join(quarantine(filepath.Join(dir, "ledger.db")), lock.Unlock())
}
