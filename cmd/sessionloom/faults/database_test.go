//go:build unix

package faults

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

const page = 4096 // bytes of a page of the databases of a history

// A database with any page turned over, emptied or cut off leaves the rest of
// the pass alone, is not touched, and panics nobody.
func TestCorruptDatabases(t *testing.T) {
	p := newHistory(t)
	p.sync(0)
	type damage struct {
		name, way string
		at        int
	}
	var points []damage
	for _, name := range []string{store, todos, chatState} {
		for at := 0; at < len(p.read(name)); at += page {
			for _, way := range []string{"turned over", "emptied", "cut off", "cut within"} {
				points = append(points, damage{name, way, at})
			}
		}
	}
	some := thin(points)
	before := tree(t, p.vault)
	for _, d := range some {
		body := p.read(d.name)
		bad := bytes.Clone(body)
		switch d.way {
		case "turned over":
			for i := d.at; i < d.at+page; i++ {
				bad[i] ^= 0xff
			}
		case "emptied":
			clear(bad[d.at : d.at+page])
		case "cut off":
			bad = bad[:d.at]
		case "cut within":
			bad = bad[:d.at+page/2]
		}
		what := fmt.Sprintf("page %d of %s %s", d.at/page, d.name, d.way)
		p.write(d.name, bad)
		was := p.sources()
		p.endures(what)
		p.stands(what, before, was)
		p.write(d.name, body)
	}
	p.sound("after the databases were put back")
	proved(t, "page of a database turned over, emptied, cut", len(some), len(some), "the rest is read, nothing is touched, afterwards as at rest")
}

// A database that is none, or that wants us to run what it brought, is left.
func TestHostileDatabases(t *testing.T) {
	p := newHistory(t)
	p.sync(0)
	before := tree(t, p.vault)
	rows := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT "
	ways := map[string]func(name string){
		"empty":            func(name string) { p.write(name, nil) },
		"no database":      func(name string) { p.write(name, bytes.Repeat([]byte("no database "), 999)) },
		"a header alone":   func(name string) { p.write(name, p.read(name)[:100]) },
		"garbage for -wal": func(name string) { p.write(name+"-wal", bytes.Repeat([]byte("garbage!"), 9999)) },
		"garbage for both": func(name string) {
			p.write(name+"-wal", bytes.Repeat([]byte("garbage!"), 9999))
			p.write(name+"-shm", bytes.Repeat([]byte("garbage!"), 4096))
		},
		"garbage for -journal": func(name string) { p.write(name+"-journal", bytes.Repeat([]byte("garbage!"), 9999)) },
		"a schema of the future": func(name string) {
			p.sql(name, "PRAGMA user_version = 99999", "CREATE TABLE schema_version2(v)", "INSERT INTO schema_version2 VALUES(9)")
		},
		"views that never end": func(name string) {
			p.remake(name, "CREATE VIEW sessions AS "+rows+"i AS id, i AS summary FROM n", "CREATE VIEW todos AS "+rows+"i AS id, i AS title FROM n",
				"CREATE VIEW ItemTable AS "+rows+"i AS key, i AS value FROM n")
		},
		"columns that are made": func(name string) {
			p.remake(name, "CREATE TABLE todos(id TEXT, title TEXT AS (hex(zeroblob(100))) VIRTUAL, status)", "INSERT INTO todos(id, status) VALUES('x', 1.5)",
				"CREATE TABLE sessions(id TEXT, summary AS (hex(zeroblob(9))) VIRTUAL, created_at)", "INSERT INTO sessions(id, created_at) VALUES('"+middle+"', 9e99)")
		},
		"values of other types": func(name string) {
			p.remake(name, "CREATE TABLE todos(id, title, status)", "INSERT INTO todos VALUES(x'00ff', 1e308, NULL), (NULL, x'fffe', x''), (9223372036854775807, '', -1)",
				"CREATE TABLE sessions(id, cwd, summary, created_at)", "INSERT INTO sessions VALUES('"+middle+"', x'ff00', 12, x'00')",
				"CREATE TABLE ItemTable(key, value)", "INSERT INTO ItemTable VALUES('chat.ChatSessionStore.index', 12), (NULL, x'ff')")
		},
		"huge values": func(name string) {
			p.remake(name, "CREATE TABLE todos(id, title, status)", "INSERT INTO todos VALUES('x', hex(zeroblob(4000000)), '')",
				"CREATE TABLE sessions(id, summary, created_at)", "INSERT INTO sessions VALUES('"+middle+"', hex(zeroblob(4000000)), '')",
				"CREATE TABLE ItemTable(key, value)")
		},
		"triggers": func(name string) {
			p.remake(name, "CREATE TABLE todos(id, title, status)", "CREATE TABLE sessions(id, summary)",
				"CREATE TRIGGER t AFTER INSERT ON todos BEGIN DELETE FROM sessions; END", "CREATE TABLE ItemTable(key UNIQUE ON CONFLICT REPLACE, value BLOB)")
		},
	}
	runs := 0
	for i, name := range []string{store, todos, chatState} {
		body := p.read(name)
		for j, way := range slices.Sorted(maps.Keys(ways)) {
			if *every > 1 && j%3 != i { // each of them once
				continue
			}
			runs++
			ways[way](name)
			was := p.sources()
			p.endures(way + ": " + name)
			p.stands(way+": "+name, before, was)
			for _, suffix := range []string{"-wal", "-shm", "-journal"} {
				p.must(os.RemoveAll(p.at(name + suffix)))
			}
			p.write(name, body)
		}
	}
	p.sound("after the databases were put back")
	proved(t, "hostile database: none, garbage beside it, views, generated columns, wrong types, huge values", runs, runs, "the rest is read, nothing is touched")
}

