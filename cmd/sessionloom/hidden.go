package main

import (
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/redact"
)

// hiddenError is an error that says no secret: what failed may quote a path or a
// line of a transcript.
type hiddenError struct {
	text string
	err  error
}

func (e *hiddenError) Error() string { return e.text }

// Unwrap tells what it was, for hints.
func (e *hiddenError) Unwrap() error { return e.err }

// hideSecrets masks an error of a whole pass. One that says no secret is returned
// as it is.
func hideSecrets(m extract.Masker, err error) error {
	if err == nil {
		return nil
	}
	text, failed := m.Text(err.Error())
	if failed != nil {
		return &hiddenError{"a text that could not be searched for secrets", err}
	}
	if text == err.Error() {
		return err
	}
	return &hiddenError{redact.Number(text)[0], err}
}
