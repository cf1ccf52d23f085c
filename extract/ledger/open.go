package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/gofrs/flock"
	lib "modernc.org/sqlite/lib"
)

// schemaVersion is raised when the tables or their meaning change; upgrades convert older ledgers.
const schemaVersion = "24"

// Options of a ledger.
type Options struct {
	// Discard keeps nothing: changes are in memory or in a transaction that Close rolls back (dry run).
	Discard bool
}

var errVersion = errors.New("state of another version")

// Open opens or creates the ledger in dir (mode 0700) and takes its lock. It returns ErrLocked if another
// process holds it. A ledger that is damaged or of an unknown version is quarantined and begun again; one
// that the system cannot open, on a full disk for example, stays.
func Open(dir string, o Options) (*Ledger, error) {
	if o.Discard {
		if _, err := os.Stat(filepath.Join(dir, "ledger.db")); errors.Is(err, fs.ErrNotExist) {
			return openFile(":memory:", nil, o)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make state folder: %w", err)
	}
	lock, err := takeLock(filepath.Join(dir, "lock"))
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "ledger.db")
	l, err := openFile(file, lock, o)
	if err == nil {
		return l, nil
	}
	if code(err) == lib.SQLITE_BUSY { // its lock file was deleted: the database has its own lock
		return nil, errors.Join(locked(lock.Path()), lock.Unlock())
	}
	if o.Discard {
		return openFile(":memory:", lock, o)
	}
	if unusable(err) {
		if err = quarantine(file); err == nil {
			l, err = openFile(file, lock, o)
		}
	}
	if err != nil {
		_ = lock.Unlock()
	}
	return l, err
}

// unusable distinguishes a ledger that will never open from one that does not open now.
func unusable(err error) bool {
	switch code(err) {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB, lib.SQLITE_ERROR: // the last: foreign tables
		return true
	}
	return errors.Is(err, errVersion)
}

// damagedSuffix ends the name of a quarantined ledger.
const damagedSuffix = ".damaged"

// quarantine moves an unusable ledger out of the way; it is a cache, but may help to explain the damage.
func quarantine(file string) error {
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if err := os.Remove(file + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the state: %w", err)
		}
	}
	if err := os.Rename(file, file+damagedSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("set the state aside: %w", err)
	}
	return nil
}

func openFile(file string, lock *flock.Flock, o Options) (*Ledger, error) {
	// #, ? and % have a meaning in the address of a file.
	dsn := "file:" + (&url.URL{Path: filepath.ToSlash(file)}).EscapedPath()
	if file == ":memory:" {
		dsn = file
	}
	conn, err := openConnection(dsn)
	if err != nil {
		return nil, fmt.Errorf("open the state %q: %w", file, system(err))
	}
	c, err := newCodec()
	if err != nil {
		return nil, errors.Join(err, conn.close())
	}
	l := &Ledger{conn: conn, lock: lock, codec: c, file: file, discard: o.Discard}
	if err := l.prepareSchema(); err != nil {
		_ = conn.close()
		return nil, err
	}
	return l, nil
}

func (l *Ledger) prepareSchema() error {
	for _, p := range []string{
		"PRAGMA page_size=16384", // a layer fits one or a few pages; an older ledger keeps its size
		"PRAGMA locking_mode=EXCLUSIVE", "PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL",
		"PRAGMA temp_store=MEMORY", "PRAGMA cache_size=-24576",
		"PRAGMA secure_delete=ON", // forgotten data must not stay in free pages
	} {
		if err := l.exec(p); err != nil {
			return fmt.Errorf("prepare the state: %w", err)
		}
	}
	if l.discard {
		if err := l.begin(); err != nil {
			return err
		}
	}
	have, err := l.schemaFound()
	if err != nil {
		return err
	}
	if have == "" {
		l.fresh = true
		return l.createTables()
	}
	if have != schemaVersion {
		return l.upgrade(have)
	}
	return nil
}

func (l *Ledger) schemaFound() (string, error) {
	var version string
	if l.count("SELECT count(*) FROM sqlite_schema") == 0 {
		return "", l.Failed()
	}
	if !l.one([]any{&version}, "SELECT value FROM kv WHERE key='schema'") {
		return "", cmp.Or(l.Failed(), fmt.Errorf("%w: it tells none", errVersion))
	}
	return version, nil
}

// createTables makes all tables at once: a ledger with only some would count as damaged.
func (l *Ledger) createTables() error {
	if err := l.begin(); err != nil {
		return fmt.Errorf("create the state: %w", err)
	}
	if err := l.exec(schema); err != nil {
		return fmt.Errorf("create the state: %w", err)
	}
	l.SetValue(keySchema, []byte(schemaVersion))
	return l.Commit()
}

