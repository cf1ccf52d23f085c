package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// stat stamps a database and the files that hold its content, by suffix. The -shm is left out, as readers change it.
func stat(path string) (map[string]sources.Stamp, error) {
	set := map[string]sources.Stamp{}
	for _, suffix := range []string{"", "-wal", "-journal"} {
		info, err := os.Lstat(path + suffix)
		switch {
		case errors.Is(err, fs.ErrNotExist) && suffix != "":
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular():
			return nil, fmt.Errorf("look at %q: %w", path+suffix, files.ErrNotRegular)
		default:
			set[suffix] = files.StampOf(info)
		}
	}
	return set, nil
}

// openOnce examines the files of a database and opens it in the only safe way.
func openOnce(ctx context.Context, path, tempDir string) (*DB, error) {
	f, info, err := files.OpenText(path)
	if err != nil {
		return nil, err
	}
	d := &DB{after: []func(){func() { f.Close() }}, stmts: map[string]*sql.Stmt{}, columns: map[string]map[string]bool{}}
	if info.Size() == 0 {
		return d, d.orClose(d.begin(ctx, "file::memory:"))
	}
	// With a shared lock on the database no writer can remove the -wal between the check and the
	// opening, which would make SQLite create a new one.
	if err := lockShared(f); err != nil {
		return d, d.orClose(err)
	}
	header := make([]byte, 20)
	if _, err := io.ReadFull(f, header); err != nil || !bytes.HasPrefix(header, []byte("SQLite format 3\x00")) {
		return d, d.orClose(files.ErrNotDatabase)
	}
	seen, err := stat(path)
	if err != nil {
		return d, d.orClose(err)
	}
	wal := header[18] == 2 && header[19] == 2
	return d, d.orClose(d.openSet(ctx, path, tempDir, seen, wal))
}

func (d *DB) openSet(ctx context.Context, path, tempDir string, seen map[string]sources.Stamp, wal bool) error {
	shm := indexed(path)
	_, hasLog := seen["-wal"]
	switch {
	case seen["-journal"].Size > 0, seen["-wal"].Size > 0 && !shm:
		return d.openCopy(ctx, path, tempDir, seen)
	case hasLog && shm:
		err := d.begin(ctx, dsn(path, "mode=ro&readonly_shm=1"))
		if err == nil || ctx.Err() != nil {
			return err
		}
		d.disconnect()
		return d.openCopy(ctx, path, tempDir, seen)
	case wal || hasLog: // SQLite would make a -shm for any -wal in any mode
		d.guard = func() error { return compare(path, seen) }
		if err := d.begin(ctx, dsn(path, "mode=ro&immutable=1")); err != nil {
			return errors.Join(d.guard(), err)
		}
		return d.guard()
	default:
		return d.begin(ctx, dsn(path, "mode=ro"))
	}
}

// maxCopy limits the bytes copied: files may be sparse.
const maxCopy = 4 << 30

// openCopy copies the files with the content, then lets SQLite recover the copy.
func (d *DB) openCopy(ctx context.Context, path, tempDir string, seen map[string]sources.Stamp) error {
	size := int64(0)
	for _, s := range seen {
		size += s.Size
	}
	if size > maxCopy {
		return fmt.Errorf("too large to be copied: %d bytes", size)
	}
	dir, err := os.MkdirTemp(tempDir, "sessionloom-") // only its owner can read it
	if err != nil {
		return fmt.Errorf("make folder for a copy: %w", err)
	}
	d.after = append(d.after, func() { _ = os.RemoveAll(dir) })
	target := filepath.Join(dir, "copy.db")
	for suffix := range seen {
		if err := copyFile(ctx, path+suffix, target+suffix); err != nil {
			return err
		}
	}
	if err := compare(path, seen); err != nil {
		return err
	}
	return d.begin(ctx, dsn(target, "mode=rw"))
}

