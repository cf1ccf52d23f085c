package extract

import "github.com/sessionloom/sessionloom/extract/internal/verify"

// Check verifies a vault and what is remembered of it. It writes neither.
type Check = verify.Check

// CheckReport is what a check has to tell (schema 1).
type CheckReport = verify.CheckReport

// Finding is one thing that is wrong.
type Finding = verify.Finding

// Redaction is one place of a transcript where a secret is masked.
type Redaction = verify.Redaction
