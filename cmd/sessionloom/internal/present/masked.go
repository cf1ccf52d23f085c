package present

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/redact"
)

// Masked gives texts with a number in the place of each secret: equal secrets have
// one number in all of them.
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

// PlainLines makes text of a source fit to be shown: each one line, secrets
// masked, nothing in it that could speak to a terminal.
func PlainLines(m extract.Masker, lines ...string) ([]string, error) {
	out, err := Masked(m, lines...)
	for i, l := range out {
		out[i] = Clean(strings.Join(strings.Fields(l), " "))
	}
	return out, err
}

// maskedError is an error that says no secret: what failed may quote a path or a
// line of a transcript.
type maskedError struct {
	text string
	err  error
}

// Error is the text without its secrets.
func (e *maskedError) Error() string { return e.text }

// Unwrap tells what it was, for hints.
func (e *maskedError) Unwrap() error { return e.err }

// HideSecrets masks an error of a whole pass. One that says no secret is returned
// as it is.
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
