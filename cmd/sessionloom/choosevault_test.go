package main

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
)

// A command to be copied holds the path as a shell takes it, and nothing in it
// speaks to the terminal.
func TestCommandsForVaults(t *testing.T) {
	for path, want := range map[string]string{
		"/home/ada/Vault":          "~/Vault",
		"/home/ada/My Vault":       "~/'My Vault'",
		"/mnt/it's":                `'/mnt/it'\''s'`,
		"/mnt/\x1b[2J\u202e\nhint": `"/mnt/\x1b[2J\u202e\nhint"`,
	} {
		if got := severalVaults([]obsidian.Vault{{Path: path}}, "/home/ada"); !strings.HasSuffix(got, "--vault "+want) {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

// Who is asked for the vault may answer, with or without Enter, or end it at once.
func TestQuestion(t *testing.T) {
	for _, answer := range [][2]string{{"~/Notes\n", "~/Notes"}, {" ~/Notes ", "~/Notes"}, {"\n", ""}, {"", ""}} {
		typed, want := answer[0], answer[1]
		var said strings.Builder
		p := &printer{err: &said}
		got, err := p.ask(t.Context(), strings.NewReader(typed), "Where? ")
		if got != want || err != nil {
			t.Errorf("%q is taken for %q, %v", typed, got, err)
		}
		if whole := strings.HasSuffix(said.String(), "\n"); whole == strings.HasSuffix(typed, "\n") {
			t.Errorf("%q: it said %q", typed, said.String())
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	waits, typist := io.Pipe()
	defer typist.Close()
	p := &printer{err: new(strings.Builder)}
	if got, err := p.ask(ctx, waits, "Where? "); !errors.Is(err, context.Canceled) {
		t.Errorf("it still waits: %q, %v", got, err)
	}
}
