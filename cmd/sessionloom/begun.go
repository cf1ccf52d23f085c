package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// begunPrefix begins the names of files in a vault's state folder that stand there
// while a run of a timer is at work. Such a file is locked, and the system lets go
// of the lock however the run ends: one that is there and free tells of a run that
// was killed, or crashed, or had its machine go down.
const begunPrefix = "begun-"

// begunTime is the rest of such a name: when the run began, UTC.
const begunTime = "20060102T150405.000000000Z"

// exitUnknown is the exit code of a run that ended without telling it.
const exitUnknown = -1

// begunTries is how often a file is made that another run took for a left one.
const begunTries = 3

// begun is the file of a run that is at work. A nil one is of a run that can leave
// no such word.
type begun struct{ lock *flock.Flock }

// begin leaves word in a state folder that a run is at work. Where that cannot be,
// the run goes on without: what matters fails again when it ends.
func begin(folder string, at time.Time) *begun {
	file := filepath.Join(folder, begunPrefix+at.UTC().Format(begunTime))
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil
	}
	for range begunTries {
		lock := flock.New(file, flock.SetPermissions(0o600))
		if ok, err := lock.TryLock(); err != nil || !ok {
			_ = lock.Close()
			continue
		}
		if lockedStill(lock) { // else it was taken for a left one before it was locked
			return &begun{lock}
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

// end takes the word back, for the run tells itself how it ended.
func (b *begun) end() {
	if b == nil {
		return
	}
	_ = os.Remove(b.lock.Path()) // Windows wants it closed first
	_ = b.lock.Close()
	_ = os.Remove(b.lock.Path())
}

// brokenOff gives the runs that ended without a word, the newest last. With clear
// what tells of them is taken away.
func brokenOff(folder string, clear bool) (runs []timedRun) {
	entries, err := os.ReadDir(folder) // in the order of names, which is that of time
	if err != nil {
		return nil
	}
	for _, e := range entries {
		rest, ours := strings.CutPrefix(e.Name(), begunPrefix)
		at, err := time.Parse(begunTime, rest)
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
		runs = append(runs, timedRun{At: at, Exit: exitUnknown})
	}
	return runs
}
