package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// child runs the program that is measured.
type child struct {
	bin string
	env []string
}

// stage is a home with the vault and the state made of it.
type stage struct {
	corpus             corpus
	home, vault, state string
}

// report is the part of `sync --json` the cases look at.
type report struct {
	Sessions struct{ Listed, Failed int }
	Notes    struct{ Created, Updated, Merged, Kept, Moved, Tombstoned, Removed, Failed int }
	Sources  []struct {
		BytesRead int64 `json:"bytes_read"`
	}
	Problems []struct{ Item, Error string }
	Changed  []struct{ Note, Outcome string }
}

func (r report) bytesRead() (n int64) {
	for _, s := range r.Sources {
		n += s.BytesRead
	}
	return n
}

// written counts the notes whose file was touched.
func (r report) written() int {
	n := r.Notes
	return n.Created + n.Updated + n.Merged + n.Moved + n.Removed
}

// outcome is what one run of the child took and said.
type outcome struct {
	elapsed time.Duration
	rss     int64 // bytes at the peak, 0 where the system does not tell
	report  report
}

// exitPart is the code of a run that was done in part.
const exitPart = 3

// newChild builds the program from the module this one stands in, unless bin
// names one, and gives it an environment without the user's settings.
func newChild(ctx context.Context, bin, work string) (child, error) {
	home := filepath.Join(work, "user")
	c := child{bin: bin, env: []string{"HOME=" + home, "USERPROFILE=" + home, "TZ=UTC", "PATH=" + os.Getenv("PATH"),
		"XDG_CONFIG_HOME=" + filepath.Join(home, "config"), "XDG_STATE_HOME=" + filepath.Join(home, "state"),
		"TMPDIR=" + work, "TMP=" + work, "TEMP=" + work, "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return c, err
	}
	if bin != "" {
		return c, nil
	}
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return c, fmt.Errorf("find module: %w", err)
	}
	c.bin = filepath.Join(work, "sessionloom")
	if runtime.GOOS == "windows" {
		c.bin += ".exe"
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", c.bin, "./cmd/sessionloom")
	build.Dir = strings.TrimSpace(string(root))
	if out, err := build.CombinedOutput(); err != nil {
		return c, fmt.Errorf("build sessionloom: %w\n%s", err, out)
	}
	return c, nil
}

// sync runs one pass over the stage. Done in part counts as a run: the report
// tells what is missing.
func (c child) sync(ctx context.Context, s *stage) (outcome, error) {
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, c.bin, append([]string{"sync", "--json"}, s.flags()...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = c.env, &stdout, &stderr
	begin := time.Now()
	err := cmd.Run()
	o := outcome{elapsed: time.Since(begin)}
	if failed(err) {
		return o, fmt.Errorf("run sync: %w\n%s", err, lastBytes(stderr.Bytes(), 2000))
	}
	o.rss = peakRSS(cmd.ProcessState)
	if err := json.Unmarshal(stdout.Bytes(), &o.report); err != nil {
		return o, fmt.Errorf("read report of sync: %w", err)
	}
	return o, nil
}

// flags name all places of the stage.
func (s *stage) flags() []string {
	all := []string{"--no-defaults", "--vault", s.vault, "--state", s.state}
	if s.corpus.Params.Chats {
		return append(all, "--vscode-user", userFolder(s.home))
	}
	return append(all, "--copilot-home", s.home)
}

// failed tells whether a run did not even do its work in part.
func failed(err error) bool {
	ended := new(exec.ExitError)
	return err != nil && (!errors.As(err, &ended) || ended.ExitCode() != exitPart)
}

// kept is the size of what the program keeps of the sessions of a stage that
// was synced: that of its export.
func (c child) kept(ctx context.Context, s *stage) (int64, error) {
	var size counter
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, c.bin, append([]string{"export"}, s.flags()...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = c.env, &size, &stderr
	if err := cmd.Run(); failed(err) {
		return 0, fmt.Errorf("run export: %w\n%s", err, lastBytes(stderr.Bytes(), 2000))
	}
	return int64(size), nil
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}

func lastBytes(b []byte, n int) []byte { return b[max(0, len(b)-n):] }
