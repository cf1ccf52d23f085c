package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"
	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// schemaVersion is raised when the tables or what they hold change. How an older
// ledger becomes one of this version stands in upgrades.
const schemaVersion = "8"

// Options of a ledger.
type Options struct {
	// Discard keeps nothing: what is done lives in memory or in a transaction
	// that is rolled back at Close (dry run).
	Discard bool
}

// errVersion says that a ledger was made by another version.
var errVersion = errors.New("ledger of another version")

// Open opens or creates the ledger in dir (mode 0700) and takes its lock. It
// returns ErrLocked where another process holds it. A ledger that is damaged or
// of another version is quarantined and begun anew; one that cannot be opened for
// a reason of the system's, a full disk say, stays.
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
	if busy(err) { // its lock file was deleted: the database has a lock of its own
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

// unusable tells a ledger that will never open from one that does not open now.
func unusable(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return errors.Is(err, errVersion)
	}
	switch e.Code() & 0xff { // the rest of the code only says more
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB, lib.SQLITE_ERROR: // the last: other tables than ours
		return true
	}
	return false
}

// damagedSuffix ends the name of a ledger that was quarantined.
const damagedSuffix = ".damaged"

// quarantine moves a ledger that cannot be used out of the way; it is a cache, but
// a look at it may explain what happened.
func quarantine(file string) error {
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if err := os.Remove(file + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove ledger: %w", err)
		}
	}
	if err := os.Rename(file, file+damagedSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("set ledger aside: %w", err)
	}
	return nil
}

func openFile(file string, lock *flock.Flock, o Options) (*Ledger, error) {
	// In the address of a file #, ? and % have a meaning of their own.
	dsn := "file:" + (&url.URL{Path: filepath.ToSlash(file)}).EscapedPath()
	if file == ":memory:" {
		dsn = file
	}
	conn, err := openConnection(dsn)
	if err != nil {
		return nil, fmt.Errorf("open ledger %q: %w", file, system(err))
	}
	c, err := newCodec()
	if err != nil {
		return nil, errors.Join(err, conn.close())
	}
	l := &Ledger{conn: conn, lock: lock, codec: c, discard: o.Discard}
	if file != ":memory:" {
		l.file = file
	}
	if err := l.prepareSchema(); err != nil {
		_ = conn.close()
		return nil, err
	}
	return l, nil
}

// busy tells a ledger that another process has open.
func busy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == lib.SQLITE_BUSY
}

func (l *Ledger) prepareSchema() error {
	for _, p := range []string{
		"PRAGMA page_size=16384", // a layer of a session fits a page or few; an older ledger keeps its own
		"PRAGMA locking_mode=EXCLUSIVE", "PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL",
		"PRAGMA temp_store=MEMORY", "PRAGMA cache_size=-32768",
		"PRAGMA secure_delete=ON", // what was forgotten must not lie about in free pages
	} {
		if err := l.exec(p); err != nil {
			return fmt.Errorf("prepare ledger: %w", err)
		}
	}
	if l.discard {
		if err := l.Begin(); err != nil {
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
	if n, err := l.count("SELECT count(*) FROM sqlite_schema"); err != nil || n == 0 {
		return "", err
	}
	found, err := l.one([]any{&version}, "SELECT value FROM kv WHERE key='schema'")
	if err == nil && !found {
		err = fmt.Errorf("%w: it tells none", errVersion)
	}
	return version, err
}

// createTables makes the tables all at once: a ledger that has some of them only
// would count as damaged.
func (l *Ledger) createTables() error {
	if err := l.Begin(); err != nil {
		return fmt.Errorf("create ledger: %w", err)
	}
	if err := l.exec(schema); err != nil {
		return fmt.Errorf("create ledger: %w", err)
	}
	if err := l.SetValue(keySchema, []byte(schemaVersion)); err != nil {
		return err
	}
	return l.Commit()
}

// Fresh says that the ledger was empty when it was opened: it is new, or was lost.
func (l *Ledger) Fresh() bool { return l.fresh }

// Close rolls an open transaction back and releases the lock: only what was
// committed is kept.
func (l *Ledger) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	errs := []error{l.rollback(), l.conn.close()}
	if l.damaged.Load() && l.file != "" && !l.discard {
		errs = append(errs, quarantine(l.file))
	}
	if l.lock != nil {
		errs = append(errs, l.lock.Unlock())
	}
	return errors.Join(errs...)
}

// Scrub leaves nothing of what was deleted in the files of the ledger: not in
// the log of what was written, nor in one that was quarantined as damaged. Within
// the database deleted bytes are overwritten at once, but rows that SQLite moved to
// make room leave copies between the others: it is written anew.
func (l *Ledger) Scrub() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.discard || l.inTx {
		return nil
	}
	for _, q := range []string{
		"PRAGMA temp_store=FILE", // a copy of what is left may be large
		"VACUUM", "PRAGMA temp_store=MEMORY", "PRAGMA wal_checkpoint(TRUNCATE)",
	} {
		if err := l.exec(q); err != nil {
			return fmt.Errorf("scrub ledger: %w", err)
		}
	}
	if l.file == "" {
		return nil
	}
	if err := os.Remove(l.file + damagedSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("scrub ledger: %w", err)
	}
	return nil
}

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
