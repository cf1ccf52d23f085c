package schedule

import (
	"context"
	"path/filepath"
	"strings"
	"time"
)

type systemd struct{ Machine }

// usable tells whether the manager runs. It fails where it does and a unit of the user
// does not.
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
		// The link that enables it, and the stamp of when it fired last.
		traces:  []string{filepath.Join(wants, name+".timer"), filepath.Join(s.Data, "systemd", "timers", "stamp-"+name+".timer")},
		folders: []string{wants, units, filepath.Dir(units)},
		start: [][]string{
			{"systemctl", "--user", "daemon-reload"},
			{"systemctl", "--user", "enable", name + ".timer"},
			{"systemctl", "--user", "restart", name + ".timer"}, // a running one keeps its old times otherwise
		},
		ended: [][]string{{"systemctl", "--user", "daemon-reload"}},
	}
}

func (s systemd) refuses(p TimerSpec) error {
	if strings.ContainsAny(p.Program, `\"'`) { // however they are written
		return inexpressible(p.Program)
	}
	for _, dir := range p.Writes {
		if _, err := unitPath(dir); err != nil {
			return err
		}
	}
	return nil
}

// ask takes a timer for one that does not run where the manager cannot be asked.
func (s systemd) ask(ctx context.Context, name string) (st State) {
	if len(standing(s.timer(name).paths()...)) == 0 {
		return st
	}
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
	if len(standing(append(t.paths(), t.traces...)...)) == 0 {
		return nil, nil
	}
	_, err := s.control(ctx, "disable", "--now", "sessionloom-"+name+".timer")
	if len(standing(t.files[1].Path)) == 0 {
		err = nil // there was nothing to be stopped, or it was
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
