// Package schedule makes the system's own timer run a program: systemd for the user, launchd, the Task
// Scheduler of Windows, or cron. It knows timers, files and commands, but not the program.
//
// The parts of a timer are a pure function of a [TimerSpec] and of the user's places; only installing,
// looking and removing touch the system, all commands through a [Runner].
//
// A text that would mean something else in a file of the system (a line break anywhere, % in a task, a
// backslash in a crontab) is rejected, never changed. A timer gets only the environment that the caller
// names, as the rest may hold secrets. Exit codes 11 and 130 are not failures of a unit; 3 is, as something
// needs attention. With --commit hooks and signing run, so that only milder restrictions apply.
package schedule

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/adrg/xdg"

	"github.com/sessionloom/sessionloom/sources/agents"
)

// TimerSpec says what to run, and when. The same spec gives the same bytes.
type TimerSpec struct {
	Name    string // name of the timer, see [Name]
	Title   string // description for lists of the system: one line
	Program string // absolute path
	Args    []string
	Env     []string // NAME=value, beyond the system's own
	When    When
	// Writes are the folders that the program may write to, besides temporary ones. None: it starts the
	// user's programs, which write elsewhere and may use the network.
	Writes []string
}

// File is a text from which the system reads a timer.
type File struct {
	Path     string
	Text     string
	template string // its template
	wide     bool   // stored as UTF-16 with a byte order mark
}

// InstallPlan is everything that an install does: first files, then commands. Cron's file has no path.
type InstallPlan struct {
	Files    []File
	Commands [][]string
}

// State is the state of a timer.
type State struct {
	Backend string
	Where   []string  // its files, or the crontab
	When    When      // installed times
	Active  bool      // the system knows it and will run it
	Next    time.Time // zero: unknown
	SetUp   time.Time // when its files were written, set by [Find]; zero: no files
	Bound   bool      // its runs have no network, see [TimerSpec.Writes]
}

// Backend is one kind of timer.
type Backend interface {
	// InstallPlan is pure. It rejects a spec that this kind of timer cannot express.
	InstallPlan(TimerSpec) (InstallPlan, error)
	// Install carries out the plan. It reports whether there was anything to do. On failure it undoes what it
	// began, unless another timer of that name existed before.
	Install(context.Context, TimerSpec) (changed bool, err error)
	// Find returns the timer of a name, even a half-installed one, or [ErrNone].
	Find(ctx context.Context, name string) (State, error)
	// Remove deletes everything of that name, and returns what existed.
	Remove(ctx context.Context, name string) (gone []string, err error)
}

// Kind is a backend with its name.
type Kind struct {
	Name string
	Backend
	// Usable reports whether this system has it, and runs it for this user.
	Usable func(context.Context) bool
	// Keeps reports whether the variables of a spec reach the program.
	Keeps bool
}

var (
	// ErrNone means that there is no timer of that name.
	ErrNone = errors.New("no timer is installed")
	// ErrInexpressible means that a text would mean something else in the files of the system.
	ErrInexpressible = errors.New("cannot be written into a timer")
)

// Kinds lists all backends in order of preference.
func Kinds(m Machine) []Kind {
	in := func(kind string, s system) Backend { return fileTimers{m, kind, s} }
	on := func(goos string) func(context.Context) bool {
		return func(context.Context) bool { return m.GOOS == goos }
	}
	return []Kind{
		{Name: "systemd", Backend: in("systemd", systemd{m}), Usable: systemd{m}.usable, Keeps: true},
		{Name: "launchd", Backend: in("launchd", launchd{m}), Usable: on("darwin"), Keeps: true},
		{Name: "windows", Backend: in("windows", windows{m}), Usable: on("windows")},
		{Name: "cron", Backend: cron{m}, Usable: cron{m}.usable, Keeps: true},
	}
}

func (p TimerSpec) check() error {
	for _, t := range slices.Concat([]string{p.Name, p.Title, p.Program}, p.Args, p.Env, p.Writes) {
		if !utf8.ValidString(t) || strings.ContainsFunc(t, func(r rune) bool { return r < 0x20 || r == 0x7f || r == 0xfffe || r == 0xffff }) {
			return inexpressible(t)
		}
	}
	return p.When.check()
}

func inexpressible(text string) error { return fmt.Errorf("%q %w", text, ErrInexpressible) }

// About returns the line that identifies a timer in its files: name and time.
func (p TimerSpec) About() string { return "sessionloom " + p.Name + " " + p.When.String() }

// whenOf reads the time from the line of About in a text.
func whenOf(text, name string) When {
	_, rest, _ := strings.Cut(text, "sessionloom "+name+" ")
	words := strings.Fields(rest)
	if len(words) < 2 {
		return When{}
	}
	w, err := ParseWhen(words[0], words[1])
	if err != nil {
		return When{}
	}
	return w
}

// Machine describes the system and its user for the backends.
type Machine struct {
	GOOS    string
	Home    string
	Config  string // folder of the user's configuration: $XDG_CONFIG_HOME
	Data    string // folder of the user's data: $XDG_DATA_HOME
	State   string // folder for files that no system requires elsewhere
	User    string // number of the user, on Windows the SID
	Run     Runner
	Now     func() time.Time
	Waiting func(time.Duration) // waits
}

