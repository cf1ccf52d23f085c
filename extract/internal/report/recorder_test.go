package report

import (
	"errors"
	"testing"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// A note that failed in one run and stood after all in the next did not fail.
func TestNoteWrittenAfterAllDidNotFail(t *testing.T) {
	rec := NewRecorder("Agents", false, false)
	rec.Fail(ledger.DueSession, "x", "session:x", "x.md", errors.New("read-only file system"))
	rec.Again()
	rec.Written("session:x", ledger.NoteRow{}, vault.Result{Outcome: vault.Unchanged, Path: "x.md"})
	if r := rec.Finish(); r.Part() || r.Notes != (NoteCounts{Unchanged: 1}) || len(r.Problems) > 0 {
		t.Errorf("%+v, %v", r.Notes, r.Problems)
	}
}
