//go:build unix

package askagent

import (
	"os/exec"
	"syscall"
)

// alone has a command run in a process group of its own, all of which ends when the
// context does.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { kill(cmd); return nil }
}

// kill ends what is left of the process group of a command.
func kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // an error: nothing is left
	}
}
