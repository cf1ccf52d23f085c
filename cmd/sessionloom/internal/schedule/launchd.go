package schedule

import (
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// launchd is an agent in the session of a macOS user.
type launchd struct{ Machine }

// Taking an agent in may have to wait until the one before is gone.
const (
	bootstrapTries = 10
	bootstrapPause = 300 * time.Millisecond
)

func (l launchd) usable(context.Context) bool { return l.GOOS == "darwin" }

func (l launchd) label(name string) string { return "io.github.sessionloom." + name }

func (l launchd) agent(name string) string {
	return filepath.Join(l.Home, "Library", "LaunchAgents", l.label(name)+".plist")
}

// log takes what the runs print, which is nothing where all went well.
func (l launchd) log(name string) string { return filepath.Join(l.State, "schedule-"+name+".log") }

func (l launchd) domain() string { return "gui/" + l.User }

func (l launchd) service(name string) string { return l.domain() + "/" + l.label(name) }

func (l launchd) InstallPlan(p TimerSpec) (InstallPlan, error) {
	if err := p.check(); err != nil {
		return InstallPlan{}, err
	}
	return InstallPlan{
		Files: []File{{Path: l.agent(p.Name), Text: l.plist(p)}},
		Commands: [][]string{
			{"launchctl", "enable", l.service(p.Name)},
			{"launchctl", "bootstrap", l.domain(), l.agent(p.Name)},
		},
	}, nil
}

func (l launchd) Install(ctx context.Context, p TimerSpec) (bool, error) {
	with := l
	with.Run = func(ctx context.Context, input string, command ...string) (string, error) {
		if len(command) < 2 || command[1] != "bootstrap" {
			return l.Run(ctx, input, command...)
		}
		if l.loaded(ctx, p.Name) { // else the old one stays
			if _, err := l.Run(ctx, "", "launchctl", "bootout", l.service(p.Name)); err != nil {
				return "", err
			}
		}
		for try := 1; ; try++ {
			out, err := l.Run(ctx, input, command...)
			if err == nil || try == bootstrapTries || ctx.Err() != nil {
				return out, err
			}
			l.Waiting(bootstrapPause)
		}
	}
	return with.install(ctx, l, p)
}

func (l launchd) loaded(ctx context.Context, name string) bool {
	_, err := l.Run(ctx, "", "launchctl", "print", l.service(name))
	return err == nil
}

func (l launchd) Find(ctx context.Context, name string) (State, error) {
	st := State{Backend: "launchd", Where: standing(l.agent(name)), Active: l.loaded(ctx, name)}
	if len(st.Where) == 0 && !st.Active {
		return State{}, ErrNone
	}
	if text, err := os.ReadFile(l.agent(name)); err == nil {
		st.When = whenOf(string(text), name)
	}
	if st.Active && st.When.check() == nil {
		st.Next = st.When.Next(l.Now())
	}
	return st, nil
}

func (l launchd) Remove(ctx context.Context, name string) (gone []string, err error) {
	if l.loaded(ctx, name) {
		if _, err := l.Run(ctx, "", "launchctl", "bootout", l.service(name)); err != nil {
			return nil, err
		}
		gone = append(gone, "agent "+l.label(name))
	}
	files, err := take(l.agent(name), l.log(name))
	return append(gone, files...), err
}

// plist renders the agent: at the times of the spec, and once when the user logs
// in, for what was missed while nobody was.
func (l launchd) plist(p TimerSpec) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	key := func(name, value string) { line("\t<key>%s</key>\n\t%s", name, value) }
	line(`<?xml version="1.0" encoding="UTF-8"?>`)
	line(`<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">`)
	line("<!-- %s -->", commentText(p.about()))
	line(`<plist version="1.0">`)
	line("<dict>")
	key("Label", xmlString(l.label(p.Name)))
	key("ProgramArguments", xmlStrings(append([]string{p.Program}, p.Args...)))
	if len(p.Env) > 0 {
		line("\t<key>EnvironmentVariables</key>\n\t<dict>")
		for _, v := range p.Env {
			name, value, _ := strings.Cut(v, "=")
			line("\t\t<key>%s</key>\n\t\t%s", xmlText(name), xmlString(value))
		}
		line("\t</dict>")
	}
	key("StartCalendarInterval", calendar(p.When))
	key("RunAtLoad", "<true/>")
	key("ProcessType", "<string>Background</string>")
	key("LowPriorityIO", "<true/>")
	key("Nice", "<integer>10</integer>")
	key("StandardOutPath", xmlString(l.log(p.Name)))
	key("StandardErrorPath", xmlString(l.log(p.Name)))
	line("</dict>\n</plist>")
	return b.String()
}

// calendar lists the times of a day. Unlike an interval, they are made up for when
// the machine slept through them.
func calendar(w When) string {
	var b strings.Builder
	b.WriteString("<array>\n")
	at := func(units ...any) {
		b.WriteString("\t\t<dict>\n")
		for i := 0; i < len(units); i += 2 {
			fmt.Fprintf(&b, "\t\t\t<key>%s</key>\n\t\t\t<integer>%d</integer>\n", units[i], units[i+1])
		}
		b.WriteString("\t\t</dict>\n")
	}
	switch m := w.minutes(); {
	case w.Daily:
		at("Hour", w.Hour, "Minute", w.Minute)
	case m < 60:
		for minute := 0; minute < 60; minute += m {
			at("Minute", minute)
		}
	default:
		for hour := 0; hour < 24; hour += m / 60 {
			at("Hour", hour, "Minute", 0)
		}
	}
	return b.String() + "\t</array>"
}

func xmlStrings(list []string) string {
	out := "<array>\n"
	for _, s := range list {
		out += "\t\t" + xmlString(s) + "\n"
	}
	return out + "\t</array>"
}

func xmlString(s string) string { return "<string>" + xmlText(s) + "</string>" }

// xmlText writes a text without control characters, which a spec never has.
func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a builder takes everything
	return b.String()
}

// commentText has no two dashes in a row, as comments of XML want it. What is put
// into one has none.
func commentText(s string) string { return strings.ReplaceAll(s, "--", "- -") }
