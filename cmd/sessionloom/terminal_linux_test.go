package main

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// shown are the variables that a program on a terminal takes from its script.
var shown = strings.Fields(`HOME PATH TZ TERM NO_COLOR PAGER XDG_CONFIG_HOME XDG_STATE_HOME WORK
	GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL GIT_CEILING_DIRECTORIES`)

// moment is a time as the program shows it.
var moment = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d`)

// terminal ANSWERS SCREEN COMMAND… runs a command on a terminal of its own. Each
// question is answered with the next line of ANSWERS, in which ^C and ^D are those
// keys. SCREEN is what a person then sees, the exit code below it.
func onTerminal(ts *testscript.TestScript, _ bool, args []string) {
	var answers []string
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		answers = append(answers, strings.TrimSuffix(line, "\n"))
	}
	program, err := exec.LookPath(args[2]) // of the path of this test, whatever the script's is
	ts.Check(err)
	cmd := exec.Command("sh", append([]string{"-c", inShellOnTerminal, "sh", program}, args[3:]...)...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range shown {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	screen, err := converse(cmd, answers)
	screen, code := ended(screen)
	text := strings.NewReplacer("\r\n", "\n", ts.Getenv("WORK"), "$WORK", url.QueryEscape(ts.Getenv("WORK")), "$WORK", ts.Getenv("BIN"), "$BIN").Replace(screen)
	text = moment.ReplaceAllString(painted(text), "TIME")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), fmt.Appendf(nil, "%s[exit code %d]\n", text, code), 0o600))
	ts.Logf("%s[exit code %d]", text, code)
	ts.Check(err)
}

// painted is what lines look like that were written over: a machine that is slow shows how far the work is, and wipes it away.
func painted(screen string) string {
	var out strings.Builder
	for line := range strings.Lines(screen) {
		var shown []rune
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\r")
		for _, part := range parts {
			over := []rune(part)
			shown = append(over, shown[min(len(over), len(shown)):]...)
		}
		text := string(shown)
		if len(parts) > 1 {
			text = strings.TrimRight(text, " ")
		}
		out.WriteString(text + line[len(strings.TrimSuffix(line, "\n")):])
	}
	return out.String()
}

// inShellOnTerminal runs a program as a shell does. What the program wrote last would be lost were
// the one that the terminal belongs to gone with it.
const inShellOnTerminal = `trap : INT; "$@"; echo "[ended with $?]"; read end`

// endOnTerminal is what the shell writes once the program ended.
var endOnTerminal = regexp.MustCompile(`\[ended with (\d+)\]\r?\n$`)

// ended takes the last line of the shell off a screen, and returns the exit code in it; below 0
// where it is not there.
func ended(screen string) (text string, code int) {
	m := endOnTerminal.FindStringSubmatchIndex(screen)
	if m == nil {
		return screen, -1
	}
	code, _ = strconv.Atoi(screen[m[2]:m[3]])
	return screen[:m[0]], code
}

// converse runs a shell on a terminal and types an answer at each question.
func converse(cmd *exec.Cmd, answers []string) (screen string, err error) {
	ours, theirs, err := newTerminal()
	if err != nil {
		return "", err
	}
	defer ours.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs, theirs, theirs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = cmd.Start()
	_ = theirs.Close()
	if err != nil {
		return "", err
	}
	kill := func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // the shell, and what it runs
	hangs := time.AfterFunc(time.Minute, kill)
	defer hangs.Stop()
	screen, err = typed(ours, answers)
	if err != nil {
		kill()
	}
	var ended *exec.ExitError
	if failed := cmd.Wait(); failed != nil && !errors.As(failed, &ended) {
		return screen, failed
	}
	return screen, err
}

// typed reads what comes on the screen until its end, and answers. It shows what it
// types, for a terminal may show a key after what the program says to it.
func typed(ours *os.File, answers []string) (string, error) {
	keys := map[string]string{"^C": "\x03", "^D": "\x04"}
	var screen []byte
	buffer := make([]byte, 4096)
	for {
		n, err := ours.Read(buffer)
		screen = append(screen, buffer[:n]...)
		if errors.Is(err, syscall.EIO) || errors.Is(err, io.EOF) || endOnTerminal.Match(screen) { // nobody writes any more
			if len(answers) > 0 {
				return string(screen), fmt.Errorf("nobody asked for %q", answers)
			}
			_, _ = ours.WriteString("\n") // for the shell, if it is there
			return string(screen), nil
		}
		if err != nil {
			return string(screen), err
		}
		if !strings.HasSuffix(string(screen), "]: ") {
			continue
		}
		if len(answers) == 0 {
			return string(screen), errors.New("a question has no answer")
		}
		key, shown := keys[answers[0]], answers[0]
		if key == "" {
			key, shown = answers[0]+"\n", answers[0]+"\n"
		}
		screen, answers = append(screen, shown...), answers[1:]
		if _, err := ours.WriteString(key); err != nil {
			return string(screen), err
		}
	}
}

// newTerminal returns both ends of a pseudo-terminal. It does not show what is typed, and
// keeps what was written when a key stops the program.
func newTerminal() (ours, theirs *os.File, err error) {
	ours, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	fd := int(ours.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	var modes *unix.Termios
	if err == nil {
		modes, err = unix.IoctlGetTermios(fd, unix.TCGETS)
	}
	if err == nil {
		modes.Lflag = modes.Lflag&^unix.ECHO | unix.NOFLSH
		err = unix.IoctlSetTermios(fd, unix.TCSETS, modes)
	}
	if err == nil {
		theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		return nil, nil, errors.Join(err, ours.Close())
	}
	return ours, theirs, nil
}

func TestPaintedIsWhatStaysOnAScreen(t *testing.T) {
	t.Parallel()
	for screen, want := range map[string]string{
		"one\ntwo": "one\ntwo",
		"writing notes 20%\r                 \rGo on? [y/N]: y\n": "Go on? [y/N]: y\n",
		"abc\rx\n":     "xbc\n",
		"half\r\r\r\n": "half\n",
		"kept  \n":     "kept  \n",
	} {
		if got := painted(screen); got != want {
			t.Errorf("%q is seen as %q, want %q", screen, got, want)
		}
	}
}
