package schedule

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type systemd struct{ Machine }

// usable reports whether the manager runs, even if some unit failed.
func (s systemd) usable(ctx context.Context) bool {
	if s.GOOS != "linux" {
		return false
	}
	out, _ := s.control(ctx, "is-system-running")
	switch strings.TrimSpace(out) {
	case "running", "degraded", "starting", "initializing":
		return true
	}
	return false
}

func (s systemd) control(ctx context.Context, words ...string) (string, error) {
	return s.Run(ctx, "", append([]string{"systemctl", "--user"}, words...)...)
}

func (s systemd) timer(name string) timer {
	name = "sessionloom-" + name
	units := filepath.Join(s.Config, "systemd", "user")
	wants := filepath.Join(units, "timers.target.wants")
	return timer{
		files: []File{
			{Path: filepath.Join(units, name+".service"), template: "systemd.service.tmpl"},
			{Path: filepath.Join(units, name+".timer"), template: "systemd.timer.tmpl"},
		},
		// The link that enables it, and the stamp of its last run.
		traces:  []string{filepath.Join(wants, name+".timer"), filepath.Join(s.Data, "systemd", "timers", "stamp-"+name+".timer")},
		folders: []string{wants, units, filepath.Dir(units)},
		start: [][]string{
			{"systemctl", "--user", "daemon-reload"},
			{"systemctl", "--user", "enable", name + ".timer"},
			{"systemctl", "--user", "restart", name + ".timer"}, // otherwise a running one keeps its old times
		},
		ended: [][]string{{"systemctl", "--user", "daemon-reload"}},
	}
}

func (s systemd) refuses(p TimerSpec) error {
	if strings.ContainsAny(p.Program, `\"'`) { // in any spelling
		return inexpressible(p.Program)
	}
	for _, dir := range p.Writes {
		if _, err := unitPath(dir); err != nil {
			return err
		}
	}
	return nil
}

// ask treats a timer as inactive if the manager does not answer.
func (s systemd) ask(ctx context.Context, name string) (st State) {
	if len(existing(s.timer(name).paths()...)) == 0 {
		return st
	}
	unit, _ := os.ReadFile(s.timer(name).files[0].Path)
	st.Bound = strings.Contains(string(unit), "RestrictAddressFamilies=")
	out, err := s.control(ctx, "show", "--property=ActiveState", "--property=UnitFileState", "--property=NextElapseUSecRealtime", "sessionloom-"+name+".timer")
	if err != nil {
		return st
	}
	said := map[string]string{}
	for line := range strings.Lines(out) {
		property, value, _ := strings.Cut(strings.TrimRight(line, "\n"), "=")
		said[property] = value
	}
	st.Active = said["ActiveState"] == "active" && strings.HasPrefix(said["UnitFileState"], "enabled")
	if next, err := time.Parse("Mon 2006-01-02 15:04:05 MST", said["NextElapseUSecRealtime"]); err == nil && st.Active {
		st.Next = next
	}
	return st
}

func (s systemd) stop(ctx context.Context, name string) ([]string, error) {
	t := s.timer(name)
	if len(existing(append(t.paths(), t.traces...)...)) == 0 {
		return nil, nil
	}
	_, err := s.control(ctx, "disable", "--now", "sessionloom-"+name+".timer")
	if len(existing(t.files[1].Path)) == 0 {
		err = nil // it was stopped, or there was nothing to stop
	}
	// Without this a failed run stays in the manager's list.
	_, _ = s.control(ctx, "reset-failed", "sessionloom-"+name+".service")
	return nil, err
}

