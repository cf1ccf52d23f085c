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

// Interactive tells whether a person can be asked.
func (p *Printer) Interactive(in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && p.ErrTTY && term.IsTerminal(int(f.Fd()))
}

// Ask puts a question on standard error and gives the line typed on in, or the
// error of ctx where that ends first.
func (p *Printer) Ask(ctx context.Context, in io.Reader, question string) (string, error) {
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
		return "", ctx.Err()
	case r := <-typed:
		if errors.Is(r.err, io.EOF) { // nobody pressed Enter
			fmt.Fprintln(p.Err)
			r.err = nil
		}
		if r.err != nil {
			return "", fmt.Errorf("read the answer: %w", r.err)
		}
		return r.line, nil
	}
}
