package present

import (
	"fmt"

	"github.com/sessionloom/sessionloom/extract"
)

// findingLine words a finding as compilers do, so that editors find the place.
func findingLine(f extract.Finding) string {
	at := f.Note
	if at == "" {
		at = "."
	}
	if f.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, f.Line)
	}
	return at + ": " + f.Kind + ": " + f.Words
}

// CheckLines are the findings of a check, each hint to them once, and the sum.
func CheckLines(r *extract.CheckReport) (findings, hints []string, sum string) {
	told := map[string]bool{}
	for _, f := range r.Findings {
		findings = append(findings, findingLine(f))
		if !told[f.Hint] {
			told[f.Hint] = true
			hints = append(hints, f.Kind+": "+f.Hint)
		}
	}
	end := "nothing found"
	if n := len(r.Findings); n > 0 {
		end = Count(n, "finding")
	}
	return findings, hints, fmt.Sprintf("%s checked: %s", Count(r.Notes, "note"), end)
}

// RepairLines are what a repair found with what became of it, and the sum.
func RepairLines(r *extract.RepairReport) (findings []string, sum string) {
	mended := "repaired"
	if r.DryRun {
		mended = "would be repaired"
	}
	for _, act := range r.Repaired {
		findings = append(findings, findingLine(act.Finding)+": "+mended+": "+act.What)
	}
	for _, act := range r.Left {
		findings = append(findings, findingLine(act.Finding)+": left: "+act.What)
	}
	end := "nothing to repair"
	if len(findings) > 0 {
		end = fmt.Sprintf("%s %s, %s left", Commas(len(r.Repaired)), mended, Commas(len(r.Left)))
	}
	return findings, fmt.Sprintf("%s checked: %s", Count(r.Notes, "note"), end)
}
