package schedule

import (
	"context"
	"errors"
	"fmt"
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

// hardening is what a user's manager can do without rights of its own: system calls
// and flags of the process. ProtectSystem and ReadWritePaths need a name space of
// mounts; where the manager may make none, it leaves them out by itself.
//
// Not here, for a user's manager fails on them: all that drops capabilities
// (PrivateDevices, ProtectKernelModules, ProtectKernelLogs, ProtectClock).
// PrivateUsers is not asked for either: where it may not be had, the service
// fails, and where it is needed for name spaces, newer managers set it by
// themselves. PrivateTmp would hide a vault or a history that lies in /tmp.
var hardening = []string{
	"NoNewPrivileges=yes",
	"LockPersonality=yes",
	"RestrictRealtime=yes",
}

// confinement is for a program that starts none but git to read.
var confinement = []string{
	"MemoryDenyWriteExecute=yes",
	"RestrictAddressFamilies=AF_UNIX",
	"RestrictNamespaces=yes",
	"RestrictSUIDSGID=yes",
	"SystemCallArchitectures=native",
	"SystemCallFilter=@system-service",
	"SystemCallErrorNumber=EPERM",
	"ProtectSystem=strict",
}

// serviceUnit renders what one run is.
func serviceUnit(p TimerSpec) (string, error) {
	if err := p.check(); err != nil {
		return "", err
	}
	if strings.ContainsAny(p.Program, `\"'`) { // however they are written
		return "", inexpressible(p.Program)
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# %s", p.about())
	line("[Unit]")
	line("Description=%s", description(p))
	line("")
	line("[Service]")
	line("Type=oneshot")
	for _, v := range p.Env {
		line("Environment=%s", unitWord(specifiers(v)))
	}
	words := []string{unitWord(specifiers(p.Program))}
	for _, a := range p.Args {
		words = append(words, unitWord(strings.ReplaceAll(specifiers(a), "$", "$$")))
	}
	line("ExecStart=%s", strings.Join(words, " "))
	line("# 11: another run is at work. 130: stopped, as asked; the next run does the rest.")
	line("SuccessExitStatus=11 130")
	line("TimeoutStartSec=1h")
	line("Nice=10")
	line("CPUSchedulingPolicy=batch")
	line("IOSchedulingClass=idle")
	for _, h := range hardening {
		line("%s", h)
	}
	if len(p.Writes) == 0 {
		line("ProtectSystem=full")
		return b.String(), nil
	}
	for _, c := range confinement {
		line("%s", c)
	}
	for _, dir := range append([]string{"/tmp", "/var/tmp"}, p.Writes...) {
		word, err := unitPath(dir)
		if err != nil {
			return "", err
		}
		line("ReadWritePaths=%s", word)
	}
	return b.String(), nil
}

// timerUnit renders when it runs.
func timerUnit(p TimerSpec) string {
	return fmt.Sprintf(`# %s
[Unit]
Description=%s

[Timer]
OnCalendar=%s
Persistent=true
RandomizedDelaySec=%d
FixedRandomDelay=true

[Install]
WantedBy=timers.target
`, p.about(), description(p), onCalendar(p.When), p.When.spread()/time.Second)
}

// description ends with no backslash, which would draw in the next line.
func description(p TimerSpec) string { return specifiers(p.Title + " (" + p.When.String() + ")") }

// onCalendar writes a time as systemd does.
func onCalendar(w When) string {
	m := w.minutes()
	switch {
	case w.Daily:
		return fmt.Sprintf("*-*-* %02d:%02d:00", w.Hour, w.Minute)
	case m < 60:
		return fmt.Sprintf("*-*-* *:00/%d:00", m)
	}
	return fmt.Sprintf("*-*-* 00/%d:00:00", m/60)
}

// specifiers has a text mean itself where units replace %x.
func specifiers(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// unitWord writes a text as one word of a command line or an assignment.
func unitWord(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// unitPath writes a folder that need not be there. In lists of paths a backslash is
// a character as any other, so that one kind of quote must be left to put around.
func unitPath(dir string) (string, error) {
	quote := `"`
	if strings.Contains(dir, quote) {
		quote = "'"
	}
	if strings.Contains(dir, quote) {
		return "", inexpressible(dir)
	}
	return quote + "-" + specifiers(dir) + quote, nil
}
