package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/ledger"
)

// Scripts and schedulers rely on the codes.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		name string
		ctx  context.Context
		err  error
		code int
		said string
	}{
		{"done", t.Context(), nil, 0, ""},
		{"failed", t.Context(), errors.New("disk on fire"), 1, "error: disk on fire\n"},
		{"usage", t.Context(), exit.Usage("do that", "wrong key %q", "x"), 2, "error: wrong key \"x\"\nhint: do that\n"},
		{"in part", t.Context(), exit.Silent(exitPartial), 3, ""},
		{"locked", t.Context(), explain(fmt.Errorf("open: %w (process 12)", ledger.ErrLocked)), 11, "process 12"},
		{"held", t.Context(), explain(&extract.HeldError{What: "many notes are gone", Hint: "use --force"}), 1, "hint: use --force\n"},
		{"disk full", t.Context(), explain(fmt.Errorf("write: %w", syscall.ENOSPC)), 1, "hint: free some space"},
		{"interrupted", stopped, fmt.Errorf("read: %w", context.Canceled), 130, ""},
		{"interrupted in a query", stopped, errors.New("interrupted"), 130, "error: interrupted\n"},
		{"pipe closed", t.Context(), fmt.Errorf("export: %w", terminal.ErrClosed), 0, ""},
	} {
		var errs bytes.Buffer
		if code := finish(test.ctx, &terminal.Printer{Err: &errs}, test.err); code != test.code {
			t.Errorf("%s: exit code %d, want %d", test.name, code, test.code)
		}
		if said := errs.String(); !strings.Contains(said, test.said) || test.said == "" && said != "" {
			t.Errorf("%s: said %q, want %q", test.name, said, test.said)
		}
	}
}

// brokenWriter fails as a pipe or a disk does.
type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestClosedPipeIsNoFailure(t *testing.T) {
	for err, code := range map[error]int{syscall.EPIPE: exitDone, io.ErrShortWrite: exitFailed} {
		var errs bytes.Buffer
		p := &terminal.Printer{Out: brokenWriter{err}, Err: &errs}
		p.Say("a line")
		if got := finish(t.Context(), p, nil); got != code {
			t.Errorf("%v: exit code %d, want %d", err, got, code)
		}
	}
}
