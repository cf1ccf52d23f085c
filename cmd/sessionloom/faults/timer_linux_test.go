package faults

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

var realTimer = flag.Bool("faults.timer", false, "have a real service manager of a user fire a timer (root, systemd, dbus-daemon; three minutes)")

// timerStage begins a service manager for a user in a name space of its own, where
// none runs the system, and has that user do what steps says.
const timerStage = `set -e
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system /run/user/65534
chown 65534 /run/user/65534
chmod 700 /run/user/65534
for at in /sys/fs/cgroup/systemd /sys/fs/cgroup/unified /sys/fs/cgroup; do
  test -w $at/cgroup.procs || continue
  mkdir -p $at/sessionloom-timer
  chown -R 65534 $at/sessionloom-timer
  echo $$ > $at/sessionloom-timer/cgroup.procs
done
exec setpriv --reuid=65534 --regid=65534 --clear-groups sh "$1"
`

const timerSteps = `cd "$HOME"
export XDG_RUNTIME_DIR=/run/user/65534 DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/65534/bus
dbus-daemon --session --address="$DBUS_SESSION_BUS_ADDRESS" > bus.log 2>&1 &
bus=$!
while ! test -S $XDG_RUNTIME_DIR/bus; do sleep 0.1; done
/lib/systemd/systemd --user > manager.log 2>&1 &
manager=$!
for i in $(seq 50); do
  test "$(systemctl --user is-system-running)" = running && break
  sleep 0.2
done
settings="--vault $HOME/vault --state $HOME/state"
./sessionloom init $settings --copilot-home "$HOME/copilot" --no-defaults >&2
./sessionloom schedule install --every 1m $settings --copilot-home "$HOME/copilot" --no-defaults >&2
for i in $(seq 170); do
  ls state/*/runs.jsonl > /dev/null 2>&1 && break
  sleep 1
done
./sessionloom schedule status $settings >&2
./sessionloom schedule status $settings --json
./sessionloom schedule remove $settings >&2
systemctl --user list-timers --all >&2
kill $manager $bus
wait
`

// A timer made by the program fires, in a service manager as users have it: without
// rights, and with the confinement that the unit asks for.
func TestRealTimer(t *testing.T) {
	if !*realTimer {
		t.Skip("wants -faults.timer")
	}
	if os.Getuid() != 0 {
		t.Skip("mounting needs root")
	}
	dir := expect.Value(os.MkdirTemp("", "timer-"))(t)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	p := placeIn(t, dir, small, middle)
	built := expect.Value(program())(p.t)
	p.must(exec.Command("cp", built, filepath.Join(dir, "sessionloom")).Run())
	p.must(os.WriteFile(filepath.Join(dir, "stage"), []byte(timerStage), 0o600))
	p.must(os.WriteFile(filepath.Join(dir, "steps"), []byte(timerSteps), 0o600))
	p.must(exec.Command("chown", "-R", "65534:65534", dir).Run())
	before := tree(t, p.home)

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "unshare", "-m", "sh", filepath.Join(dir, "stage"), filepath.Join(dir, "steps"))
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "USER=nobody"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	t.Logf("%s%s", said.String(), out)
	p.must(err)

	var status struct {
		Active  bool
		Backend string
		Failing int
		Runs    []struct {
			Exit  int
			Notes struct{ Created int }
		}
	}
	p.must(json.Unmarshal(out, &status))
	if !status.Active || status.Backend != "systemd" || status.Failing != 0 || len(status.Runs) == 0 {
		t.Fatalf("the timer did not fire: %+v", status)
	}
	if first := status.Runs[len(status.Runs)-1]; first.Exit != 0 || first.Notes.Created == 0 {
		t.Errorf("the first run ended as %+v", first)
	}
	expect.Is(t, differences(before, tree(t, p.home), true), "", "the history changed")
	for _, left := range []string{".config/systemd", ".local/share/systemd/timers/stamp-*"} {
		if found, _ := filepath.Glob(filepath.Join(dir, left)); len(found) > 0 {
			t.Errorf("left behind: %q", found)
		}
	}
	p.sound("a run of the timer")
	proved(t, "a timer of systemd fires, as a user without rights", 1, len(status.Runs), "notes written, history untouched, nothing left behind")
}
