package main

import (
	"database/sql"
	"path/filepath"
	"testing"
)

// What the state folder knows of a note cannot be read: no other note is written
// as if there were none, and the next run does without what was damaged.
func TestStateThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	a := s.begins(alpha, widget).asks("Write a parser").says("Written.").leaves()
	s.pass(s.vault)
	day := "day:" + s.clock.Format("2006-01-02")
	if s.noteText(day) == "" {
		t.Fatal("there is no page of the day")
	}
	found, err := filepath.Glob(filepath.Join(s.vault+".state", "*", "ledger.db"))
	s.check(err)
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(found[0]))
	s.check(err)
	if _, err := db.Exec("UPDATE notes SET size='much' WHERE id=?", day); err != nil {
		t.Fatal(err)
	}
	s.check(db.Close())
	before := walk(t, s.vault)
	a.asks("And now?").says("Tests.").leaves()
	if _, stderr, code := s.pass(s.vault); code != exitFailed {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	if d := differences(before, walk(t, s.vault), true); d != "" {
		t.Errorf("notes were written without what they link to:\n%s", d)
	}
	s.passes(s.vault)
	s.shows(alpha, "And now?", "[[Agents/journal/")
	s.staysTheSame("afterwards", s.vault, exitDone, walk(t, s.vault))
}
