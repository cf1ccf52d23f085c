package runlog

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// lockPrefix begins the names of files in a vault's state folder that stand there
// while a run of a timer is at work. Such a file is locked, and the system lets go
// of the lock however the run ends: one that is there and free tells of a run that
// was killed, or crashed, or had its machine go down.
const lockPrefix = "begun-"

// lockTime is the rest of such a name: when the run began, UTC.
const lockTime = "20060102T150405.000000000Z"

// lockTries is how often a file is made that another run took for a left one.
const lockTries = 3

// Lock is the file of a run that is at work. A nil one is of a run that can leave
// no such word.
type Lock struct{ lock *flock.Flock }

// Begin leaves word in a state folder that a run is at work. Where that cannot be,
// the run goes on without: what matters fails again when it ends.
func Begin(folder string, at time.Time) *Lock {
	file := filepath.Join(folder, lockPrefix+at.UTC().Format(lockTime))
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil
	}
	for range lockTries {
		lock := flock.New(file, flock.SetPermissions(0o600))
		if ok, err := lock.TryLock(); err != nil || !ok {
			_ = lock.Close()
			continue
		}
		if lockedStill(lock) { // else it was taken for a left one before it was locked
			return &Lock{lock}
		}
		_ = lock.Close()
	}
	return nil
}

// lockedStill tells whether a locked file is still the one of that name.
func lockedStill(lock *flock.Flock) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(held, named)
}

// End takes the word back, for the run tells itself how it ended.
func (b *Lock) End() {
	if b == nil {
		return
	}
	_ = os.Remove(b.lock.Path()) // Windows wants it closed first
	_ = b.lock.Close()
	_ = os.Remove(b.lock.Path())
}

// crashed gives the runs that ended without a word, the newest last. With clear
// what tells of them is taken away.
func crashed(folder string, clear bool) (runs []Run) {
	entries, err := os.ReadDir(folder) // in the order of names, which is that of time
	if err != nil {
		return nil
	}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), lockPrefix)
		at, err := time.Parse(lockTime, rest)
		if !ours || err != nil || !e.Type().IsRegular() {
			continue
		}
		file := filepath.Join(folder, e.Name())
		lock := flock.New(file, flock.SetFlag(os.O_RDWR)) // never made anew
		if free, err := lock.TryLock(); err != nil || !free {
			_ = lock.Close()
			continue // it is at work
		}
		if clear {
			_ = os.Remove(file)
		}
		_ = lock.Close()
		if clear { // Windows wants it closed first
			_ = os.Remove(file)
		}
		runs = append(runs, Run{At: at, Exit: NoExit})
	}
	return runs
}
