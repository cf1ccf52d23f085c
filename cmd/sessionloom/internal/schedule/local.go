package schedule

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"runtime"
	"strings"
	"time"

	"github.com/adrg/xdg"
)

// Local is this system, for the user with that home folder. Files of ours that no
// system asks for elsewhere go to the folder state.
func Local(home, state string) Machine {
	m := Machine{
		GOOS: runtime.GOOS, Home: home, Config: xdg.ConfigHome, Data: xdg.DataHome, State: state,
		User: fmt.Sprint(os.Getuid()), Run: runs, Now: time.Now, Waiting: time.Sleep,
	}
	if me, err := user.Current(); err == nil {
		m.User = me.Uid // a number, or what Windows calls users by
	}
	return m
}

// runs runs a program of the system, which then speaks English and of UTC.
func runs(ctx context.Context, input string, command ...string) (string, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	if dir := fmt.Sprintf("/run/user/%d", os.Getuid()); os.Getenv("XDG_RUNTIME_DIR") == "" && isFolder(dir) {
		cmd.Env = append(cmd.Env, "XDG_RUNTIME_DIR="+dir) // as after su; the manager is asked there
	}
	cmd.Stdin = strings.NewReader(input)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if err == nil {
		return out.String(), nil
	}
	err = fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	if text := strings.TrimSpace(said.String()); text != "" {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return out.String(), err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
