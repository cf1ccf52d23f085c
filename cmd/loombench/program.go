package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/go-json-experiment/json"
)

// program is a build of sessionloom, with an environment without the user's settings.
type program struct {
	bin string
	env []string
}

// newProgram returns a build, or builds the current module if bin is empty.
func newProgram(ctx context.Context, bin, work string) (program, error) {
	home := filepath.Join(work, "user")
	p := program{bin: bin, env: []string{"HOME=" + home, "USERPROFILE=" + home, "TZ=UTC", "PATH=" + os.Getenv("PATH"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"TMPDIR=" + work, "TMP=" + work, "TEMP=" + work, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return p, err
	}
	if bin != "" {
		found, err := exec.LookPath(bin)
		p.bin = found
		return p, err
	}
	p.bin = filepath.Join(work, "sessionloom")
	if runtime.GOOS == "windows" {
		p.bin += ".exe"
	}
	out, err := exec.CommandContext(ctx, "go", "build", "-o", p.bin, "github.com/sessionloom/sessionloom/cmd/sessionloom").CombinedOutput()
	if err != nil {
		return p, fmt.Errorf("build sessionloom: %w\n%s", err, out)
	}
	return p, nil
}

// stage is a corpus with the vault and state that a program made from it.
type stage struct {
	program program
	corpus  params
	home    string
	dir     string // folder of vault and state
}

func (s *stage) vault() string { return filepath.Join(s.dir, "vault") }

// empty removes vault and state.
func (s *stage) empty() error {
	if err := os.RemoveAll(s.dir); err != nil {
		return err
	}
	return os.MkdirAll(s.vault(), 0o700)
}

// outcome is the cost and report of one run.
type outcome struct {
	wall, cpu time.Duration
	peak      int64 // bytes of memory; 0: unknown
	exit      int
	report    report
}

// Exit codes of a run that did its work.
const (
	inPart   = 3
	findings = 4 // exit code of check with findings
)

// report is the part of `sync --json` that the cases use.
type report struct {
	Sessions struct{ Listed, Failed int }
	Notes    struct{ Created, Updated, Merged, Moved, Removed, Failed int }
	Sources  []struct{ BytesRead int64 }
	Problems []struct{ Item, Error string }
}

func (r report) read() (n int64) {
	for _, s := range r.Sources {
		n += s.BytesRead
	}
	return n
}

// written returns the number of notes whose file changed.
func (r report) written() int {
	n := r.Notes
	return n.Created + n.Updated + n.Merged + n.Moved + n.Removed
}

// sync runs one pass. An incomplete one counts: its report says what is missing.
func (s *stage) sync(ctx context.Context) (outcome, error) {
	var told report
	o, err := s.run(ctx, func(stdout io.Reader) error {
		return json.UnmarshalRead(stdout, &told, json.MatchCaseInsensitiveNames(true))
	}, "sync", "--json")
	o.report = told
	return o, err
}

func (s *stage) check(ctx context.Context) (outcome, error) {
	return s.run(ctx, func(stdout io.Reader) error {
		_, err := io.Copy(io.Discard, stdout)
		return err
	}, "check")
}

// run runs a command of the program on the stage and measures it.
func (s *stage) run(ctx context.Context, listen func(stdout io.Reader) error, args ...string) (outcome, error) {
	source := map[string]string{chats: "--vscode-user", transcripts: "--claude-home", rollouts: "--codex-home", geminiChats: "--gemini-home", longRollout: "--codex-home", conversations: "--cursor-user", sparseState: "--cursor-user", database: "--opencode-home"}[s.corpus.Kind]
	if source == "" {
		source = "--copilot-home"
	}
	args = append(args, "--no-defaults", "--vault", s.vault(), "--state", filepath.Join(s.dir, "state"), source, s.home)
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, s.program.bin, args...)
	cmd.Env, cmd.Stderr = s.program.env, &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return outcome{}, err
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return outcome{}, err
	}
	heard := listen(stdout)
	err = cmd.Wait()
	wall := time.Since(begin)
	state := cmd.ProcessState
	if code := state.ExitCode(); err != nil && code != inPart && code != findings || heard != nil {
		return outcome{}, fmt.Errorf("run %s: %w\n%s", args[0], errors.Join(err, heard), stderr.Bytes()[max(0, stderr.Len()-2000):])
	}
	return outcome{wall: wall, cpu: state.UserTime() + state.SystemTime(), peak: peakMemory(state), exit: state.ExitCode()}, nil
}
