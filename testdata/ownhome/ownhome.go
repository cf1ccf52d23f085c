// Package ownhome hides the person who runs tests from them and the programs they start: the history of their
// agents and their settings.
package ownhome

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// ofPerson are the prefixes of variables that name a person's folders and settings for agents, editors, git
// and desktops.
var ofPerson = []string{"AGY_", "ANTIGRAVITY_", "CLAUDE_", "CODEX_", "COPILOT_", "CURSOR_", "GEMINI_", "GIT_", "OPENCODE_", "VSCODE_", "XDG_"}

// Tests are the tests of a package.
type Tests struct {
	M interface{ Run() int }
}

// Run runs the tests in an empty home folder.
func (t Tests) Run() int {
	remove, err := take()
	if err != nil {
		fmt.Fprintln(os.Stderr, "make a home folder for the tests:", err)
		return 1
	}
	defer remove()
	return t.M.Run()
}

// take gives the process an empty home folder and removes the person's variables, except for what Go needs to
// build. remove removes the folder.
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
