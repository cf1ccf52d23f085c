package sqlite_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// TestMain doubles as the other program: a writer in a process of its own, which
// can be killed and does not share locks with the test.
func TestMain(m *testing.M) {
	if path := os.Getenv("SNAPSHOT_TEST_WRITER"); path != "" {
		write(path, os.Getenv("SNAPSHOT_TEST_MODE"))
		return
	}
	os.Exit(m.Run())
}

// write obeys one command a line: "row" inserts, "half" spills half of a
// transaction to disk, "close" closes and opens again. It answers each.
func write(path, mode string) {
	open := func() *sql.DB {
		db, err := sql.Open("sqlite", "file:"+path+"?_pragma=cache_size(1)&_pragma=journal_mode("+mode+")")
		must(err)
		db.SetMaxOpenConns(1)
		_, err = db.Exec("CREATE TABLE IF NOT EXISTS t(n INTEGER, pad TEXT)")
		must(err)
		return db
	}
	db := open()
	fmt.Println("ready")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); fmt.Println("done") {
		switch in.Text() {
		case "row":
			_, err := db.Exec("INSERT INTO t VALUES((SELECT count(*) FROM t), hex(randomblob(500)))")
			must(err)
		case "half":
			_, err := db.Exec("BEGIN; UPDATE t SET pad = hex(randomblob(2000)); INSERT INTO t SELECT 1000, hex(randomblob(2000)) FROM t;")
			must(err)
		case "close":
			must(db.Close())
			db = open()
		case "quit":
			must(db.Close())
			return
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// writer drives the other program.
type writer struct {
	t   *testing.T
	cmd *exec.Cmd
	in  *bufio.Writer
	out *bufio.Scanner
}

func start(t *testing.T, path, mode string) *writer {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SNAPSHOT_TEST_WRITER="+path, "SNAPSHOT_TEST_MODE="+mode)
	in, err := cmd.StdinPipe()
	must(err)
	out, err := cmd.StdoutPipe()
	must(err)
	cmd.Stderr = os.Stderr
	must(cmd.Start())
	w := &writer{t, cmd, bufio.NewWriter(in), bufio.NewScanner(out)}
	w.out.Scan()
	t.Cleanup(w.kill)
	return w
}

func (w *writer) do(commands ...string) {
	w.t.Helper()
	for _, c := range commands {
		fmt.Fprintln(w.in, c)
		w.in.Flush()
		if !w.out.Scan() && c != "quit" {
			w.t.Fatalf("the writer died at %q", c)
		}
	}
}

func (w *writer) quit() { w.do("quit"); w.cmd.Wait() }
func (w *writer) kill() { w.cmd.Process.Kill(); w.cmd.Wait() }

// tree gives name, bytes and modification time of every file of a folder.
func tree(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(err)
	var b strings.Builder
	for _, e := range entries {
		info, err := e.Info()
		must(err)
		fmt.Fprintf(&b, "%s %d %v", e.Name(), info.Size(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			body, err := os.ReadFile(filepath.Join(dir, e.Name()))
			must(err)
			fmt.Fprintf(&b, " %x", sha256.Sum256(body))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// count opens the database, counts the rows of t and demands that neither the
// source folder nor the folder for copies shows a trace of it.
func count(t *testing.T, path string) (n int, err error) {
	t.Helper()
	temp := t.TempDir()
	before := tree(t, filepath.Dir(path))
	defer func() {
		t.Helper()
		expect.Is(t, tree(t, filepath.Dir(path)), before, "reading left a trace:\nbefore", "after")
		expect.Is(t, tree(t, temp), "", "a copy was left behind")
	}()
	db, err := sqlite.Open(context.Background(), path, temp)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	rows, err := db.Query(context.Background(), "SELECT count(*) FROM t")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	rows.Next()
	err = rows.Scan(&n)
	return n, errors.Join(err, db.Unchanged())
}

func wants(t *testing.T, path string, want int) {
	t.Helper()
	if n, err := count(t, path); err != nil || n != want {
		t.Errorf("%d rows, %v; want %d", n, err, want)
	}
}

func TestEveryStateIsReadWithoutATrace(t *testing.T) {
	states := []struct {
		name, mode string
		make       func(t *testing.T, path string, w *writer)
	}{
		{"WAL, closed cleanly", "WAL", func(_ *testing.T, _ string, w *writer) { w.quit() }},
		{"WAL, live writer", "WAL", func(*testing.T, string, *writer) {}},
		{"WAL, killed writer", "WAL", func(_ *testing.T, _ string, w *writer) { w.kill() }},
		{"WAL, killed writer, -shm gone", "WAL", func(_ *testing.T, path string, w *writer) { w.kill(); must(os.Remove(path + "-shm")) }},
		{"WAL, killed writer, -shm garbage", "WAL", func(_ *testing.T, path string, w *writer) {
			w.kill()
			must(os.WriteFile(path+"-shm", []byte(strings.Repeat("x", 32768)), 0o600))
		}},
		{"WAL, killed writer, -wal and -shm garbage", "WAL", func(_ *testing.T, path string, w *writer) {
			w.do("close") // and again: all rows are in the database
			w.kill()
			garbage := []byte(strings.Repeat("garbage!", 8192))
			must(errors.Join(os.WriteFile(path+"-wal", garbage, 0o600), os.WriteFile(path+"-shm", garbage, 0o600)))
		}},
		{"WAL, live writer in a transaction", "WAL", func(_ *testing.T, _ string, w *writer) { w.do("half") }},
		{"WAL, empty -wal left over", "WAL", func(_ *testing.T, path string, w *writer) { w.quit(); must(os.WriteFile(path+"-wal", nil, 0o600)) }},
		{"rollback, closed", "DELETE", func(_ *testing.T, _ string, w *writer) { w.quit() }},
		{"rollback, garbage for a -wal", "DELETE", func(_ *testing.T, path string, w *writer) {
			w.quit()
			must(os.WriteFile(path+"-wal", []byte(strings.Repeat("garbage!", 8192)), 0o600))
		}},
		{"rollback, empty -wal", "DELETE", func(_ *testing.T, path string, w *writer) { w.quit(); must(os.WriteFile(path+"-wal", nil, 0o600)) }},
		{"rollback, live writer", "DELETE", func(*testing.T, string, *writer) {}},
		{"rollback, hot journal", "DELETE", func(_ *testing.T, _ string, w *writer) { w.do("half"); w.kill() }},
	}
	for _, s := range states {
		t.Run(s.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a b?c#d%41.db")
			if runtime.GOOS == "windows" {
				path = filepath.Join(t.TempDir(), "store.db")
			}
			plain := filepath.Join(filepath.Dir(path), "plain.db")
			w := start(t, plain, s.mode)
			w.do(strings.Fields(strings.Repeat("row ", 40))...)
			s.make(t, plain, w)
			wants(t, plain, 40)
			if s.name == "WAL, live writer" {
				w.do("row")
				wants(t, plain, 41)
				return
			}
			for _, suffix := range []string{"", "-wal", "-shm", "-journal"} { // an awkward name
				if body, err := os.ReadFile(plain + suffix); err == nil {
					must(os.WriteFile(path+suffix, body, 0o600))
				}
			}
			if !strings.Contains(s.name, "transaction") {
				wants(t, path, 40)
			}
		})
	}
}

func TestAFolderThatCannotBeWrittenIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	w := start(t, path, "WAL")
	w.do("row", "row")
	w.kill()
	dir := filepath.Dir(path)
	must(os.Chmod(dir, 0o500))
	defer os.Chmod(dir, 0o700)
	wants(t, path, 2)
	must(os.Chmod(dir, 0o700))
	must(os.Remove(path + "-shm"))
	must(os.Chmod(dir, 0o500))
	wants(t, path, 2)
}

func TestAWriterThatComesAndGoesLeavesOneMoment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	w := start(t, path, "WAL")
	w.do("row")
	stop, stopped := make(chan struct{}), make(chan int, 1)
	go func() {
		n := 1
		defer func() { stopped <- n }()
		for {
			select {
			case <-stop:
				return
			default:
				w.do("row", "close")
				n++
			}
		}
	}()
	last := 0
	for range 150 {
		db, err := sqlite.Open(context.Background(), path, t.TempDir())
		if errors.Is(err, files.ErrBusy) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var n, highest int
		rows, err := db.Query(context.Background(), "SELECT count(*), max(n) FROM t")
		must(err)
		rows.Next()
		err = rows.Scan(&n, &highest)
		rows.Close()
		changed := db.Unchanged()
		db.Close()
		if changed != nil {
			continue
		}
		if err != nil || n < last || highest != n-1 {
			t.Fatalf("%d rows up to %d after %d: %v", n, highest, last, err)
		}
		last = n
	}
	close(stop)
	total := <-stopped
	w.quit()
	if last == 0 {
		t.Error("no read succeeded")
	}
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() == 0 {
		t.Error("an empty -wal was left behind")
	}
	wants(t, path, total)
}

func TestWhatIsNoDatabaseIsSaidSo(t *testing.T) {
	dir := t.TempDir()
	path := func(name, body string) string {
		p := filepath.Join(dir, name)
		must(os.WriteFile(p, []byte(body), 0o600))
		return p
	}
	if _, err := count(t, path("garbage", strings.Repeat("no database ", 100))); !errors.Is(err, files.ErrNotDatabase) {
		t.Errorf("garbage: %v", err)
	}
	if _, err := count(t, path("short", "SQL")); !errors.Is(err, files.ErrNotDatabase) {
		t.Errorf("short: %v", err)
	}
	if _, err := count(t, dir); !errors.Is(err, files.ErrNotRegular) {
		t.Errorf("folder: %v", err)
	}
	if _, err := count(t, filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	db, err := sqlite.Open(context.Background(), path("empty", ""), dir)
	if err != nil {
		t.Fatalf("empty: %v", err)
	}
	defer db.Close()
	if c, err := db.Columns(context.Background(), "sessions"); err != nil || len(c) != 0 {
		t.Errorf("empty: %v, %v", c, err)
	}
}

func TestOnlyPlainTablesAreBelieved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	db, err := sql.Open("sqlite", "file:"+path)
	must(err)
	_, err = db.Exec(`CREATE TABLE real(id TEXT, Note TEXT); CREATE VIEW sessions AS SELECT 'x' AS id;
		CREATE VIRTUAL TABLE turns USING fts5(content)`)
	must(err)
	must(db.Close())
	s, err := sqlite.Open(context.Background(), path, t.TempDir())
	must(err)
	defer s.Close()
	for table, want := range map[string]int{"sessions": 0, "turns": 0, "real": 2, "none": 0} {
		if c, err := s.Columns(context.Background(), table); err != nil || len(c) != want {
			t.Errorf("%s: %v, %v", table, c, err)
		}
	}
}

func TestAChangeUnderASnapshotIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	w := start(t, path, "WAL")
	w.do("row")
	w.quit()
	db, err := sqlite.Open(context.Background(), path, t.TempDir())
	must(err)
	defer db.Close()
	must(db.Unchanged())
	w = start(t, path, "WAL")
	w.do("row")
	if err := db.Unchanged(); !errors.Is(err, files.ErrBusy) {
		t.Errorf("a row was written: %v", err)
	}
}

func TestAWriterCannotRemoveItsLogWhileItIsOpened(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no shared locks between programs there")
	}
	path := filepath.Join(t.TempDir(), "store.db")
	w := start(t, path, "WAL")
	w.do("row")
	f, err := os.Open(path)
	must(err)
	defer f.Close()
	must(sqlite.LockShared(f))
	w.quit()
	if _, err := os.Stat(path + "-wal"); err != nil {
		t.Errorf("the lock did not hold: %v", err)
	}
}

func TestCancelledOpening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	w := start(t, path, "DELETE")
	w.do("row")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := sqlite.Open(ctx, path, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
