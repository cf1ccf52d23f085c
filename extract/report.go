package extract

import "github.com/sessionloom/sessionloom/extract/internal/report"

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
