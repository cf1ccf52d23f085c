package extract

import (
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/remask"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/verify"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

type (
	// Report is what a run did, see [report.Report].
	Report = report.Report
	// SessionCounts counts the sessions a run looked at.
	SessionCounts = report.SessionCounts
	// NoteCounts counts what became of notes.
	NoteCounts = report.NoteCounts
	// SourceReport says what was found and read below one root.
	SourceReport = report.SourceReport
	// Expiring is something that an agent is going to delete by itself.
	Expiring = report.Expiring
	// Problem is a failed item or note.
	Problem = report.Problem
	// Change names a note that a run wrote, moved or removed.
	Change = report.Change
	// KeptNote is a note the run left as its user wants it.
	KeptNote = report.KeptNote
	// PartialSession is a session of which something could not be read.
	PartialSession = report.PartialSession
	// LeftTo is a copy of a session that says nothing of its own.
	LeftTo = report.LeftTo
	// IgnoredFolder is a folder whose sessions are left out.
	IgnoredFolder = report.IgnoredFolder

	// Check verifies a vault and what is remembered of it. It writes neither.
	Check = verify.Check
	// CheckReport is what a check has to tell (schema 1).
	CheckReport = verify.CheckReport
	// Finding is one thing that is wrong.
	Finding = verify.Finding
	// Redaction is one place of a transcript where a secret is masked.
	Redaction = verify.Redaction
	// Masker takes secrets out of texts, see [remask.Masker].
	Masker = remask.Masker
)

// Forgotten gives the id of a session or project that is kept out, false for the
// tombstone of a note that was deleted.
func Forgotten(g ledger.Tombstone) (id string, ok bool) { return index.ForgottenIn(g) }