// Fresh reports whether the ledger was empty when opened: it is new, or was lost.
func (l *Ledger) Fresh() bool { return l.fresh }

// Close rolls back an open transaction and releases the lock: only committed data is kept.
func (l *Ledger) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	errs := []error{l.rollback(), l.conn.close()}
	if l.damaged.Load() && !l.discard {
		errs = append(errs, quarantine(l.file))
	}
	if l.lock != nil {
		errs = append(errs, l.lock.Unlock())
	}
	return errors.Join(errs...)
}

// Scrub removes all traces of deleted data from the ledger's files: from the write-ahead log, and from a
// quarantined ledger. Deleted bytes within the database are overwritten at once, but rows that SQLite moved
// leave copies: it is rewritten.
func (l *Ledger) Scrub() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.discard || l.inTx {
		return nil
	}
	for _, q := range []string{
		"INSERT INTO search_words(search_words) VALUES('optimize')", // it has words of deleted rows until they are merged
		"PRAGMA temp_store=FILE",                                    // a copy of the rest may be large
		"VACUUM", "PRAGMA temp_store=MEMORY", "PRAGMA wal_checkpoint(TRUNCATE)",
	} {
		if err := l.exec(q); err != nil {
			return fmt.Errorf("scrub the state: %w", err)
		}
	}
	if err := os.Remove(l.file + damagedSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("scrub the state: %w", err)
	}
	return nil
}

// Damage reads the whole ledger and describes damage to its structure, up to a few faults.
func (l *Ledger) Damage() ([]string, error) {
	words := l.texts("PRAGMA quick_check(5)")
	return slices.DeleteFunc(words, func(w string) bool { return w == "ok" }), l.Failed()
}

// Replace moves the ledger in dir out of the way, so that the next [Open] begins another. Nobody may have it
// open.
func Replace(dir string) error {
	lock, err := takeLock(filepath.Join(dir, "lock"))
	if err != nil {
		return err
	}
	return errors.Join(quarantine(filepath.Join(dir, "ledger.db")), lock.Unlock())
}

// Errors that callers distinguish.
var (
	// ErrLocked means that another run holds the lock of this vault.
	ErrLocked = errors.New("another run is at work on this vault")
	// ErrNoLocks means that the file system of the state folder has no locks.
	ErrNoLocks = errors.New("no lock can be had here")
)

// takeLock takes the lock of a state folder, or returns [ErrLocked] at once. The lock ends with its process,
// however that ends.
func takeLock(path string) (*flock.Flock, error) {
	for {
		lock := flock.New(path, flock.SetPermissions(0o600))
		ok, err := lock.TryLock()
		switch {
		case errors.Is(err, syscall.ENOLCK) || errors.Is(err, errors.ErrUnsupported):
			return nil, fmt.Errorf("lock %q: %w: %w", path, ErrNoLocks, err)
		case err != nil:
			return nil, fmt.Errorf("lock %q: %w", path, err)
		case !ok:
			return nil, locked(path)
		case !current(lock):
			// Deleted between opening and locking: the next process locks another file.
			if err := lock.Unlock(); err != nil {
				return nil, fmt.Errorf("lock %q: %w", path, err)
			}
			continue
		}
		writeHolder(path+".pid", "")
		return lock, nil
	}
}

// Doing records a long operation, for the message to other runs.
func (l *Ledger) Doing(what string) {
	if l.lock != nil {
		writeHolder(l.lock.Path()+".pid", ", "+what)
	}
}

// writeHolder records which process holds a lock, and what it does, as a hint for the message. It follows no
// link.
func writeHolder(path, what string) {
	_ = os.Remove(path)
	if f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
		_, _ = f.WriteString(strconv.Itoa(os.Getpid()) + what + "\n")
		_ = f.Close()
	}
}

// current reports whether the locked file still has that name.
func current(lock *flock.Flock) bool {
	held, err := lock.Stat()
	if err != nil {
		return true // nothing speaks against it
	}
	named, err := os.Stat(filepath.Clean(lock.Path()))
	return err == nil && os.SameFile(held, named)
}

// locked returns ErrLocked with the process that holds the lock, if recorded and alive.
func locked(path string) error {
	text, _ := os.ReadFile(path + ".pid")
	said := strings.TrimSpace(string(text))
	number, _, _ := strings.Cut(said, ",")
	pid, err := strconv.Atoi(number)
	if err != nil {
		return ErrLocked
	}
	holder, err := os.FindProcess(pid)
	if err == nil {
		err = holder.Signal(syscall.Signal(0)) // checks whether it lives
	}
	if errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH) {
		return ErrLocked
	}
	return fmt.Errorf("%w (process %s)", ErrLocked, said)
}
