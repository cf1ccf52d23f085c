package schedule

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// systemd is a timer of the user's own service manager.
type systemd struct{ Machine }

func (s systemd) usable(ctx context.Context) bool {
	if s.GOOS != "linux" {
		return false
	}
	// It fails where the manager runs and a unit of the user does not.
	out, _ := s.Run(ctx, "", "systemctl", "--user", "is-system-running")
	switch strings.TrimSpace(out) {
	case "running", "degraded", "starting", "initializing":
		return true
	}
	return false
}

func (s systemd) timer(name string) string   { return "sessionloom-" + name + ".timer" }
func (s systemd) service(name string) string { return "sessionloom-" + name + ".service" }

// unit is the path of a unit, or of a link to one.
func (s systemd) unit(elem ...string) string {
	return filepath.Join(s.Config, "systemd", "user", filepath.Join(elem...))
}

func (s systemd) wanted(name string) string { return s.unit("timers.target.wants", s.timer(name)) }

// stamp is where the manager remembers when a persistent timer last fired.
func (s systemd) stamp(name string) string {
	return filepath.Join(s.Data, "systemd", "timers", "stamp-"+s.timer(name))
}

func (s systemd) InstallPlan(p TimerSpec) (InstallPlan, error) {
	service, err := serviceUnit(p)
	if err != nil {
		return InstallPlan{}, err
	}
	return InstallPlan{
		Files: []File{{Path: s.unit(s.service(p.Name)), Text: service}, {Path: s.unit(s.timer(p.Name)), Text: timerUnit(p)}},
		Commands: [][]string{
			{"systemctl", "--user", "daemon-reload"},
			{"systemctl", "--user", "enable", s.timer(p.Name)},
			{"systemctl", "--user", "restart", s.timer(p.Name)}, // a running one keeps its old times otherwise
		},
	}, nil
}

func (s systemd) Install(ctx context.Context, p TimerSpec) (bool, error) { return s.install(ctx, s, p) }

func (s systemd) Find(ctx context.Context, name string) (State, error) {
	there := standing(s.unit(s.service(name)), s.unit(s.timer(name)), s.wanted(name))
	if len(there) == 0 {
		return State{}, ErrNone
	}
	st := State{Backend: "systemd", Where: there}
	if text, err := os.ReadFile(s.unit(s.timer(name))); err == nil {
		st.When = whenOf(string(text), name)
	}
	// Where the manager cannot be asked, the timer does not run.
	out, err := s.Run(ctx, "", "systemctl", "--user", "show", "--property=ActiveState", "--property=UnitFileState",
		"--property=NextElapseUSecRealtime", s.timer(name))
	if err != nil {
		return st, nil
	}
	said := properties(out)
	st.Active = said["ActiveState"] == "active" && strings.HasPrefix(said["UnitFileState"], "enabled")
	if next, err := time.Parse("Mon 2006-01-02 15:04:05 MST", said["NextElapseUSecRealtime"]); err == nil && st.Active {
		st.Next = next
	}
	return st, nil
}

func (s systemd) Remove(ctx context.Context, name string) (gone []string, err error) {
	there := standing(s.unit(s.service(name)), s.unit(s.timer(name)), s.wanted(name), s.stamp(name))
	if len(there) == 0 {
		return nil, nil
	}
	_, stopped := s.Run(ctx, "", "systemctl", "--user", "disable", "--now", s.timer(name))
	if len(standing(s.unit(s.timer(name)))) == 0 {
		stopped = nil // there was nothing to be stopped, or it was
	}
	// Without this a failed run stays in the manager's list.
	_, _ = s.Run(ctx, "", "systemctl", "--user", "reset-failed", s.service(name))
	gone, err = take(s.unit(s.service(name)), s.unit(s.timer(name)), s.wanted(name), s.stamp(name))
	for _, dir := range []string{s.unit("timers.target.wants"), s.unit(), filepath.Join(s.Config, "systemd")} {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() { // no link of the user's
			_ = os.Remove(dir) // if it is empty now
		}
	}
	_, reloaded := s.Run(ctx, "", "systemctl", "--user", "daemon-reload")
	return gone, errors.Join(err, stopped, reloaded)
}

// properties reads lines of NAME=value.
func properties(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimRight(line, "\n"), "="); ok {
			out[name] = value
		}
	}
	return out
}
