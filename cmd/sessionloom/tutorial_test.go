//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// shownBlock is a block of a document with commands: what it needs, if it is not run, and behind
// "$ " what is typed and what that prints; without prompts each line is typed.
var shownBlock = regexp.MustCompile("(?ms)(?:^<!-- (run|needs: [^\n]*) -->\n)?^```(sh|console)\n(.*?)^```")

// What a document shows of a terminal is what happens, one block after the other, in a new home
// folder; or the block says which service it needs. In what is printed "…" stands for any text, a line "..." for any lines.
func TestTutorialsDoWhatTheyShow(t *testing.T) {
	t.Parallel()
	documents := expect.Value(filepath.Glob(filepath.Join(root, "docs", "*.md")))(t)
	blocks := 0
	for _, file := range append(documents, filepath.Join(root, "README.md")) {
		text := expect.Value(os.ReadFile(file))(t)
		home := t.TempDir()
		for _, m := range shownBlock.FindAllStringSubmatch(string(text), -1) {
			block := m[3]
			switch {
			case !strings.Contains(block, "sessionloom"):
				continue
			case m[1] == "":
				t.Errorf("%s: a block is not run, and does not say what it needs:\n%s", filepath.Base(file), block)
				continue
			case m[1] != "run":
				continue
			case m[2] == "sh": // what it prints is not shown
				block = regexp.MustCompile(`(?m)^(.+)$`).ReplaceAllString(block, "$$ $1\n...")
			}
			blocks++
			for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
				command, shown, _ := strings.Cut(part, "\n")
				printed, code := inShell(t, home, command)
				if m[2] == "sh" && code != 0 {
					t.Errorf("%s: %s ends with code %d and prints\n%s", filepath.Base(file), command, code, printed)
				}
				if !shows(shown).MatchString(printed) {
					t.Errorf("%s: %s\nprints\n%s\nand is to print\n%s", filepath.Base(file), command, printed, shown)
				}
			}
		}
	}
	if blocks == 0 {
		t.Error("no document shows anything")
	}
}

// shows matches what a document shows.
func shows(text string) *regexp.Regexp {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSuffix(text, "\n") + "\n") {
		switch line {
		case "\n":
		case "...\n":
			b.WriteString(`(?:.*\n)*?`)
		default:
			b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*"))
		}
	}
	return regexp.MustCompile(`\A` + b.String() + `\z`)
}

// inShell runs a line as somebody would type it, and returns all that is printed but empty lines, and the exit code.
func inShell(t *testing.T, home, line string) (printed string, code int) {
	t.Helper()
	c := exec.Command("sh", "-c", line)
	c.Dir = home
	c.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir(), "GOCOVERDIR=" + os.Getenv("GOCOVERDIR"), "NO_COLOR=1"}
	out, err := c.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return regexp.MustCompile(`\n\n+`).ReplaceAllString(string(out), "\n"), c.ProcessState.ExitCode()
}
