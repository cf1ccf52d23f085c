package memdb

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestMain(m *testing.M) {
	if err := BoundMemory(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// every is a policy that lets all functions of SQLite be called that a test names: what the list
// of functions keeps out must be bounded without it too.
var every = Rules{
	Tables: []string{"t", "v"}, MaxText: 1 << 20,
	Functions: strings.Fields("count sum max length hex zeroblob randomblob replace printf group_concat json_group_array like glob load_extension char substr upper instr json_extract abs random readfile writefile"),
}

func locked(t *testing.T) *DB {
	t.Helper()
	d := expect.Value(Open())(t)
	t.Cleanup(func() {
		Limit(0)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, q := range []string{"CREATE TABLE t(a, b)", "CREATE VIEW v AS SELECT a FROM t", "CREATE TABLE hidden(x)"} {
		expect.OK(t, d.Exec(q))
	}
	s := expect.Value(d.Prepare("INSERT INTO t VALUES(?,?)"))(t)
	for i := range 1000 {
		if _, err := s.Exec(i, strings.Repeat("x", i)); err != nil {
			t.Fatal(err)
		}
	}
	expect.OK(t, errors.Join(s.Close(), d.Lock(every)))
	Limit(16 << 20)
	return d
}

func run(ctx context.Context, d *DB, query string) (rows int, err error) {
	_, err = d.Query(ctx, query, func([]any) error { rows++; return ctx.Err() })
	return rows, err
}

// What is refused leaves no file anywhere, and is refused before it runs.
func TestRefusedStatements(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("TMPDIR", dir)
	t.Setenv("SQLITE_TMPDIR", dir)
	d := locked(t)
	file := filepath.ToSlash(filepath.Join(dir, "out.db"))
	for _, query := range []string{
		"", " ", ";", "-- nothing", "/* nothing",
		"SELECT 1; SELECT 2", "SELECT 1; DROP TABLE t", "SELECT 1;;; SELECT 2", "SELECT 1; /* */ VALUES(1)", "SELECT 1; nonsense",
		"SELECT 1\x00; SELECT 2",
		"INSERT INTO t VALUES(1,2)", "UPDATE t SET a=1", "DELETE FROM t", "DROP TABLE t", "DROP VIEW v", "ALTER TABLE t ADD c", "REPLACE INTO t VALUES(1,2)",
		"WITH x AS (SELECT 1) DELETE FROM t", "WITH x AS (SELECT 1) INSERT INTO t SELECT 1,2", "INSERT INTO t VALUES(1,2) RETURNING a",
		"CREATE TABLE n(a)", "CREATE TEMP TABLE n(a)", "CREATE TEMP VIEW n AS SELECT 1", "CREATE TABLE n AS SELECT 1", "CREATE VIEW n AS SELECT 1",
		"CREATE INDEX i ON t(a)", "CREATE VIRTUAL TABLE f USING fts5(x)", "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END",
		"ATTACH '" + file + "' AS a", "ATTACH ':memory:' AS a", "ATTACH '' AS a", "DETACH main", "VACUUM", "VACUUM INTO '" + file + "'", "VACUUM main INTO '" + file + "'",
		"PRAGMA query_only=0", "PRAGMA journal_mode", "PRAGMA temp_store=FILE", "PRAGMA writable_schema=1", "PRAGMA main.page_count", "PRAGMA temp_store_directory='" + dir + "'",
		"SELECT * FROM pragma_table_list", "SELECT count(*) FROM pragma_database_list", "SELECT 1 FROM pragma_journal_mode", "SELECT * FROM pragma_table_info('t')", `SELECT 1 FROM "PRAGMA_compile_options"`,
		"SELECT * FROM sqlite_schema", "SELECT count(*) FROM sqlite_master", "SELECT 1 FROM main.sqlite_schema", "SELECT * FROM temp.sqlite_temp_schema", "SELECT * FROM dbstat",
		"SELECT * FROM sqlite_dbpage", "SELECT count(*) FROM main.hidden", "SELECT x FROM hidden", "SELECT * FROM bytecode('SELECT 1')", "SELECT * FROM fts5vocab",
		"SELECT count(*) FROM bytecode('SELECT 1')", "SELECT 1 FROM tables_used('SELECT 1')", "SELECT count(*) FROM dbstat", "SELECT count(*) FROM sqlite_dbpage",
		"SELECT ';'; SELECT 2", "SELECT 1 /* ; */; SELECT 2", "SELECT 1 AS [;]; SELECT 2", "SELECT 'it''s;'; SELECT 2", "/* SELECT */ EXPLAIN SELECT 1", "-- SELECT\nREINDEX",
		"SELECT load_extension('x')", "SELECT readfile('/etc/passwd')", "SELECT writefile('" + file + "', 'x')", "SELECT fts5(1)", "SELECT edit('x')", "SELECT sqlite_version()",
		"BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT s", "RELEASE s", "ANALYZE", "REINDEX", "EXPLAIN SELECT 1", "EXPLAIN QUERY PLAN SELECT a FROM t",
		"SELECT " + strings.Repeat("1+", 60_000) + "1", "SELECT " + strings.Repeat("NOT ", 400) + "1",
		"SELECT 1" + strings.Repeat(" UNION ALL SELECT 1", 100), "SELECT ?", "SELECT :a", "SELECT \"nothing\"",
	} {
		if rows, err := run(t.Context(), d, query); err == nil {
			t.Errorf("%.80q runs and gives %d rows", query, rows)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("files were left: %v, %v", left, err)
	}
	if n, err := run(t.Context(), d, "SELECT a FROM v"); n != 1000 || err != nil {
		t.Errorf("afterwards there are %d rows, %v", n, err)
	}
}

// What reads is allowed, in every form that SQL has for it.
func TestAllowed(t *testing.T) {
	d := locked(t)
	for _, query := range []string{
		"SELECT 1", "SELECT 1;", "/* ; */ select ';' AS \"a;b\" -- ; SELECT 2", "\n\tWITH x AS (SELECT 1)\nSELECT * FROM x", "SELECT 'it''s; one' /* not ended ;", "SELECT 1 ; -- done\n ; /* ; */ ", "VALUES(1)", "WITH x AS (SELECT a FROM t) SELECT count(*) FROM x", "WITH x(n) AS (SELECT 1) SELECT n FROM x",
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r WHERE n<3) SELECT count(*) FROM r", "SELECT count(*) FROM t", "SELECT count(*) FROM main.t",
		"SELECT count(*) FROM (SELECT a FROM t ORDER BY b)", "SELECT a FROM t JOIN v USING(a)", "SELECT value FROM json_each('[1,2]')", "SELECT count(*) FROM json_tree('{}')",
		"SELECT a, sum(a) OVER (ORDER BY a) FROM t", "SELECT CASE WHEN a LIKE '1%' THEN 1 END FROM T", "SELECT '; DROP TABLE t'", "SELECT a FROM t UNION SELECT a FROM v EXCEPT SELECT 1",
	} {
		if n, err := run(t.Context(), d, query); err != nil || n == 0 {
			t.Errorf("%q gives %d rows, %v", query, n, err)
		}
	}
}

// What would take all memory ends where the bound is, and the process has not grown beyond it.
func TestMemoryIsBounded(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("SQLITE_TMPDIR", dir)
	d := locked(t)
	before := residentBytes(t)
	const endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) "
	for _, query := range []string{
		"SELECT randomblob(900000000)", "SELECT zeroblob(900000000)", "SELECT hex(zeroblob(900000))", "SELECT printf('%900000000d', 1)", "SELECT printf('%.*c', 900000000, 'x')",
		"SELECT replace(replace(hex(zeroblob(1000)),'0','0000000000'),'0',hex(zeroblob(5000)))",
		endless + "SELECT group_concat(n) FROM r", endless + "SELECT json_group_array(n) FROM r", endless + "SELECT n FROM r ORDER BY hex(n)",
		"WITH RECURSIVE r(n) AS (SELECT 'x' UNION ALL SELECT n||n FROM r) SELECT max(length(n)) FROM r",
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n+1 FROM r) SELECT count(*) FROM r",
		"SELECT x.b FROM t x, t y, t z ORDER BY x.b||y.b", "SELECT DISTINCT x.a, y.a, z.a, hex(x.b) FROM t x, t y, t z", "SELECT count(DISTINCT x.a||y.b||z.b) FROM t x, t y, t z",
		"SELECT x.a, count(*) FROM t x, t y, t z GROUP BY x.b, y.b, z.b", "SELECT sum(x.a) OVER (ORDER BY x.b) FROM t x, t y, t z", "WITH m AS MATERIALIZED (SELECT x.b||y.b AS c FROM t x, t y, t z) SELECT count(*) FROM m, m n",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err := run(ctx, d, query)
		if !errors.Is(err, ErrMemory) && !errors.Is(err, ErrTooLong) && ctx.Err() == nil {
			t.Errorf("%q ends in %v", query, err)
		}
		cancel()
		if grown := residentBytes(t) - before; grown > 128<<20 {
			t.Errorf("%q: the process has grown by %d MB", query, grown>>20)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("files were left: %v, %v", left, err)
	}
}

// What does not end is stopped in time.
func TestTimeIsBounded(t *testing.T) {
	d := locked(t)
	for _, query := range []string{
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT count(*) FROM r", "SELECT count(*) FROM t a, t b, t c, t d",
		"WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT 1 FROM r) SELECT n FROM r WHERE n=2",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		began := time.Now()
		_, err := run(ctx, d, query)
		cancel()
		if err == nil || ctx.Err() == nil || time.Since(began) > 2*time.Second {
			t.Errorf("%q ends in %v after %s", query, err, time.Since(began))
		}
	}
}

func residentBytes(t *testing.T) int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0 // not told on this system
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			var kb int64
			for _, r := range strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")) {
				kb = kb*10 + int64(r-'0')
			}
			return kb << 10
		}
	}
	t.Fatal("no size of the process is told")
	return 0
}
