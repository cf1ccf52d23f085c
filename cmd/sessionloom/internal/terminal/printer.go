// Package terminal does all printing of sessionloom; nothing else writes to the
// terminal. Its rules:
//
//   - Standard output has the requested result: the summary of a run, a table, a diff, lines of JSON.
//     With --json it is one object and nothing else. --quiet omits it after success.
//   - Everything else goes to standard error: created files, failures, questions and a progress bar.
//   - Errors read "error: …", in lower case without a full stop; if the user can act, a line "hint: …"
//     follows. An error is shown once.
//   - Text from a file, a transcript or a path passes through clean: no control character reaches a
//     terminal.
//   - Colour is only for terminals, and not if NO_COLOR is set.
//   - A pipe that was closed at its other end is not a failure.
package terminal

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"charm.land/lipgloss/v2"
	"golang.org/x/term"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
)

// Printer writes the output of commands.
type Printer struct {
	Out, Err       io.Writer
	OutTTY, ErrTTY bool   // they are terminals
	Quiet, Verbose bool   // the flags of these names
	Home           string // the user's home folder, which errors abbreviate
	plain          bool   // no colour
	env            func(string) string
	width          int      // columns of the terminal at Out, 0 or less: unknown
	bar            progress // on standard error
	broken         error    // first failed write to Out
	asking         atomic.Bool
}

// ErrClosed means that nobody reads standard output any more. It is not a failure.
var ErrClosed = errors.New("standard output was closed")

type style string

const (
	red   style = "1"
	green style = "2"
	amber style = "3"
	cyan  style = "6"
	faint style = "8"
)

// New returns a printer on these files; env reads environment variables.
func New(out, err *os.File, env func(string) string) *Printer {
	lipgloss.EnableLegacyWindowsANSI(out)
	lipgloss.EnableLegacyWindowsANSI(err)
	width, _, _ := term.GetSize(int(out.Fd())) // 0 on failure
	return &Printer{
		Out: out, Err: err, width: width, env: env,
		OutTTY: term.IsTerminal(int(out.Fd())),
		ErrTTY: term.IsTerminal(int(err.Fd())),
		plain:  env("NO_COLOR") != "" || env("TERM") == "dumb",
	}
}

// Say prints lines of a result; nothing with --quiet.
func (p *Printer) Say(lines ...string) {
	if p.Quiet {
		return
	}
	for _, l := range lines {
		for _, line := range p.wordWrapped(present.Clean(l), p.OutTTY) {
			p.put(p.paintLine(line) + "\n")
		}
	}
}

// wordWrapped wraps lines between words if a terminal would wrap them within one.
func (p *Printer) wordWrapped(text string, tty bool) (lines []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if !tty || p.width <= 0 || lipgloss.Width(line) <= p.width {
			lines = append(lines, line)
			continue
		}
		words := strings.TrimLeft(line, " ")
		indent := len(line) - len(words)
		wrapped := present.WrapTo(words, indent+2, p.width)
		wrapped[0] = line[:indent] + strings.TrimLeft(wrapped[0], " ")
		lines = append(lines, wrapped...)
	}
	return lines
}

// Found prints lines of a result that must not be missed, even with --quiet.
func (p *Printer) Found(lines ...string) {
	for _, l := range lines {
		p.put(present.Clean(l) + "\n")
	}
}

// Note prints a message about the run to standard error, unless --quiet is set.
func (p *Printer) Note(format string, args ...any) {
	if !p.Quiet {
		p.printLine(present.Clean(fmt.Sprintf(format, args...)))
	}
}

// Detail prints more, only with -v.
func (p *Printer) Detail(format string, args ...any) {
	if p.Verbose {
		p.printLine(p.paint(faint, p.ErrTTY, present.Clean(fmt.Sprintf(format, args...))))
	}
}

// Warn prints lines on standard error, even with --quiet.
func (p *Printer) Warn(lines ...string) {
	for _, l := range lines {
		p.printLine(present.Clean(l))
	}
}

// Fail shows an error and its hint.
func (p *Printer) Fail(err error) {
	var f *exit.Error
	if errors.As(err, &f) && f.Err == nil {
		return
	}
	p.printLine(p.paint(red, p.ErrTTY, "error: ") + present.Clean(p.fromHome(err.Error())))
	if f != nil {
		p.Advise(f.Hint)
	}
}

func (p *Printer) fromHome(text string) string {
	if len(p.Home) < 2 { // the home is the root
		return text
	}
	return strings.ReplaceAll(text, p.Home+string(filepath.Separator), "~"+string(filepath.Separator))
}

// Advise prints a hint, if there is one.
func (p *Printer) Advise(hint string) {
	if hint != "" {
		p.printLine(p.paint(cyan, p.ErrTTY, "hint: ") + present.Clean(hint))
	}
}

// Troubles shows the failures of an otherwise finished run.
func (p *Printer) Troubles(problems []extract.Problem, home string) {
	for _, f := range present.Failures(problems, home) {
		p.Fail(f)
	}
}

