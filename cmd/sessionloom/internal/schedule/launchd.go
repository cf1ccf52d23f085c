package schedule

import (
	"context"
	"path/filepath"
	"strings"
)

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

// calendar lists the times of a day. Unlike an interval, they are made up for when
// the machine slept through them.
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
