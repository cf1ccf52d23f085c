package present

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/redact"
)

// findingLine writes a finding as compilers do, so that editors find the place.
func findingLine(f extract.Finding) string {
	at := cmp.Or(f.Note, ".")
	if f.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, f.Line)
	}
	return at + ": " + f.Kind + ": " + f.Words
}

// CheckLines returns the findings of a check, each hint once, and a summary.
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
	sum = fmt.Sprintf("%s checked: %s", Count(r.Notes, "note"), end)
	if n := len(r.Rescued); n > 0 {
		sum += fmt.Sprintf("; %s of yours in %s", Count(n, "text"), path.Dir(r.Rescued[0]))
	}
	return findings, hints, sum
}

// RepairLines returns the findings of a repair with what was done, and a summary.
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
		end = fmt.Sprintf("%s %s, %s left", Count(len(r.Repaired), "finding"), mended, Commas(len(r.Left)))
	}
	return findings, fmt.Sprintf("%s checked: %s", Count(r.Notes, "note"), end)
}

// Failures returns the problems of a run as errors with hints.
func Failures(problems []extract.Problem, home string) []*exit.Error {
	var out []*exit.Error
	for _, p := range problems {
		what := cmp.Or(p.Path, p.Item)
		f := &exit.Error{Code: exit.CodePartial, Hint: p.Hint, Err: fmt.Errorf("%s", p.Error)}
		if what != "" && !strings.Contains(p.Error, what) {
			f.Err = fmt.Errorf("%s: %s", homepath.Tilde(what, home), p.Error)
		}
		out = append(out, f)
	}
	return out
}

// Masked returns texts with numbers in place of secrets, equal for equal ones.
func Masked(m extract.Masker, texts ...string) ([]string, error) {
	out := make([]string, len(texts))
	for i, text := range texts {
		var err error
		if out[i], err = m.Text(text); err != nil {
			return nil, err
		}
	}
	return redact.Number(out...), nil
}

// PlainLines makes a source's lines safe to show.
func PlainLines(m extract.Masker, lines ...string) ([]string, error) {
	out, err := Masked(m, lines...)
	for i, l := range out {
		out[i] = Clean(strings.Join(strings.Fields(l), " "))
	}
	return out, err
}

// maskedError is an error without the secrets that it may quote.
type maskedError struct {
	text string
	err  error
}

func (e *maskedError) Error() string { return e.text }

func (e *maskedError) Unwrap() error { return e.err }

// HideSecrets masks an error.
func HideSecrets(m extract.Masker, err error) error {
	if err == nil {
		return nil
	}
	text, failed := Masked(m, err.Error())
	switch {
	case failed != nil:
		return &maskedError{"a text that could not be searched for secrets", err}
	case text[0] == err.Error():
		return err
	}
	return &maskedError{text[0], err}
}
