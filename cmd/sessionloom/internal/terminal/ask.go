package terminal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// ErrNoAnswer says that the typing ended before a question was answered.
var ErrNoAnswer = errors.New("no answer")

// Interactive tells whether a person can be asked.
func (p *Printer) Interactive(in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && p.ErrTTY && term.IsTerminal(int(f.Fd()))
}

// Asking tells whether a question waits for its answer.
func (p *Printer) Asking() bool { return p.asking.Load() }

// Ask puts a question on standard error and gives the line typed on in. It returns
// the error of ctx where that ends first, and [ErrNoAnswer] where in does.
func (p *Printer) Ask(ctx context.Context, in io.Reader, question string) (string, error) {
	p.bar.clear()
	p.asking.Store(true)
	defer p.asking.Store(false)
	fmt.Fprint(p.Err, question)
	type reply struct {
		line string
		err  error
	}
	typed := make(chan reply, 1)
	go func() { // a terminal cannot be told to wait no longer
		line, err := bufio.NewReader(in).ReadString('\n')
		typed <- reply{strings.TrimSpace(line), err}
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(p.Err)
		return "", ctx.Err()
	case r := <-typed:
		switch {
		case r.err == nil:
			return r.line, nil
		case errors.Is(r.err, io.EOF): // nobody pressed Enter
			fmt.Fprintln(p.Err)
			if r.line == "" {
				return "", ErrNoAnswer
			}
			return r.line, nil
		}
		return "", fmt.Errorf("read the answer: %w", r.err)
	}
}
