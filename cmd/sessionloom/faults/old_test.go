//go:build unix

package faults

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// What another version left is migrated, made again or refused; the notes stay
// what they are, those of sources that are gone too, and with them what a human
// wrote.
func TestStateOfOtherVersions(t *testing.T) {
	p := newPlace(t, small, middle)
	p.sync(0)
	p.must(os.Rename(p.at("copilot/session-state/"+middle), p.at("gone")))
	p.sync(0)
	note := p.noteOf(small)
	p.write(note, append(p.read(note), "\nWritten by hand.\n"...))
	p.sync(0)
	ledgers, err := filepath.Glob(p.at("state/*/ledger.db"))
	p.must(errors.Join(err, os.MkdirAll(p.at("state"), 0o700)))
	if len(ledgers) != 1 {
		t.Fatalf("%d ledgers", len(ledgers))
	}
	ledger, _ := filepath.Rel(p.dir, ledgers[0])
	ways := map[string]func(){
		"an older schema": func() { p.sql(ledger, "UPDATE kv SET value = '1' WHERE key = 'schema'") },
		"a newer schema":  func() { p.sql(ledger, "UPDATE kv SET value = '999' WHERE key = 'schema'") },
		"other tables":    func() { p.remake(ledger, "CREATE TABLE meta(x)", "CREATE TABLE notes(y)") },
		"no schema":       func() { p.sql(ledger, "DELETE FROM kv") },
		"garbage":         func() { p.write(ledger, bytes.Repeat([]byte("garbage "), 5000)) },
		"a part of it":    func() { p.write(ledger, p.read(ledger)[:5000]) },
		"an empty file":   func() { p.write(ledger, nil) },
		"nothing":         func() { p.must(os.Remove(p.at(ledger))) },
	}
	before := tree(t, p.vault)
	for way, do := range ways {
		do()
		p.sync(0)
		expect.Is(t, differences(before, tree(t, p.vault), true), "", way, "in place of the ledger: the pass writes")
		p.sync(0)
	}
	p.steady("after all of them")
	proved(t, "ledger of an older or newer version, foreign, cut, gone", len(ways), 2*len(ways), "no note is written, also none whose source is gone")
}

// A note that a newer version wrote is left to it.
func TestNoteOfANewerVersion(t *testing.T) {
	p := newPlace(t, middle)
	p.add(small, 0.5)
	p.sync(0)
	note := p.noteOf(small)
	newer := regexp.MustCompile(`(?m)^version \d+$`).ReplaceAll(p.read(note), []byte("version 999"))
	if bytes.Equal(newer, p.read(note)) {
		t.Fatal("the note names no version")
	}
	p.write(note, newer)
	p.add(small, 1)
	out := p.run("sync")
	if !bytes.Equal(p.read(note), newer) {
		t.Errorf("the note was written: %s", out)
	}
	expect.Has(t, out.stdout+out.stderr, "version", "nobody is", out)
	proved(t, "note of a newer version", 1, 1, "left alone and told of")
}

// noteOf is the path of the note of a session.
func (p *place) noteOf(session string) string {
	p.t.Helper()
	at := p.sessionNotes()[session]
	if at == "" {
		p.t.Fatalf("no note of %s", session)
	}
	return "vault/" + at
}
