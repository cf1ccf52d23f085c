package main

// All printing of sessionloom stands in this file; nothing else writes to the
// terminal. Its rules:
//
//   - Standard output carries what was asked for: the summary of a run, a
//     table, a diff, lines of JSON. With --json it is one object and nothing
//     else. --quiet leaves it out where the run went well.
//   - Everything else goes to standard error: what was created on the way, what
//     could not be done, a question (ask.go), and a progress bar, which draws
//     itself (progress.go).
//   - Errors read "error: …", lower case, no full stop at the end; where the user
//     can act, a line "hint: …" follows. An error is shown once.
//   - Text that came from a file, a transcript or a path passes through clean:
//     no control character reaches a terminal.
//   - Colour is for terminals only, and not where NO_COLOR is set.
//   - A pipe that was closed at its other end is no failure.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"syscall"
	"time"

	"charm.land/lipgloss/v2"
	"golang.org/x/term"

	"github.com/sessionloom/sessionloom/extract"
)

// printer writes what commands have to say.
type printer struct {
	out, err       io.Writer
	outTTY, errTTY bool
	plain          bool // no colour
	quiet, verbose bool
	width          int       // columns of the terminal at out, 0: unknown
	bar            *progress // on standard error; nil: none
	broken         error     // first failed write to out
}

// errClosed says that the other end of the pipe was closed. Whoever prints in a
// loop may stop; it is no failure.
var errClosed = errors.New("standard output was closed")

// style is how a word is painted on a terminal.
type style string

// The colours of the terminal's own palette (ANSI numbers).
const (
	red   style = "1"
	green style = "2"
	amber style = "3"
	cyan  style = "6"
	faint style = "8"
)

func newPrinter(out, err *os.File, env func(string) string) *printer {
	lipgloss.EnableLegacyWindowsANSI(out)
	lipgloss.EnableLegacyWindowsANSI(err)
	width, _, err2 := term.GetSize(int(out.Fd()))
	if err2 != nil {
		width = 0
	}
	return &printer{
		out: out, err: err, width: width, bar: &progress{},
		outTTY: term.IsTerminal(int(out.Fd())),
		errTTY: term.IsTerminal(int(err.Fd())),
		plain:  env("NO_COLOR") != "" || env("TERM") == "dumb",
	}
}

// say prints lines of a result; nothing with --quiet.
func (p *printer) say(lines ...string) {
	if p.quiet {
		return
	}
	for _, l := range lines {
		p.write(p.paintLine(clean(l)) + "\n")
	}
}

// found prints lines of a result that must not be missed, --quiet or not.
func (p *printer) found(lines ...string) {
	for _, l := range lines {
		p.write(clean(l) + "\n")
	}
}

// note tells on standard error what happened on the way; nothing with --quiet.
func (p *printer) note(format string, args ...any) {
	if !p.quiet {
		p.tell(clean(fmt.Sprintf(format, args...)))
	}
}

// detail tells more, with -v only.
func (p *printer) detail(format string, args ...any) {
	if p.verbose {
		p.tell(p.paint(faint, p.errTTY, clean(fmt.Sprintf(format, args...))))
	}
}

// warn prints lines on standard error, --quiet or not.
func (p *printer) warn(lines ...string) {
	for _, l := range lines {
		p.tell(clean(l))
	}
}

// fail shows an error and what can be done about it.
func (p *printer) fail(err error) {
	var f *failure
	if errors.As(err, &f) && f.err == nil {
		return
	}
	p.tell(p.paint(red, p.errTTY, "error: ") + clean(err.Error()))
	if f != nil && f.hint != "" {
		p.advise(f.hint)
	}
}

// advise says what the user can do.
func (p *printer) advise(hint string) {
	p.tell(p.paint(cyan, p.errTTY, "hint: ") + clean(hint))
}

// troubles shows what could not be done while the rest was.
func (p *printer) troubles(problems []extract.Problem, home string) {
	for _, f := range failures(problems, home) {
		p.fail(f)
	}
}

