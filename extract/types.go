package extract

import (
	"github.com/sessionloom/sessionloom/extract/internal/index"
	"github.com/sessionloom/sessionloom/extract/internal/remask"
	"github.com/sessionloom/sessionloom/extract/internal/report"
	"github.com/sessionloom/sessionloom/extract/internal/verify"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// What a run tells of itself, see [report.Report].
type (
	Report         = report.Report
	SessionCounts  = report.SessionCounts
	NoteCounts     = report.NoteCounts
	SourceReport   = report.SourceReport
	Expiring       = report.Expiring
	Problem        = report.Problem
	Change         = report.Change
	KeptNote       = report.KeptNote
	PartialSession = report.PartialSession
	LeftTo         = report.LeftTo
	IgnoredFolder  = report.IgnoredFolder
)

// Check verifies a vault and what is remembered of it. It writes neither.
type Check = verify.Check

// CheckReport is what a check has to tell (schema 1).
type CheckReport = verify.CheckReport

// Finding is one thing that is wrong.
type Finding = verify.Finding

// Redaction is one place of a transcript where a secret is masked.
type Redaction = verify.Redaction

// Masker takes secrets out of texts, see [remask.Masker].
type Masker = remask.Masker

// Forgotten gives the id of a session or project that is kept out, false for the
// grave of a note that was deleted.
func Forgotten(g ledger.Grave) (id string, ok bool) { return index.ForgottenIn(g) }