func specifiers(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// unitWord writes a text as one word of a command line or an assignment.
func unitWord(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// unitPath writes a folder that need not exist. Lists of paths allow no escaped quotes.
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

type launchd struct{ Machine }

func (l launchd) service(name string) string { return "gui/" + l.User + "/" + label(name) }

func label(name string) string { return "io.github.sessionloom." + name }

func (l launchd) timer(name string) timer {
	agent := filepath.Join(l.Home, "Library", "LaunchAgents", label(name)+".plist")
	return timer{
		files: []File{{Path: agent, template: "launchd.plist.tmpl"}},
		start: [][]string{{"launchctl", "enable", l.service(name)}, {"launchctl", "bootstrap", "gui/" + l.User, agent}},
		alone: true, tries: 10,
	}
}

func (launchd) refuses(TimerSpec) error { return nil }

func (l launchd) ask(ctx context.Context, name string) State {
	_, err := l.Run(ctx, "", "launchctl", "print", l.service(name))
	return State{Active: err == nil}
}

func (l launchd) stop(ctx context.Context, name string) ([]string, error) {
	if !l.ask(ctx, name).Active {
		return nil, nil
	}
	if _, err := l.Run(ctx, "", "launchctl", "bootout", l.service(name)); err != nil {
		return nil, err
	}
	return []string{"agent " + label(name)}, nil
}

// calendar lists the times of a day, which are caught up after sleep.
func calendar(w When) (times []map[string]int) {
	switch m := w.minutes(); {
	case w.Daily:
		return []map[string]int{{"Hour": w.Hour, "Minute": w.Minute}}
	case m < 60:
		for minute := 0; minute < 60; minute += m {
			times = append(times, map[string]int{"Minute": minute})
		}
	default:
		for hour := 0; hour < 24; hour += m / 60 {
			times = append(times, map[string]int{"Hour": hour, "Minute": 0})
		}
	}
	return times
}

func variables(env []string) map[string]string {
	out := map[string]string{}
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		out[name] = value
	}
	return out
}

// windows is a task in the session of its user, without a password.
type windows struct{ Machine }

// maxCommand is the longest path of a program that the scheduler accepts, in characters.
const maxCommand = 260

// timer returns a timer of one file, which also records how it was installed.
func (w windows) timer(name string) timer {
	file := filepath.Join(w.State, "schedule-"+name+".xml")
	return timer{
		files: []File{{Path: file, template: "windows.xml.tmpl", wide: true}},
		start: [][]string{{"schtasks", "/Create", "/F", "/TN", "sessionloom-" + name, "/XML", file}},
	}
}

func (w windows) refuses(p TimerSpec) error {
	for _, word := range append([]string{p.Program}, p.Args...) {
		if strings.Contains(word, "%") || strings.Contains(word, "$(") { // the scheduler replaces both
			return inexpressible(word)
		}
	}
	if n := len([]rune(p.Program)); n > maxCommand {
		return fmt.Errorf("the program's path has %d characters, more than a task takes: %w", n, ErrInexpressible)
	}
	return nil
}

func (w windows) ask(ctx context.Context, name string) (st State) {
	if _, err := w.Run(ctx, "", "schtasks", "/Query", "/TN", "sessionloom-"+name); err == nil {
		st.Active, st.Where = true, []string{"task sessionloom-" + name}
	}
	return st
}

func (w windows) stop(ctx context.Context, name string) ([]string, error) {
	st := w.ask(ctx, name)
	if !st.Active {
		return nil, nil
	}
	if _, err := w.Run(ctx, "", "schtasks", "/Delete", "/F", "/TN", "sessionloom-"+name); err != nil {
		return nil, err
	}
	return st.Where, nil
}

// commandLine joins words as Windows splits them: backslashes double before quotes.
func commandLine(first, program string, args []string) string {
	out := []string{first}
	for _, word := range append([]string{program}, args...) {
		if word != "" && !strings.ContainsAny(word, " \t\"") {
			out = append(out, word)
			continue
		}
		var b strings.Builder
		slashes := 0
		for _, r := range word {
			if r == '"' {
				b.WriteString(strings.Repeat(`\`, slashes+1))
			}
			slashes++
			if r != '\\' {
				slashes = 0
			}
			b.WriteRune(r)
		}
		out = append(out, `"`+b.String()+strings.Repeat(`\`, slashes)+`"`)
	}
	return strings.Join(out, " ")
}
