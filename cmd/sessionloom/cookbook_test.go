package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/query"
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// asked is a vault of the sample that is asked as a user does, each time in a process of its own.
type asked struct {
	t    *testing.T
	home string
}

func newAsked(t *testing.T) asked {
	a := asked{t, t.TempDir()}
	a.run("sync", "--sample", "--create", "--quiet")
	putWords(t, filepath.Join(a.home, "vault"))
	a.run("sync", "--sample", "--quiet")
	return a
}

// putWords keeps in a vault of the sample what an agent said of a session.
func putWords(t *testing.T, vault string) {
	t.Helper()
	text, err := sources.DistilledFile{Session: "01a20212-2a37-7680-bf12-3542e568d327", Distillate: sources.Distillate{
		By: "claude", At: time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC), Of: "00", Lines: []sources.Distilled{{Kind: "learned", Text: "A breadcrumb costs no link.", Quote: "Do not add links. Put a breadcrumb", Turn: 2}},
	}}.Masked(func(*sources.Session, map[string]int) error { return nil })
	folder := filepath.Join(vault, "Agents", ".sessionloom", "distilled")
	expect.OK(t, errors.Join(err, os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, "0123456789abcdef0123456789abcdef.json"), text, 0o644)))
}

// run runs a command on the vault and returns what it printed.
func (a asked) run(name string, args ...string) string {
	a.t.Helper()
	self := expect.Value(os.Executable())(a.t)
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(a.t.Context(), self, append([]string{name, "--vault", filepath.Join(a.home, "vault")}, args...)...)
	cmd.Stdout, cmd.Stderr, cmd.Dir = &out, &errs, a.home
	cmd.Env = append(os.Environ(), actAs+"=1", "HOME="+a.home, "USERPROFILE="+a.home, "XDG_CONFIG_HOME="+filepath.Join(a.home, "config"),
		"XDG_STATE_HOME="+filepath.Join(a.home, "state"), "LOCALAPPDATA="+filepath.Join(a.home, "state"), "COPILOT_HOME=", "TZ=UTC")
	if err := cmd.Run(); err != nil {
		a.t.Errorf("%s %q: %v\n%s", name, args, err, errs.String())
	}
	return out.String()
}

// Each statement of the manual answers something on the sample, and every column that views have is
// filled in some row of it, but for what it does not show.
func TestCookbook(t *testing.T) {
	t.Parallel()
	a := newAsked(t)
	found := 0
	for _, block := range fencedCode.FindAllStringSubmatch(documents(t)["docs/ask.md"], -1) {
		if block[1] != "sql" {
			continue
		}
		found++
		rows := a.run("sql", "--csv", block[2])
		if head, rest, _ := strings.Cut(rows, "\n"); rest == "" || strings.Trim(rest, ",\n") == "" {
			t.Errorf("nothing below %q answers\n%s", head, block[2])
		}
	}
	if found < 12 {
		t.Errorf("the manual has %d statements", found)
	}
	const notShown = " sessions.label turns.custom_agent checkpoints.text open_ends.turn "
	everything := a.everything()
	for view, rows := range everything {
		all, err := csv.NewReader(strings.NewReader(rows)).ReadAll()
		if err != nil || len(all) < 2 {
			t.Fatalf("the view %q: %d rows, %v", view, len(all), err)
		}
		for i, column := range all[0] {
			empty := !slices.ContainsFunc(all[1:], func(row []string) bool { return row[i] != "" })
			if name := view + "." + column; empty != strings.Contains(notShown, " "+name+" ") {
				t.Errorf("%s: filled %v", name, !empty)
			}
		}
	}
	a.sameFromALostState(everything)
}

// Views are a function of the history: a state that was lost and made again gives the same.
func (a asked) sameFromALostState(before map[string]string) {
	expect.OK(a.t, os.RemoveAll(filepath.Join(a.home, "state")))
	a.run("sync", "--sample", "--quiet")
	for view, rows := range a.everything() {
		expect.Is(a.t, rows, before[view], "the view", view, "differs")
		expect.Lacks(a.t, rows, "ghp_SYNTHETIC", "the view", view, "shows a secret")
	}
}

// everything is all that there is in the views, by their names.
func (a asked) everything() map[string]string {
	out := map[string]string{}
	for _, v := range query.Views() {
		out[v.Name] = a.run("sql", "--csv", "SELECT * FROM "+v.Name)
	}
	return out
}
