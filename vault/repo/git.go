package repo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// local are the variables by which a git that runs a hook points its children
// to a repository: what is started here finds its own.
var local = strings.Fields("GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_COMMON_DIR GIT_OBJECT_DIRECTORY " +
	"GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_IMPLICIT_WORK_TREE GIT_GRAFT_FILE GIT_SHALLOW_FILE GIT_NAMESPACE " +
	"GIT_INTERNAL_SUPER_PREFIX GIT_LITERAL_PATHSPECS GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS")

// command is one call of git.
type command struct {
	dir   string
	env   []string // beside that of this process
	stdin []byte
}

// patience is how long an interrupted git may take to end.
const patience = 10 * time.Second

// git runs git and gives its standard output. An error holds what it said.
func (c command) git(ctx context.Context, args ...string) ([]byte, error) {
	// A commit that was reported is there after a power failure, the index too.
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsync=all"}, args...)...)
	cmd.Dir = c.dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(local, name)
	})
	cmd.Env = append(cmd.Env, c.env...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // so that git clears away its locks
	cmd.WaitDelay = patience
	cmd.Stdin = bytes.NewReader(c.stdin)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return out.Bytes(), &gitError{args: args, err: err, said: strings.TrimSpace(said.String() + out.String())}
	}
	return out.Bytes(), nil
}

// gitError is a git that failed.
type gitError struct {
	args []string
	err  error
	said string
}

func (e *gitError) Error() string {
	what := "git " + e.args[0]
	if e.said == "" {
		return fmt.Sprintf("%s: %v", what, e.err)
	}
	return fmt.Sprintf("%s: %s", what, e.said)
}

func (e *gitError) Unwrap() error { return e.err }

// exitOf is the exit code of a git that failed, -1 where it did not run.
func exitOf(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

func (r *Repo) at() command { return command{dir: r.top} }

// Head names the commit that is checked out, or the branch that has none yet.
func (r *Repo) Head() string {
	out, err := r.at().git(context.Background(), "rev-parse", "--verify", "--quiet", "HEAD")
	if err != nil {
		out, _ = r.at().git(context.Background(), "symbolic-ref", "--quiet", "HEAD")
	}
	return strings.TrimSpace(string(out))
}

// Born tells whether the branch that is checked out has a commit.
func (r *Repo) Born(ctx context.Context) bool { return r.at().knows(ctx, "HEAD") }

// knows tells whether there is such a commit.
func (c command) knows(ctx context.Context, name string) bool {
	_, err := c.git(ctx, "rev-parse", "--verify", "--quiet", name)
	return err == nil
}
