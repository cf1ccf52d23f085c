//go:build unix

package main

import (
	"bytes"
	"syscall"
	"testing"
)

func TestFirstSignalEndsTheContextOnly(t *testing.T) {
	var errs bytes.Buffer
	ctx, stop := interruptible(&printer{err: &errs})
	defer stop()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
}