// object prints one JSON object on a line of its own. It returns errClosed when
// nobody reads on.
func (p *printer) object(v any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	p.write(visible(b.String()))
	return p.broken
}

// diff prints what happens to a note: into a file or pipe a patch of the very
// bytes below a line that git and patch pass over, on a terminal coloured and
// without control characters. What was refused stands behind bars, so that
// nobody applies it.
func (p *printer) diff(d noteDiff) {
	if p.quiet {
		return
	}
	if p.outTTY {
		p.write(p.paint(amber, true, clean(d.title())) + "\n")
	} else {
		p.write(clean(d.title()) + "\n" + d.header())
	}
	p.hunks(d.hunks, "")
	if d.wanted != "" {
		p.write("| refused, for the text is yours:\n")
		p.hunks(d.wanted, "| ")
	}
}

// hunks prints lines of a unified diff behind bars, or none. On a terminal lines
// that a reader only passes, unchanged ones and marks of ours, are cut to it.
func (p *printer) hunks(text, bars string) {
	if !p.outTTY && bars == "" {
		p.write(text)
		return
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if !p.outTTY {
			p.write(bars + line + "\n")
			continue
		}
		line = clean(line)
		mark := strings.HasPrefix(line[min(1, len(line)):], "%% sessionloom:")
		if mark || strings.HasPrefix(line, " ") {
			line = cutBack(line, p.columns()-len(bars))
		}
		switch {
		case mark:
			line = p.paint(faint, true, line)
		case strings.HasPrefix(line, "@@"):
			line = p.paint(cyan, true, line)
		case strings.HasPrefix(line, "+"):
			line = p.paint(green, true, line)
		case strings.HasPrefix(line, "-"):
			line = p.paint(red, true, line)
		}
		p.write(bars + line + "\n")
	}
}

// columns is the width of the screen, or of one as it used to be.
func (p *printer) columns() int {
	if p.width > 0 {
		return p.width
	}
	return screen
}

// lineWidth is how many columns a line of text may have: those of a terminal. In a
// pipe, where lines are searched, none is broken.
func (p *printer) lineWidth() int {
	if p.outTTY {
		return p.columns()
	}
	return math.MaxInt
}

// progress gives a pass its progress bar, which only a terminal shows.
func (p *printer) progress() *progress {
	if p.errTTY && !p.quiet {
		p.bar.begin(p.err, time.Now())
	}
	return p.bar
}

// tell writes a finished line to standard error, clear of a progress bar.
func (p *printer) tell(line string) {
	p.bar.clear()
	fmt.Fprintln(p.err, line)
}

// write writes to standard output. Where that fails the program goes on, for
// notes must not suffer from a closed pipe; broken tells of it in the end.
func (p *printer) write(text string) {
	p.bar.clear()
	if p.broken != nil {
		return
	}
	_, err := io.WriteString(p.out, text)
	switch {
	case err == nil:
	case errors.Is(err, syscall.EPIPE):
		p.broken = errClosed
	default:
		p.broken = fmt.Errorf("write to standard output: %w", err)
	}
}

// paintLine colours the leading words of a line that has some worth it.
func (p *printer) paintLine(line string) string {
	for _, lead := range []struct {
		words string
		style style
	}{
		{"kept ", amber}, {"partly read ", amber}, {leadExpiring, amber}, {leadHeld, red}, {leadBroken, red}, {leadFailing, red},
	} {
		if rest, ok := strings.CutPrefix(line, lead.words); ok {
			return p.paint(lead.style, p.outTTY, lead.words) + rest
		}
	}
	return line
}

func (p *printer) paint(s style, tty bool, text string) string {
	if !tty || p.plain {
		return text
	}
	return lipgloss.NewStyle().TabWidth(lipgloss.NoTabConversion).Foreground(lipgloss.Color(string(s))).Render(text)
}
