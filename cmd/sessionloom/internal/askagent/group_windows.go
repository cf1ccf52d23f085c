package askagent

import (
	"os/exec"
	"strconv"
	"syscall"
)

// alone has a command run in a process group of its own, so that Ctrl-C ends it by the
// context alone, and then with all that it started.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
	cmd.Cancel = func() error {
		_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
		return cmd.Process.Kill()
	}
}

// kill does nothing: whose child a process was is not known when the parent is gone.
func kill(*exec.Cmd) {}
