package schedule

import (
	"fmt"
	"strings"
	"time"
)

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
