package ledger

import (
	"errors"
	"path/filepath"
)

// Damage reads the whole ledger and tells in words what of its structure is
// damaged, nothing if it is whole. A handful of faults is enough.
func (l *Ledger) Damage() ([]string, error) {
	var words []string
	err := l.each(func(r row) error {
		var w string
		err := r.Scan(&w)
		if w != "ok" {
			words = append(words, w)
		}
		return err
	}, "PRAGMA quick_check(5)")
	return words, err
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
