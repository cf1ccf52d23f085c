package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// cron is a block of lines in the user's crontab, for systems without another timer.
type cron struct{ Machine }

// tablePath stands for the crontab, which has no path of its own.
const tablePath = "crontab"

const maxCronLine = 998

func (c cron) usable(ctx context.Context) bool {
	if c.GOOS == "windows" {
		return false
	}
	_, err := c.table(ctx)
	return err == nil
}

func (c cron) InstallPlan(p TimerSpec) (InstallPlan, error) {
	line, err := cronLine(p)
	if err != nil {
		return InstallPlan{}, err
	}
	block := blockBegin(p.Name) + " " + p.When.String() + "\n" + line + "\n" + blockEnd(p.Name) + "\n"
	return InstallPlan{Files: []File{{Path: tablePath, Text: block}}, Commands: [][]string{{"crontab", "-"}}}, nil
}

func (c cron) Install(ctx context.Context, p TimerSpec) (bool, error) {
	r, err := c.InstallPlan(p)
	if err != nil {
		return false, err
	}
	have, err := c.table(ctx)
	if err != nil {
		return false, err
	}
	want, err := withBlock(have, p.Name, r.Files[0].Text)
	if err != nil || want == have {
		return false, err
	}
	return true, c.putTable(ctx, want)
}

func (c cron) Find(ctx context.Context, name string) (State, error) {
	have, err := c.table(ctx)
	if err != nil { // no cron, no timer
		return State{}, ErrNone
	}
	begin := strings.Index("\n"+have, "\n"+blockBegin(name)+" ")
	if begin < 0 {
		return State{}, ErrNone
	}
	st := State{Backend: "cron", Where: []string{"the crontab"}, When: whenOf(strings.Replace(have[begin:], blockMark+"begin ", "sessionloom ", 1), name)}
	if _, err := withBlock(have, name, ""); err == nil && st.When.check() == nil {
		st.Active, st.Next = true, st.When.Next(c.Now())
	}
	return st, nil
}

func (c cron) Remove(ctx context.Context, name string) (gone []string, err error) {
	have, err := c.table(ctx)
	if err != nil {
		return nil, nil
	}
	want, err := withBlock(have, name, "")
	if err != nil || want == have {
		return nil, err
	}
	return []string{"its lines in the crontab"}, c.putTable(ctx, want)
}

// table returns the user's crontab, or "".
func (c cron) table(ctx context.Context) (string, error) {
	out, err := c.Run(ctx, "", "crontab", "-l")
	if err == nil {
		return out, nil
	}
	said := err.Error() // messages of cron, cronie, busybox
	if out == "" && (strings.Contains(said, "no crontab for") || strings.Contains(said, "can't open") && strings.Contains(said, "No such file")) {
		return "", nil
	}
	return "", err
}

// putTable replaces the crontab, and checks that it was accepted unchanged.
func (c cron) putTable(ctx context.Context, text string) error {
	if text == "" {
		_, err := c.Run(ctx, "", "crontab", "-r")
		return err
	}
	if _, err := c.Run(ctx, text, "crontab", "-"); err != nil {
		return err
	}
	now, err := c.table(ctx)
	if err == nil && now != text {
		err = errors.New("crontab keeps another table than it was given")
	}
	return err
}

// The marks around a timer's lines.
const blockMark = "# sessionloom:"

func blockBegin(name string) string { return blockMark + "begin " + name }
func blockEnd(name string) string   { return blockMark + "end " + name }

// withBlock inserts a block into a crontab, or removes it. It does not touch a block without its end.
func withBlock(table, name, block string) (string, error) {
	var out strings.Builder
	inside, done := false, false
	for line := range strings.Lines(table) {
		text := strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(text+" ", blockBegin(name)+" "):
			if inside {
				return "", openBlock(name)
			}
			inside = true
			if !done {
				out.WriteString(block)
			}
			done = true
		case inside && text == blockEnd(name):
			inside = false
		case inside && strings.HasPrefix(text, blockMark):
			return "", openBlock(name)
		case !inside:
			out.WriteString(line)
		}
	}
	if inside {
		return "", openBlock(name)
	}
	if !done && block != "" {
		if n := out.Len(); n > 0 && !strings.HasSuffix(table, "\n") {
			out.WriteString("\n")
		}
		out.WriteString(block)
	}
	return out.String(), nil
}

func openBlock(name string) error {
	return fmt.Errorf("the crontab has a line %q without the line %q after it", blockBegin(name), blockEnd(name))
}

// cronLine renders the entry. Crons read a % as a line end and disagree on backslashes.
func cronLine(p TimerSpec) (string, error) {
	if err := p.check(); err != nil {
		return "", err
	}
	var words []string
	for _, v := range p.Env {
		name, value, _ := strings.Cut(v, "=")
		words = append(words, name+"="+homepath.ShellWord(value))
	}
	for _, w := range append([]string{p.Program}, p.Args...) {
		words = append(words, homepath.ShellWord(w))
	}
	for _, w := range slices.Concat([]string{p.Program}, p.Args, p.Env) {
		if strings.Contains(w, `\`) {
			return "", inexpressible(w)
		}
	}
	command := strings.ReplaceAll(strings.Join(words, " "), "%", `\%`)
	if len(command) > maxCronLine {
		return "", fmt.Errorf("the command has %d bytes, more than every cron takes: %w", len(command), ErrInexpressible)
	}
	return p.When.In("%[2]d %[1]d * * *", "*/%d * * * *", "0 */%d * * *") + " " + command, nil
}
