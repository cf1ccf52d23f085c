//go:build unix

package main

import (
	"bytes"
	"syscall"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
)

func TestFirstSignalEndsTheContextOnly(t *testing.T) {
	var errs bytes.Buffer
	ctx, stop := interruptible(&terminal.Printer{Err: &errs})
	defer stop()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
}