// Object prints one JSON object on a line, or returns [ErrClosed].
func (p *Printer) Object(v any) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	p.put(present.Clean(b.String()))
	return p.broken
}

// Diff prints what happens to a note: into a pipe an exact patch, on a terminal coloured and clean. Refused
// text has bars before it, so that nobody applies it.
func (p *Printer) Diff(d present.Diff) {
	if p.Quiet {
		return
	}
	if p.OutTTY {
		p.put(p.paint(amber, true, present.Clean(d.Title())) + "\n")
	} else {
		p.put(present.Clean(d.Title()) + "\n" + d.Header())
	}
	p.hunks(d.Hunks, "")
	if d.Unmerged != "" {
		p.put("| refused, for the text is yours:\n")
		p.hunks(d.Unmerged, "| ")
	}
}

// hunks prints lines of a unified diff, each after bars, if any.
func (p *Printer) hunks(text, bars string) {
	if !p.OutTTY && bars == "" {
		p.put(text)
		return
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if p.OutTTY {
			line = present.Clean(line)
			if colour, ok := map[byte]style{'@': cyan, '+': green, '-': red}[line[0]]; ok {
				line = p.paint(colour, true, line)
			}
		}
		p.put(bars + line + "\n")
	}
}

// LineWidth returns the maximum width of lines. In a pipe, none is wrapped.
func (p *Printer) LineWidth() int {
	switch {
	case !p.OutTTY:
		return math.MaxInt
	case p.width > 0:
		return p.width
	}
	return present.Screen
}

// Progress returns the progress bar of a run, which only a terminal shows.
func (p *Printer) Progress() extract.Progress {
	if p.ErrTTY && !p.Quiet {
		p.bar.begin(p.Err, time.Now())
	}
	return &p.bar
}

// ClearProgress removes the progress bar from the screen.
func (p *Printer) ClearProgress() { p.bar.clear() }

// WriteError returns the first failed write to standard output.
func (p *Printer) WriteError() error { return p.broken }

func (p *Printer) printLine(line string) {
	p.bar.clear()
	fmt.Fprintln(p.Err, strings.Join(p.wordWrapped(line, p.ErrTTY), "\n"))
}

// put ignores failed writes: notes must not suffer from a closed pipe.
func (p *Printer) put(text string) {
	p.bar.clear()
	if p.broken != nil {
		return
	}
	_, err := io.WriteString(p.Out, text)
	switch {
	case err == nil:
	case errors.Is(err, syscall.EPIPE):
		p.broken = ErrClosed
	default:
		p.broken = fmt.Errorf("write to standard output: %w", err)
	}
}

// Write writes to standard output unchanged, for output in pieces.
func (p *Printer) Write(b []byte) (int, error) {
	if p.put(string(b)); p.broken != nil {
		return 0, p.broken
	}
	return len(b), nil
}

// paintLine colours the leading words of a line if it has such words.
func (p *Printer) paintLine(line string) string {
	for _, lead := range []struct {
		words string
		style style
	}{
		{"kept ", amber}, {"partly read ", amber}, {present.LeadExpiring, amber}, {present.LeadHeld, red}, {present.LeadBroken, red}, {present.LeadFailing, red}, {present.LeadLook, amber},
	} {
		if rest, ok := strings.CutPrefix(line, lead.words); ok {
			return p.paint(lead.style, p.OutTTY, lead.words) + rest
		}
	}
	return p.paintMarks(line)
}

// paintMarks colours the marked words of a text, and removes the marks.
func (p *Printer) paintMarks(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, present.MarkStart)
		b.WriteString(strings.ReplaceAll(before, present.MarkEnd, ""))
		if !found {
			return b.String()
		}
		marked, behind, _ := strings.Cut(rest, present.MarkEnd)
		b.WriteString(p.paint(amber, p.OutTTY, marked))
		text = behind
	}
}

func (p *Printer) paint(s style, tty bool, text string) string {
	if !tty || p.plain {
		return text
	}
	return lipgloss.NewStyle().TabWidth(lipgloss.NoTabConversion).Foreground(lipgloss.Color(string(s))).Render(text)
}

// ErrNoAnswer means that input ended before a question was answered.
var ErrNoAnswer = errors.New("no answer")

// Interactive reports whether a person can be asked.
func (p *Printer) Interactive(in io.Reader) bool {
	f, ok := in.(*os.File)
	return ok && p.ErrTTY && term.IsTerminal(int(f.Fd()))
}

// Asking reports whether a question waits for its answer.
func (p *Printer) Asking() bool { return p.asking.Load() }

// Ask returns the line typed on in, else the error of ctx or [ErrNoAnswer].
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
	go func() { // a terminal read cannot be interrupted
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

// Page prints lines of a result, in a pager if they are more than the terminal shows.
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
	if err := pager.Run(); err != nil { // it is missing, or was killed by a signal
		if left := (*exec.ExitError)(nil); !errors.As(err, &left) {
			p.Say(lines...)
		}
	}
	return p.broken
}

// pager returns the pager of the environment, else less, or nil.
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
