// Package ownhome has tests, and the programs they start, know nothing of the person who runs
// them: neither the history of their agents nor their settings.
package ownhome

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// ofPerson are the beginnings of the variables by which agents, editors, git and desktops name
// folders and settings of the person.
var ofPerson = []string{"AGY_", "ANTIGRAVITY_", "CLAUDE_", "CODEX_", "COPILOT_", "CURSOR_", "GEMINI_", "GIT_", "OPENCODE_", "VSCODE_", "XDG_"}

// Tests are the tests of a package.
type Tests struct {
	M interface{ Run() int }
}

// Run runs them in a home folder of their own.
func (t Tests) Run() int {
	remove, err := take()
	if err != nil {
		fmt.Fprintln(os.Stderr, "make a home folder for the tests:", err)
		return 1
	}
	defer remove()
	return t.M.Run()
}

// take gives the process an empty home folder and takes away the variables of the person. What Go
// needs to build stays where it is. remove takes the folder away again.
func take() (remove func(), err error) {
	home, err := os.MkdirTemp("", "sessionloom-home-")
	if err != nil {
		return nil, err
	}
	remove = func() { _ = os.RemoveAll(home) }
	set := map[string]string{
		"HOME": home, "USERPROFILE": home, "APPDATA": filepath.Join(home, "AppData", "Roaming"), "LOCALAPPDATA": filepath.Join(home, "AppData", "Local"),
	}
	names := []string{"GOPATH", "GOMODCACHE", "GOCACHE", "GOENV"}
	if told, err := exec.Command("go", append([]string{"env"}, names...)...).Output(); err == nil {
		for i, value := range strings.Split(strings.TrimSpace(string(told)), "\n") {
			set[names[i]] = strings.TrimSpace(value)
		}
	}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if slices.ContainsFunc(ofPerson, func(begin string) bool { return strings.HasPrefix(name, begin) }) {
			set[name] = ""
		}
	}
	for name, value := range set {
		if value == "" {
			err = os.Unsetenv(name)
		} else {
			err = os.Setenv(name, value)
		}
		if err != nil {
			remove()
			return nil, err
		}
	}
	return remove, nil
}