// orClose closes a snapshot that could not be opened, and returns ErrBusy for a lock.
func (d *DB) orClose(err error) error {
	if err == nil {
		return nil
	}
	_ = d.Close()
	var failure *sqlite.Error
	if errors.As(err, &failure) {
		switch failure.Code() & 0xff {
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN:
			return fmt.Errorf("%w: %w", files.ErrBusy, err)
		case sqlite3.SQLITE_NOTADB:
			return files.ErrNotDatabase
		}
	}
	return err
}

// disconnect closes the connection but keeps the lock.
func (d *DB) disconnect() {
	if d.conn != nil {
		_ = d.conn.Close()
	}
	_ = d.pool.Close()
	d.conn, d.pool = nil, nil
}

func compare(path string, seen map[string]sources.Stamp) error {
	now, err := stat(path)
	if err != nil {
		return errors.Join(files.ErrBusy, err)
	}
	if !maps.Equal(now, seen) {
		return fmt.Errorf("%w: it changed while being read", files.ErrBusy)
	}
	return nil
}

func copyFile(ctx context.Context, from, to string) error {
	in, _, err := files.OpenText(from)
	if err != nil {
		return errors.Join(files.ErrBusy, err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("copy database: %w", err)
	}
	defer context.AfterFunc(ctx, func() { in.Close() })() // it may be a long copy
	_, err = io.Copy(out, io.LimitReader(in, maxCopy))
	return errors.Join(ctx.Err(), err, out.Close())
}

// dsn returns the name by which the driver opens a file. Nothing in the database may run: query_only
// and no trust in its schema.
func dsn(path, how string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // a drive letter
	}
	u := url.URL{Scheme: "file", Path: p}
	return u.String() + "?" + how + "&_pragma=busy_timeout(250)&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)&_pragma=mmap_size(0)"
}

// indexed reports whether the -shm beside a database is an index of its write-ahead log: its header of
// 48 bytes is there twice, and says that it was filled (sqlite.org, "WAL-mode File Format", 2.1).
// SQLite would try to read garbage for ten seconds and more, whatever its timeout.
func indexed(path string) bool {
	f, _, err := files.OpenText(path + "-shm")
	if err != nil {
		return false
	}
	defer f.Close()
	const header, filled = 48, 12
	both := make([]byte, 2*header)
	_, err = io.ReadFull(f, both)
	return err == nil && both[filled] == 1 && bytes.Equal(both[:header], both[header:])
}

// Snapshot is a database at one moment, opened on first use, for concurrent use.
type Snapshot struct {
	Path    string
	TempDir string // for copies; "" means the system's

	mu  sync.Mutex
	db  *DB
	err error // why it cannot be read
}

// attempts and pause limit the waiting for a writer to about a second.
const (
	attempts = 6
	pause    = 15 * time.Millisecond // doubled each time
)

// View opens a database for fn, see [Snapshot.View].
func View(ctx context.Context, path, tempDir string, fn func(*DB) error) error {
	s := Snapshot{Path: path, TempDir: tempDir}
	return errors.Join(s.View(ctx, fn), s.Close())
}

// View calls fn with the database, and again if a writer was active or the file changed: fn starts afresh
// each time. A failure is remembered.
func (s *Snapshot) View(ctx context.Context, fn func(*DB) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for try, wait := 1, pause; s.err == nil; try, wait = try+1, 2*wait {
		err := s.view(ctx, fn)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return errors.Join(ctx.Err(), err)
		case !errors.Is(err, files.ErrBusy) || try == attempts:
			s.err = errors.Join(err, s.closeLocked())
			return s.err
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	return s.err
}

func (s *Snapshot) view(ctx context.Context, fn func(*DB) error) (err error) {
	if s.db == nil {
		if s.db, err = Open(ctx, s.Path, s.TempDir); err != nil {
			s.db = nil
			return err
		}
	}
	err = fn(s.db)
	if moved := s.db.Unchanged(); moved != nil {
		return errors.Join(moved, err, s.closeLocked())
	}
	return err
}

// Close closes the database.
func (s *Snapshot) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closeLocked()
}

func (s *Snapshot) closeLocked() (err error) {
	if s.db != nil {
		err = s.db.Close()
	}
	s.db = nil
	return err
}
