package terminal

import (
	"errors"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/term"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
)

// Page prints lines of a result, in a pager where they are more than the terminal shows.
func (p *Printer) Page(lines []string) error {
	if !p.OutTTY || p.Quiet {
		p.Say(lines...)
		return p.broken
	}
	_, height, err := term.GetSize(int(os.Stdout.Fd()))
	pager := p.pager()
	if err != nil || len(lines) < height || pager == nil {
		p.Say(lines...)
		return p.broken
	}
	text := p.paintMarks(present.Clean(strings.Join(lines, "\n") + "\n"))
	pager.Stdin, pager.Stdout, pager.Stderr = strings.NewReader(text), os.Stdout, os.Stderr
	if err := pager.Run(); err != nil { // one that is not there, or was left by a signal
		if left := (*exec.ExitError)(nil); !errors.As(err, &left) {
			p.Say(lines...)
		}
	}
	return p.broken
}

// pager is the program that the user's environment names, less where it names none; nil: there is
// none.
func (p *Printer) pager() *exec.Cmd {
	words := strings.Fields(p.env("PAGER"))
	if len(words) == 0 {
		words = []string{"less"}
	}
	if path, err := exec.LookPath(words[0]); err != nil || words[0] == "cat" {
		return nil
	} else {
		words[0] = path
	}
	c := exec.Command(words[0], words[1:]...)
	c.Env = os.Environ()
	if p.env("LESS") == "" {
		c.Env = append(c.Env, "LESS=FRX")
	}
	return c
}