// remake makes a database again of statements.
func (p *place) remake(name string, statements ...string) {
	p.t.Helper()
	p.must(os.Remove(p.at(name)))
	p.sql(name, statements...)
}

// A database that another program holds is left for the next pass, soon.
func TestHeldDatabases(t *testing.T) {
	t.Parallel() // most of it is waiting
	p := newHistory(t)
	points := 0
	for _, name := range []string{store, todos, chatState} {
		for _, mode := range []string{"WAL", "DELETE"} {
			p.sql(name, "PRAGMA journal_mode = "+mode)
			db, err := sql.Open("sqlite", "file:"+p.at(name)+"?_pragma=locking_mode(EXCLUSIVE)")
			p.must(err)
			db.SetMaxOpenConns(1)
			for _, s := range []string{"BEGIN EXCLUSIVE", "CREATE TABLE held(n)"} {
				_, err := db.Exec(s)
				p.must(err)
			}
			out := p.endures("held: " + name)
			if mode == "DELETE" && (out.code != 3 || !strings.Contains(out.stderr, "busy")) {
				t.Errorf("%s is held, and nobody is told: %s", name, out)
			}
			_, err = db.Exec("ROLLBACK")
			p.must(errors.Join(err, db.Close()))
			points++
		}
	}
	p.sound("after they were let go")
	proved(t, "database held by BEGIN EXCLUSIVE", points, points, "left for the next pass, which is as at rest")
}

// A store whose writer comes and goes and cleans up is read at one moment.
func TestLiveDatabase(t *testing.T) {
	p := newHistory(t)
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() {
		var err error
		for n := 0; err == nil; n++ {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
				var db *sql.DB
				if db, err = sql.Open("sqlite", "file:"+p.at(store)+"?_pragma=busy_timeout(9000)&_pragma=wal_autocheckpoint(1)"); err == nil {
					_, err = db.Exec("UPDATE sessions SET summary = 'A title', branch = 'branch-' || ? WHERE id = ?", n, small)
					err = errors.Join(err, db.Close())
				}
				time.Sleep(time.Millisecond)
			}
		}
		stopped <- err
	}()
	runs := 2 + 100 / *every
	for range runs {
		p.endures("while the store is written")
	}
	close(stop)
	p.must(<-stopped)
	p.sound("after the store was written")
	proved(t, "store whose writer opens, writes, checkpoints, closes all the time", runs, runs, "one moment or the next pass; afterwards as at rest")
}

// A disk that fails while a database or a log is read costs that item alone.
func TestReadErrors(t *testing.T) {
	p := newHistory(t)
	p.sync(0)
	before := tree(t, p.vault)
	type point struct {
		name, call string
		when       int
	}
	var points []point
	for _, name := range []string{store, todos, chatState, eventLog, chatLog, workspace} {
		for when := 1; when <= 12; when++ {
			points = append(points, point{name, "pread64,read", when})
		}
		points = append(points, point{name, "openat", 1}, point{name, "newfstatat,fstat", 1})
	}
	some := thin(points)
	for _, at := range some {
		wrapper := strace(t, "-P", p.at(at.name), "-e", fmt.Sprintf("inject=%s:error=EIO:when=%d", at.call, at.when))
		what := fmt.Sprintf("%s %d of %s fails", at.call, at.when, at.name)
		out := p.runUnder(wrapper, "sync", "--full")
		if out.code != 0 && (out.code != 3 || !strings.Contains(out.stderr, "error")) {
			t.Fatalf("%s: %s", what, out)
		}
		p.stands(what, before, nil)
	}
	p.sound("after the disk was mended")
	proved(t, "EIO at each read of a database, log or sidecar", len(some), len(some), "that item is named, the rest is read, afterwards as at rest")
}
