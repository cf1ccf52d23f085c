package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/schedule"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/vault/repo"
)

// timerName is the configuration and the name of the timer of its vault.
func (a *app) timerName(cmd *cobra.Command) (config, string, error) {
	c, err := a.config(cmd)
	if err == nil && c.vault == "" {
		err = noVault()
	}
	return c, schedule.Name(resolved(c.vault), c.folder), err
}

// timerPlan is what a timer of the vault is to do.
func (a *app) timerPlan(cmd *cobra.Command, t timing) (schedule.Plan, error) {
	when, err := t.when()
	if err != nil {
		return schedule.Plan{}, err
	}
	if err := t.order.verify(extract.Mode{}); err != nil {
		return schedule.Plan{}, err
	}
	c, name, err := a.timerName(cmd)
	if err != nil {
		return schedule.Plan{}, err
	}
	program, err := ownPath()
	if err != nil {
		return schedule.Plan{}, err
	}
	plan := schedule.Plan{
		Name: name, Title: "sessionloom: keep " + tilde(c.vault, a.home) + " up to date",
		Program: program, When: when, Env: a.timerEnv(t.order.commit),
		Args: []string{"sync", "--scheduled", "--vault=" + c.vault, "--folder=" + c.folder},
	}
	if t.order.commit {
		plan.Args = append(plan.Args, "--commit") // its hooks and its signing may write anywhere
		if t.order.branch != "" {
			plan.Args = append(plan.Args, "--branch="+t.order.branch)
		}
	} else {
		plan.Writes = writtenTo(c)
	}
	// The state folder only if it was given: were it another than that of the
	// configuration one day, two runs could be at work on one vault.
	for _, g := range a.repeated(cmd.Flags(), "vault", "folder") {
		word := "--" + g.name
		if g.value != nil {
			word += "=" + *g.value
		}
		plan.Args = append(plan.Args, word)
	}
	return plan, nil
}

// writtenTo lists the folders that a sync without a commit writes to. That of git
// is one of them: asking git for what it holds may refresh its index.
func writtenTo(c config) []string {
	dirs := []string{c.vault, c.state}
	if r, err := repo.Find(c.vault); err == nil {
		dirs = append(dirs, r.Folders()...)
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// places are variables that say where a history or our own files lie. They hold
// for the timer too, which begins with an environment of its own.
var places = []string{
	"COPILOT_HOME", "VSCODE_AGENT_FOLDER", "VSCODE_APPDATA", "VSCODE_PORTABLE", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
}

// timerEnv lists the variables a timer needs: those that settle what is read, and a
// short path on which git is found. Hooks of a commit may want all of the path.
func (a *app) timerEnv(commits bool) []string {
	var out []string
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		if value != "" && (slices.Contains(places, name) || strings.HasPrefix(name, envPrefix+"_")) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	if runtime.GOOS == "windows" { // the path of the user's session is there
		return out
	}
	path := []string{"/usr/local/bin", "/usr/bin", "/bin"}
	if git, err := exec.LookPath("git"); err == nil && filepath.IsAbs(git) && !slices.Contains(path, filepath.Dir(git)) {
		path = append([]string{filepath.Dir(git)}, path...)
	}
	if commits {
		path = filepath.SplitList(a.env("PATH"))
	}
	return append(out, "PATH="+strings.Join(path, ":"))
}

// machine is this system for the timers of cmd's configuration.
func (a *app) machine(cmd *cobra.Command) schedule.Machine {
	m := schedule.Machine{
		GOOS: runtime.GOOS, Home: a.home, Config: xdg.ConfigHome, Data: xdg.DataHome,
		User: fmt.Sprint(os.Getuid()), Run: a.runs, Now: time.Now, Waiting: time.Sleep,
	}
	if c, err := a.config(cmd); err == nil {
		m.State = c.state
	}
	if me, err := user.Current(); err == nil {
		m.User = me.Uid // a number, or what Windows calls users by
	}
	return m
}

// runs runs a program of the system, which then speaks English and of UTC.
func (a *app) runs(ctx context.Context, input string, command ...string) (string, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	if dir := fmt.Sprintf("/run/user/%d", os.Getuid()); a.env("XDG_RUNTIME_DIR") == "" && isFolder(dir) {
		cmd.Env = append(cmd.Env, "XDG_RUNTIME_DIR="+dir) // as after su; the manager is asked there
	}
	cmd.Stdin = strings.NewReader(input)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if err == nil {
		return out.String(), nil
	}
	err = fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	if text := strings.TrimSpace(said.String()); text != "" {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return out.String(), err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// maySchedule refuses a timer that would run as somebody else than whose vault it is,
// and one for a vault that is not there.
func (a *app) maySchedule(cmd *cobra.Command) error {
	c, err := a.config(cmd)
	if err != nil {
		return err
	}
	at := filepath.Join(c.vault, c.folder, ".sessionloom", "vault.yaml")
	if _, err := os.Stat(at); err != nil {
		return failed("sessionloom init --vault "+shellWord(c.vault)+" makes it", "there is no vault in %q yet: %w", c.vault, err)
	}
	if who := notRoot(os.Getuid(), ownerOf(at), a.env("SUDO_USER")); who != "" {
		return failed("run it as "+who, "the timer would run as root, and the vault in %q is not root's", c.vault)
	}
	if err := os.MkdirAll(c.state, 0o700); err != nil { // a confined run could not make it
		return failed(systemHint(err), "make the state folder: %w", err)
	}
	return nil
}

// notRoot names who should set the timer up where root does it for somebody else;
// empty: nobody else.
func notRoot(uid int, owner, sudoUser string) string {
	switch {
	case uid != 0:
		return ""
	case sudoUser != "" && sudoUser != "root":
		return sudoUser + ", without sudo"
	case owner == "" || owner == "0":
		return ""
	}
	if u, err := user.LookupId(owner); err == nil {
		return u.Username
	}
	return "user " + owner
}

// transientPlace tells why a program at that place may soon be gone; empty: it stays.
func transientPlace(program string) string {
	if strings.Contains(filepath.ToSlash(program), "/go-build") {
		return "go run clears away"
	}
	if rel, err := filepath.Rel(os.TempDir(), program); err == nil && filepath.IsLocal(rel) {
		return "the system clears away"
	}
	return ""
}

// whileAway tells what a user should know of the time in which nobody is logged in.
func (a *app) whileAway(kind string) string {
	switch kind {
	case "systemd":
		me, err := user.Current()
		if err == nil && isFile(filepath.Join("/var/lib/systemd/linger", me.Username)) {
			return ""
		}
		return "it runs while you are logged in, and makes up for the rest then; loginctl enable-linger has it run always"
	case "launchd", "windows":
		return "it runs while you are logged in, and makes up for the rest then"
	}
	if hint := noCron(kind, "/proc"); hint != "" {
		return hint
	}
	return "cron does not make up for what it missed while the machine was off"
}

// noCron says what to do where a timer of cron has no service to begin it; empty: it
// has one, as far as can be seen.
func noCron(kind, proc string) string {
	if kind != "cron" || runtime.GOOS != "linux" || serves(proc, "cron") {
		return ""
	}
	return "no cron service seems to run; on many systems \"sudo service cron start\" begins it"
}

// serves tells whether a process runs whose name has a word in it.
func serves(proc, word string) bool {
	names, _ := filepath.Glob(filepath.Join(proc, "[0-9]*", "comm"))
	return slices.ContainsFunc(names, func(file string) bool {
		name, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(name), word)
	})
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
