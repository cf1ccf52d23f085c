package faults

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	_ "modernc.org/sqlite" // to look into the ledger
)

// A folder that could not be synced is not trusted, though the next sync of it
// says that all is well: the disk tells of an error once.
func TestFolderNotSynced(t *testing.T) {
	needsTracing(t)
	d := operationOf(t, "session grew, notes edited")
	want := d.undisturbed(t)
	runs, step := 0, 1
	if *every == sampled {
		step = 3
	}
	for n := 1; ; n += step {
		p := d.begin(t)
		k, met := 0, false
		out := p.traced(func(c call) fate {
			info, err := os.Stat(c.path)
			if c.name != "fsync" || !strings.HasPrefix(c.path, p.vault) || err != nil || !info.IsDir() {
				return fate{}
			}
			if k++; k != n {
				return fate{}
			}
			met = true
			return fate{errno: syscall.EIO}
		}, d.line(p)...)
		if !met {
			break
		}
		runs++
		p.toldOf("a folder is not synced", out)
		if out.code == 0 {
			t.Errorf("sync %d of a folder fails: it says that all is done: %s", n, out)
		}
		// What it wrote is due again, for nobody knows whether it lasts.
		if p.dueInLedger() == 0 {
			t.Errorf("sync %d of a folder fails: nothing is due: %s", n, out)
		}
		d.end(p, "a folder is not synced")
		p.as("a folder is not synced", want)
	}
	if runs == 0 {
		t.Error("no folder is synced at all")
	}
	proved(t, "EIO at the sync of each folder of the vault, once", runs, runs, "never reported as done; next run = undisturbed")
}

// Notes that are gone together with the vault's marker were not deleted by a
// human: it happens between the look at the marker and that at the notes.
func TestMissingWithTheVault(t *testing.T) {
	needsTracing(t)
	p := placeIn(t, memoryDir(t), small)
	p.sync(0)
	managed := filepath.Join(p.vault, "Agents")
	at := ""
	out := p.traced(inside(p, nth(1, func(c call) fate {
		at = p.inPlace(c)
		entries, err := os.ReadDir(managed)
		for _, e := range entries {
			if e.Name() != ".sessionloom" {
				err = errors.Join(err, os.RemoveAll(filepath.Join(managed, e.Name())))
			}
		}
		p.must(errors.Join(err, os.Remove(filepath.Join(managed, ".sessionloom/vault.yaml"))))
		return fate{}
	})), "sync")
	if out.code != 1 || !strings.Contains(out.stderr, "hint: ") {
		t.Errorf("at %s: %s", at, out)
	}
	if left := tree(t, managed); len(left) != 1 {
		t.Errorf("something was written where the vault was: %v", left)
	}
	proved(t, "notes and marker deleted between the look at the marker and that at the notes", 1, 1, "the pass stops; no tombstone")
}

// dueInLedger counts what the ledger says is to be written yet: all, where there is
// none.
func (p *place) dueInLedger() (n int) {
	p.t.Helper()
	found, err := filepath.Glob(filepath.Join(p.state, "*", "ledger.db"))
	p.must(err)
	if len(found) == 0 {
		return 1
	}
	db, err := sql.Open("sqlite", "file:"+found[0]+"?mode=ro")
	p.must(err)
	defer func() { _ = db.Close() }()
	p.must(db.QueryRowContext(p.t.Context(), "SELECT count(*) FROM render_queue").Scan(&n))
	return n
}
