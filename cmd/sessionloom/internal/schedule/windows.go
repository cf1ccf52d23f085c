package schedule

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// windows is a task of the Task Scheduler, in the session of its user: it needs no
// password and no rights of an administrator.
type windows struct{ Machine }

// maxCommand is the longest path the scheduler takes as a program, in characters.
const maxCommand = 260

// timer has one file: what the scheduler is given, and what says later how it was
// installed.
func (w windows) timer(name string) timer {
	file := filepath.Join(w.State, "schedule-"+name+".xml")
	return timer{
		files: []File{{Path: file, template: "windows.xml.tmpl", wide: true}},
		start: [][]string{{"schtasks", "/Create", "/F", "/TN", "sessionloom-" + name, "/XML", file}},
	}
}

func (w windows) refuses(p TimerSpec) error {
	for _, word := range append([]string{p.Program}, p.Args...) {
		if strings.Contains(word, "%") || strings.Contains(word, "$(") { // both are replaced by the scheduler
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

// commandLine joins words as programs of Windows take them apart again: backslashes
// are doubled before a quote only.
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
