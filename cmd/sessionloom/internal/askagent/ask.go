package askagent

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	mostPrinted = 1 << 20         // bytes of an answer
	mostSaid    = 4 << 10         // bytes at the end of standard error
	lingering   = 2 * time.Second // how long what it started may hold its output open
)

// Ask gives the agent's answer to a prompt. An error tells the last line that the agent
// said, which is not masked.
func (a *Agent) Ask(ctx context.Context, prompt string) (answer string, err error) {
	folder, err := os.MkdirTemp("", Mark+"-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	env, err := a.row.prepare(folder)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, a.Patience, fmt.Errorf("no answer within %s", a.Patience))
	defer cancel()
	if a.row.catalog != nil {
		models, err := a.run(ctx, folder, env, a.row.catalog, "")
		if err == nil {
			models, err = toolless(models)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, "models.json"), models, 0o600)
		}
		if err != nil {
			return "", fmt.Errorf("list the models of %w", err)
		}
	}
	printed, err := a.run(ctx, folder, env, a.args, prompt)
	return string(printed), err
}

// run runs the program with arguments, and gives what it prints.
func (a *Agent) run(ctx context.Context, folder string, env, args []string, input string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, a.path, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = filepath.Join(folder, Mark), env, strings.NewReader(input)
	printed, said := &end{most: mostPrinted}, &end{most: mostSaid}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = printed, said, lingering
	alone(cmd)
	err := cmd.Run()
	kill(cmd) // what it left running
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case errors.Is(err, exec.ErrWaitDelay):
		err = nil // it ended well
	}
	answer := bytes.TrimSpace(printed.text)
	if err == nil {
		return answer, nil
	}
	says := cmp.Or(string(bytes.TrimSpace(said.text)), string(answer))
	if says != "" {
		says = ": " + says[strings.LastIndexByte(says, '\n')+1:]
	}
	return nil, fmt.Errorf("%s: %w%s", a.name, err, says)
}

// end is what is written last.
type end struct {
	text []byte
	most int
}

func (e *end) Write(p []byte) (int, error) {
	e.text = append(e.text, p...)
	e.text = e.text[max(0, len(e.text)-e.most):]
	return len(p), nil
}
