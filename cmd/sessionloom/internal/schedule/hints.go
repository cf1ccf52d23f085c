package schedule

import (
	"context"
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// NotOurs names who should set up a timer that works on a file, where root does it
// for somebody else; empty: nobody else. sudoUser is who called sudo.
func NotOurs(file, sudoUser string) string { return notRoot(os.Getuid(), ownerOf(file), sudoUser) }

// notRoot is notOurs of the user with a number.
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

// Transient tells why a program at that place may soon be gone; empty: it stays.
func Transient(program string) string {
	if strings.Contains(filepath.ToSlash(program), "/go-build") {
		return "go run clears away"
	}
	if rel, err := filepath.Rel(os.TempDir(), program); err == nil && filepath.IsLocal(rel) {
		return "the system clears away"
	}
	return ""
}

// LoggedOutHint tells what a user should know of the time in which nobody is logged in.
func LoggedOutHint(kind string) string {
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
	if hint := NoService(kind); hint != "" {
		return hint
	}
	return "cron does not make up for what it missed while the machine was off"
}

// NoService says what to do where a timer of cron has no service to begin it; empty: it
// has one, as far as can be seen.
func NoService(kind string) string {
	if kind != "cron" || runtime.GOOS != "linux" || serves("/proc", "cron") {
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

// setUpAt is when the files of a timer were written; zero where it has none.
func setUpAt(where []string) (at time.Time) {
	for _, file := range where {
		if info, err := os.Stat(file); filepath.IsAbs(file) && err == nil && info.ModTime().After(at) {
			at = info.ModTime()
		}
	}
	return at
}

// Find finds the timer of a name, whatever kind it is. It returns [ErrNone] where
// there is none.
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
