package terminal

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

// Who is asked for the vault may answer, with or without Enter, or end it at once.
func TestQuestion(t *testing.T) {
	for _, answer := range [][2]string{{"~/Notes\n", "~/Notes"}, {" ~/Notes ", "~/Notes"}, {"\n", ""}} {
		typed, want := answer[0], answer[1]
		var said strings.Builder
		p := &Printer{Err: &said}
		got, err := p.Ask(t.Context(), strings.NewReader(typed), "Where? ")
		if got != want || err != nil {
			t.Errorf("%q is taken for %q, %v", typed, got, err)
		}
		if whole := strings.HasSuffix(said.String(), "\n"); whole == strings.HasSuffix(typed, "\n") {
			t.Errorf("%q: it said %q", typed, said.String())
		}
	}
	silent := &Printer{Err: new(strings.Builder)}
	if _, err := silent.Ask(t.Context(), strings.NewReader(""), "Where? "); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("no answer is taken for one: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	waits, typing := io.Pipe()
	defer typing.Close()
	p := &Printer{Err: new(strings.Builder)}
	if got, err := p.Ask(ctx, waits, "Where? "); !errors.Is(err, context.Canceled) {
		t.Errorf("it still waits: %q, %v", got, err)
	}
}
