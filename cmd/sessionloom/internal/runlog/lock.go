package runlog

import (
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// While a run of a timer is at work, a vault's state folder holds a file that says when
// it began, and the run holds a lock. The system lets go of the lock however the run
// ends: with a lock that is free the file tells of a run that was killed, or crashed, or
// had its machine go down.
const (
	runningName = "running"
	lockName    = "running.lock"
)

// Lock is held by a run that is at work. A nil one is of a run that can leave no word.
type Lock struct {
	lock   *flock.Flock
	folder string
}

// Begin leaves word in a state folder that a run is at work, and remembers one that
// broke off before. Where that cannot be, the run goes on without: what matters fails
// again when it ends.
func Begin(folder string, at time.Time) *Lock {
	l := tryLock(folder, os.O_CREATE|os.O_RDWR)
	if l == nil {
		return nil
	}
	if r, broke := l.brokenOff(); broke {
		_ = Add(folder, r)
	}
	_ = os.WriteFile(filepath.Join(folder, runningName), []byte(at.UTC().Format(time.RFC3339Nano)), 0o600)
	return l
}

// tryLock takes the lock of a folder; nil: another run holds it.
func tryLock(folder string, flag int) *Lock {
	lock := flock.New(filepath.Join(folder, lockName), flock.SetPermissions(0o600), flock.SetFlag(flag))
	if ok, err := lock.TryLock(); err != nil || !ok { // or it cannot be had
		_ = lock.Close()
		return nil
	}
	return &Lock{lock, folder}
}

// End takes the word back, for the run tells itself how it ended.
func (l *Lock) End() {
	if l == nil {
		return
	}
	_ = os.Remove(filepath.Join(l.folder, runningName))
	_ = l.lock.Close()
}

// brokenOff gives the run that ended without a word.
func (l *Lock) brokenOff() (r Run, broke bool) {
	text, err := os.ReadFile(filepath.Join(l.folder, runningName))
	if err != nil {
		return r, false
	}
	r.At, err = time.Parse(time.RFC3339Nano, string(text))
	r.Exit = NoExit
	return r, err == nil
}
