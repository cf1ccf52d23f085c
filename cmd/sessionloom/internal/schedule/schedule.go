// Package schedule has the system's own timer run a program: systemd for the
// user, launchd, the Task Scheduler of Windows, or cron. It knows timers, files and
// commands, and nothing of what is run.
//
// What a timer consists of is a pure function of a [TimerSpec] and of the user's
// places; only installing, looking and removing touch the system, all commands
// through a [Runner].
//
// A text that would mean something else in a file of the system (a line break anywhere, % in a
// task, a backslash in a crontab) is refused, never bent. Of the environment a timer
// repeats only what the caller names, for the rest may hold secrets. Exit codes 11 and 130 are
// no failure of a unit; 3 is, for something is named that wants a look. With --commit hooks and
// signing run, so that only the milder limits of a unit stand.
package schedule

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// TimerSpec is what is to run, and when. The same spec gives the same bytes.
type TimerSpec struct {
	Name    string // of the timer, as [Name] gives it
	Title   string // what it does, for lists of the system: one line
	Program string // absolute path
	Args    []string
	Env     []string // NAME=value, as the program needs them beyond the system's own
	When    When
	// Writes are the folders the program may write to, besides the system's
	// temporary ones. None: it starts programs of the user that write elsewhere.
	Writes []string
}

// File is a text the system reads a timer from.
type File struct {
	Path string
	Text string
	wide bool // stored as UTF-16 with a byte order mark
}

// InstallPlan is all that installing does: files first, then commands. The file of cron
// is a part of the user's table, which has no path.
type InstallPlan struct {
	Files    []File
	Commands [][]string
}

// State is what is known of a timer.
type State struct {
	Backend string
	Where   []string  // files, or the table, that it stands in
	When    When      // as installed
	Active  bool      // the system knows it and will run it
	Next    time.Time // zero: not known
	NextSay string    // the next time in the system's words, where Next is zero
	SetUp   time.Time // when its files were written, as [Find] sees it; zero: it has none
}

// Backend is one kind of timer.
type Backend interface {
	// InstallPlan is pure. It refuses a spec that this kind of timer cannot express.
	InstallPlan(TimerSpec) (InstallPlan, error)
	// Install carries out the recipe. It tells whether there was anything to do.
	// One that fails in the middle takes back what it began, unless another timer
	// of that name was there before.
	Install(context.Context, TimerSpec) (changed bool, err error)
	// Find looks for the timer of a name, half-installed ones included. It returns
	// [ErrNone] where nothing of it is there.
	Find(ctx context.Context, name string) (State, error)
	// Remove takes out everything of that name, and names what was there.
	Remove(ctx context.Context, name string) (gone []string, err error)
}

// Kind is a backend by its name.
type Kind struct {
	Name string
	Backend
	// Usable tells whether this system has it, and runs it for this user.
	Usable func(context.Context) bool
	// Keeps tells whether the variables of a spec reach the program.
	Keeps bool
}

// Errors that a caller tells apart.
var (
	// ErrNone says that there is no timer of that name.
	ErrNone = errors.New("no timer is installed")
	// ErrInexpressible says that a text cannot be written into the files of the
	// system without meaning something else there.
	ErrInexpressible = errors.New("cannot be written into a timer")
)

// Kinds lists all backends, the one to be preferred first.
func Kinds(m Machine) []Kind {
	return []Kind{
		{Name: "systemd", Backend: systemd{m}, Usable: systemd{m}.usable, Keeps: true},
		{Name: "launchd", Backend: launchd{m}, Usable: launchd{m}.usable, Keeps: true},
		{Name: "windows", Backend: windows{m}, Usable: windows{m}.usable},
		{Name: "cron", Backend: cron{m}, Usable: cron{m}.usable, Keeps: true},
	}
}

// check refuses what no backend can express.
func (p TimerSpec) check() error {
	texts := append([]string{p.Name, p.Title, p.Program}, p.Args...)
	texts = append(append(texts, p.Env...), p.Writes...)
	for _, t := range texts {
		if !utf8.ValidString(t) || strings.ContainsFunc(t, func(r rune) bool { return r < 0x20 || r == 0x7f || r == 0xfffe || r == 0xffff }) {
			return inexpressible(t)
		}
	}
	return p.When.check()
}

func inexpressible(text string) error { return fmt.Errorf("%q %w", text, ErrInexpressible) }

// about is the line by which a timer is told again from its files: name and time.
func (p TimerSpec) about() string { return "sessionloom " + p.Name + " " + p.When.String() }

// whenOf reads the time from the line that about wrote into a text.
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
