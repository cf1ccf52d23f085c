package schedule

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// windows is a task of the Task Scheduler, in the session of its user: it needs no
// password and no rights of an administrator.
type windows struct{ Machine }

// maxCommand is the longest path the scheduler takes as a program, in characters.
const maxCommand = 260

// headless runs a program of the console without opening a window. A console
// program that the scheduler starts itself flashes one each time. Whether the exit
// code of the program comes through is not promised; runs are therefore recorded
// by the program itself.
const headless = `%SystemRoot%\System32\conhost.exe`

func (w windows) usable(context.Context) bool { return w.GOOS == "windows" }

func (w windows) task(name string) string { return "sessionloom-" + name }

// file is what the scheduler is given, and what says later how it was installed.
func (w windows) file(name string) string {
	return filepath.Join(w.State, "schedule-"+name+".xml")
}

func (w windows) InstallPlan(p TimerSpec) (InstallPlan, error) {
	text, err := w.definition(p)
	if err != nil {
		return InstallPlan{}, err
	}
	return InstallPlan{
		Files:    []File{{Path: w.file(p.Name), Text: text, wide: true}},
		Commands: [][]string{{"schtasks", "/Create", "/F", "/TN", w.task(p.Name), "/XML", w.file(p.Name)}},
	}, nil
}

func (w windows) Install(ctx context.Context, p TimerSpec) (bool, error) { return w.install(ctx, w, p) }

func (w windows) Find(ctx context.Context, name string) (State, error) {
	there := standing(w.file(name))
	out, err := w.Run(ctx, "", "schtasks", "/Query", "/TN", w.task(name), "/FO", "CSV", "/NH")
	if err != nil && len(there) == 0 {
		return State{}, ErrNone
	}
	st := State{Backend: "windows", Where: there, Active: err == nil}
	if text, err := os.ReadFile(w.file(name)); err == nil {
		st.When = whenOf(narrow(text), name)
	}
	if st.Active {
		st.Where = append(st.Where, "task "+w.task(name))
		// Name, next time, state; the time as the user's settings write it.
		if row, err := csv.NewReader(strings.NewReader(out)).Read(); err == nil && len(row) > 1 {
			st.NextSay = row[1]
		}
	}
	return st, nil
}

func (w windows) Remove(ctx context.Context, name string) (gone []string, err error) {
	if _, err := w.Run(ctx, "", "schtasks", "/Query", "/TN", w.task(name), "/FO", "CSV", "/NH"); err == nil {
		if _, err := w.Run(ctx, "", "schtasks", "/Delete", "/F", "/TN", w.task(name)); err != nil {
			return nil, err
		}
		gone = append(gone, "task "+w.task(name))
	}
	files, err := take(w.file(name))
	return append(gone, files...), err
}

// definition renders the task. Elements of a trigger have a fixed order in the
// scheduler's schema (triggerBaseType is a sequence), all others have none.
func (w windows) definition(p TimerSpec) (string, error) {
	if err := p.check(); err != nil {
		return "", err
	}
	for _, word := range append([]string{p.Program}, p.Args...) {
		if strings.Contains(word, "%") || strings.Contains(word, "$(") { // both are replaced by the scheduler
			return "", inexpressible(word)
		}
	}
	if n := len([]rune(p.Program)); n > maxCommand {
		return "", fmt.Errorf("the program's path has %d characters, more than a task takes: %w", n, ErrInexpressible)
	}
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-16"?>
<!-- %s -->
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>%s</Description>
  </RegistrationInfo>
  <Triggers>
%s
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>%s</UserId>
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <RunOnlyIfNetworkAvailable>false</RunOnlyIfNetworkAvailable>
    <Enabled>true</Enabled>
    <Hidden>true</Hidden>
    <WakeToRun>false</WakeToRun>
    <ExecutionTimeLimit>PT1H</ExecutionTimeLimit>
    <Priority>8</Priority>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>%s</Command>
      <Arguments>%s</Arguments>
    </Exec>
  </Actions>
</Task>
`, commentText(p.about()), xmlText(p.Title), trigger(p.When), xmlText(w.User), headless,
		xmlText("--headless "+commandLine(append([]string{p.Program}, p.Args...)))), nil
}

// trigger begins on a day long past, so that the same spec gives the same bytes.
func trigger(w When) string {
	if w.Daily {
		return fmt.Sprintf(`    <CalendarTrigger>
      <Enabled>true</Enabled>
      <StartBoundary>2026-01-01T%02d:%02d:00</StartBoundary>
      <ScheduleByDay>
        <DaysInterval>1</DaysInterval>
      </ScheduleByDay>
    </CalendarTrigger>`, w.Hour, w.Minute)
	}
	return fmt.Sprintf(`    <TimeTrigger>
      <Enabled>true</Enabled>
      <StartBoundary>2026-01-01T00:00:00</StartBoundary>
      <Repetition>
        <Interval>PT%dM</Interval>
        <StopAtDurationEnd>false</StopAtDurationEnd>
      </Repetition>
    </TimeTrigger>`, w.minutes())
}

// commandLine joins words as programs of Windows take them apart again: backslashes
// are doubled before a quote only.
func commandLine(words []string) string {
	var out []string
	for _, word := range words {
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
