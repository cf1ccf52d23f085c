package main

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// state is the state folder of the vault.
func (d *damaged) state() string {
	d.Helper()
	states, err := filepath.Glob(filepath.Join(d.dir+".state", "*"))
	if err != nil || len(states) != 1 {
		d.Fatal(states, err)
	}
	return states[0]
}

// inLedger changes the ledger behind the program's back.
func (d *damaged) inLedger(do func(*ledger.Ledger)) {
	d.Helper()
	l, err := ledger.Open(d.state(), ledger.Options{})
	if err != nil {
		d.Fatal(err)
	}
	do(l)
	if err := errors.Join(l.Commit(), l.Close()); err != nil {
		d.Fatal(err)
	}
}

// ledgerDamages are the classes of damage to what is remembered, or between it
// and the vault.
var ledgerDamages = map[string]struct {
	harm func(d *damaged)
	want []string
	left bool
}{
	"a row has another hash": {harm: func(d *damaged) {
		d.inLedger(func(l *ledger.Ledger) {
			row, _ := l.Note("home")
			row.Hash = "0123456789abcdef"
			l.PutNote(row, true)
		})
	}, want: []string{"ledger Home.md"}},
	"a row has facts nobody can read": {harm: func(d *damaged) {
		d.inLedger(func(l *ledger.Ledger) {
			row, _ := l.Note("home")
			row.Facts = []byte("{")
			l.PutNote(row, true)
		})
	}, want: []string{"ledger Home.md"}},
	"a row without a note": {harm: func(d *damaged) {
		d.inLedger(func(l *ledger.Ledger) {
			row, _ := l.Note("home")
			row.ID, row.Path = "day:2031-01-01", "journal/2031-01-01.md"
			l.PutNote(row, true)
		})
	}, want: []string{"ledger journal/2031-01-01.md"}},
	"a note without a row": {harm: func(d *damaged) {
		d.inLedger(func(l *ledger.Ledger) { l.DropNote("day:2026-11-05") })
	}, want: []string{"ledger " + hurtDay}},
	"a deleted note stands": {harm: func(d *damaged) {
		at := d.read(hurtDay)
		if err := os.Remove(d.at(hurtDay)); err != nil {
			d.Fatal(err)
		}
		d.sync()
		d.write(hurtDay, at)
	}, want: []string{"tombstone " + hurtDay}, left: true},
	"pages of the file are zeros": {harm: func(d *damaged) {
		file := filepath.Join(d.state(), ledgerName)
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		if err != nil {
			d.Fatal(err)
		}
		for page := int64(3); page < 12; page++ {
			if _, err := f.WriteAt(make([]byte, 4096), page*4096); err != nil {
				d.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			d.Fatal(err)
		}
	}, want: []string{"ledger "}},
	"no ledger at all": {harm: func(d *damaged) {
		if err := os.WriteFile(filepath.Join(d.state(), ledgerName), []byte("no database"), 0o600); err != nil {
			d.Fatal(err)
		}
	}, want: []string{"ledger "}},
	"others can look into the state folder": {harm: func(d *damaged) {
		if err := os.Chmod(d.state(), 0o755); err != nil {
			d.Fatal(err)
		}
	}, want: []string{"open "}},
	"the marker of the vault is gone": {harm: func(d *damaged) {
		if err := os.Remove(d.at(".sessionloom/vault.yaml")); err != nil {
			d.Fatal(err)
		}
	}, want: []string{"vault .sessionloom/vault.yaml"}, left: true},
	"the marker of the vault cannot be read": {harm: func(d *damaged) { d.write(".sessionloom/vault.yaml", "id: [") },
		want: []string{"vault .sessionloom/vault.yaml"}, left: true},
}

// TestCheckNamesDamageOfTheLedger: what is remembered may be damaged in any way,
// it is named, and a repair makes it agree with the vault again without a change
// of any note.
func TestCheckNamesDamageOfTheLedger(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs permission bits")
	}
	for name, c := range ledgerDamages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := weaveSmall(t)
			if found := checked(t, "", d.dir); len(found) > 0 { // the memory of a sound vault
				t.Fatal(found)
			}
			c.harm(d)
			before := walk(t, d.dir)
			found := kindsOf(checked(t, "", d.dir, "--full"))
			if strings.HasPrefix(name, "pages") { // any part of it may be what cannot be read
				found = slices.Compact(slices.DeleteFunc(found, func(s string) bool { return s != "ledger " }))
			}
			if !slices.Equal(found, c.want) {
				t.Fatalf("found %q, want %q", found, c.want)
			}
			if c.want[0][:5] == "vault" {
				return // no run goes on
			}
			r, _ := d.repair()
			expect.Is(t, c.left, len(r.Left) > 0, "left", r.Left)
			if diff := differences(before, walk(t, d.dir), false); diff != "" && !c.left {
				t.Errorf("a repair of the ledger changed the vault:\n%s", diff)
			}
			if now := kindsOf(checked(t, "", d.dir, "--full")); len(now) > 0 != c.left {
				t.Errorf("found after the repair: %q", now)
			}
		})
	}
}

// TestCheckSeesALedgerThatChanged: without --full too, and without a note that
// changed.
func TestCheckSeesALedgerThatChanged(t *testing.T) {
	t.Parallel()
	d := weaveSmall(t)
	for range 2 {
		if found := checked(t, "", d.dir); len(found) > 0 {
			t.Fatal(found)
		}
	}
	d.inLedger(func(l *ledger.Ledger) { l.DropNote("day:2026-11-05") })
	for range 2 { // what is wrong is not taken for agreed
		expect.List(t, kindsOf(checked(t, "", d.dir)), []string{"ledger " + hurtDay}, "found")
	}
}

// TestADamagedIDIsNoDeletion: what is left of a note whose id was cut or flipped
// stays as it is, is told of, and gets no tombstone; a repair brings it back.
func TestADamagedIDIsNoDeletion(t *testing.T) {
	t.Parallel()
	d := weaveSmall(t)
	sound := walk(t, d.dir)
	for _, harm := range []func(){
		func() { d.write(hurtDay, "---\nid: \"day:20") },
		func() { d.edit(hurtSession, "id: \"session:f7cdb2e6", "id: \"session:f7cdb2e7") },
	} {
		harm()
		day, session := d.read(hurtDay), d.read(hurtSession)
		for range 2 {
			d.sync()
		}
		if _, err := os.Stat(d.at(".sessionloom/tombstones")); err == nil || d.read(hurtDay) != day || d.read(hurtSession) != session {
			t.Errorf("a damaged id was taken for a wish:\n%s", differences(sound, walk(t, d.dir), false))
		}
		if len(checked(t, "", d.dir)) == 0 {
			t.Error("it is not told of")
		}
		d.repair()
		d.sync()
		now := walk(t, d.dir)
		maps.DeleteFunc(now, func(p string, _ content) bool { return strings.HasPrefix(p, "Agents/.sessionloom/rescued/") })
		expect.Is(t, differences(sound, now, false), "", "repaired to another vault")
	}
}