// Runner runs a program with an input and returns its output. An error ends with the program's message; it is
// an [exec.Error] if the program is missing.
type Runner func(ctx context.Context, input string, command ...string) (output string, err error)

func (m Machine) all(ctx context.Context, commands [][]string) error {
	for _, c := range commands {
		if _, err := m.Run(ctx, "", c...); err != nil {
			return err
		}
	}
	return nil
}

// Local returns this system; our own files go to the folder state.
func Local(home, state string) Machine {
	m := Machine{
		GOOS: runtime.GOOS, Home: home, Config: xdg.ConfigHome, Data: xdg.DataHome, State: state,
		User: fmt.Sprint(os.Getuid()), Run: runs, Now: time.Now, Waiting: time.Sleep,
	}
	if me, err := user.Current(); err == nil {
		m.User = me.Uid // a number, or the SID on Windows
	}
	return m
}

// runs runs a program of the system, with output in English and UTC.
func runs(ctx context.Context, input string, command ...string) (string, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC")
	dir := fmt.Sprintf("/run/user/%d", os.Getuid())
	if _, err := os.Stat(dir); err == nil && os.Getenv("XDG_RUNTIME_DIR") == "" {
		cmd.Env = append(cmd.Env, "XDG_RUNTIME_DIR="+dir) // after su, the manager is there
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

// Sudoer returns the user who called by sudo, or "".
func Sudoer(uid int, sudoUser string) string {
	if uid != 0 || sudoUser == "root" {
		return ""
	}
	return sudoUser
}

// Transient explains why a program at that path may soon be gone, or returns "".
func Transient(program string) string {
	if strings.Contains(filepath.ToSlash(program), "/go-build") {
		return "go run clears away"
	}
	if rel, err := filepath.Rel(os.TempDir(), program); err == nil && filepath.IsLocal(rel) {
		return "the system clears away"
	}
	return ""
}

// LoggedOutHint explains what happens while the user is logged out.
func LoggedOutHint(kind string) string {
	switch kind {
	case "systemd":
		if me, err := user.Current(); err == nil {
			if _, err := os.Stat(filepath.Join("/var/lib/systemd/linger", me.Username)); err == nil {
				return ""
			}
		}
		return "it runs while you are logged in, and makes up for the rest then; loginctl enable-linger has it run always"
	case "launchd", "windows":
		return "it runs while you are logged in, and makes up for the rest then"
	}
	return "cron does not make up for what it missed while the machine was off, and needs its service to run"
}

func setUpAt(where []string) (at time.Time) {
	for _, file := range where {
		if info, err := os.Stat(file); filepath.IsAbs(file) && err == nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	return at
}

// ErrNoKind means that this system has no timer.
var ErrNoKind = errors.New("neither systemd for the user nor cron runs here")

// Names returns the names of some kinds.
func Names(kinds []Kind) (names []string) {
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	return names
}

// Choose returns the kind with a name, without one the first usable kind, or [ErrNoKind].
func Choose(ctx context.Context, kinds []Kind, name string) (Kind, error) {
	for _, k := range kinds {
		if k.Name == name || name == "" && k.Usable(ctx) {
			return k, nil
		}
	}
	if name != "" {
		return Kind{}, fmt.Errorf("unknown timer %q", name)
	}
	return Kind{}, ErrNoKind
}

// None says why no timer can be set up here, also for a user of sudo, or returns "".
func None(ctx context.Context, kinds []Kind, uid int, sudoUser string) string {
	if Sudoer(uid, sudoUser) != "" {
		return "by sudo it would run as root"
	}
	if _, err := Choose(ctx, kinds, ""); err != nil {
		return err.Error()
	}
	return ""
}

// Find returns the timer of a name, or [ErrNone].
func Find(ctx context.Context, kinds []Kind, name string) (State, error) {
	for _, k := range kinds {
		state, err := k.Find(ctx, name)
		if !errors.Is(err, ErrNone) {
			state.SetUp = setUpAt(state.Where)
			return state, err
		}
	}
	return State{}, ErrNone
}

// places are variables with the places of histories or of our own files.
var places = []string{
	"COPILOT_HOME", "VSCODE_AGENT_FOLDER", "VSCODE_APPDATA", "VSCODE_PORTABLE", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
}

// Environment lists the variables a timer needs: settings, places and a path with git on it.
func Environment(prefix string, commits bool) []string {
	var out []string
	places := slices.Clone(places)
	for _, k := range agents.AtHome() {
		name, _, _ := strings.Cut(k.Home.Variable, "/")
		places = append(places, name)
	}
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		if value != "" && (slices.Contains(places, name) || strings.HasPrefix(name, prefix+"_")) {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	if runtime.GOOS == "windows" { // the path of the user's session is available
		return out
	}
	path := []string{"/usr/local/bin", "/usr/bin", "/bin"}
	if git, err := exec.LookPath("git"); err == nil && filepath.IsAbs(git) && !slices.Contains(path, filepath.Dir(git)) {
		path = append([]string{filepath.Dir(git)}, path...)
	}
	if commits {
		path = filepath.SplitList(os.Getenv("PATH"))
	}
	return append(out, "PATH="+strings.Join(path, ":"))
}
