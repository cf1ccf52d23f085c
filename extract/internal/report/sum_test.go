package report

import (
	"errors"
	"testing"

	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/vault"
)

// A note that failed in one run and stood after all in the next did not fail.
func TestNoteWrittenAfterAllDidNotFail(t *testing.T) {
	first, second := NewRecorder("Agents", false, false), NewRecorder("Agents", false, false)
	first.Fail(ledger.DueSession, "x", "session:x", "x.md", errors.New("read-only file system"))
	second.Written("session:x", ledger.NoteRow{}, vault.Result{Outcome: vault.Unchanged, Path: "x.md"})
	before, r := first.Finish(nil), second.Finish(nil)
	if !before.Part() {
		t.Error("the first run is told as whole")
	}
	if r.Add(&before); r.Part() || r.Notes != (NoteCounts{Unchanged: 1}) || len(r.Problems) > 0 {
		t.Errorf("%+v, %v", r.Notes, r.Problems)
	}
}
