// Package askagent has a coding agent of the user answer one prompt, with nothing at
// hand: no tools, no MCP servers, no hooks, no instructions and settings of its user.
package askagent

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// Mark begins the name of each folder in which an agent answers.
const Mark = sources.DistilMark

// Patience is how long an answer may take, unless an [Agent] says otherwise.
const Patience = 5 * time.Minute

// Agent is one that can be asked.
type Agent struct {
	Patience time.Duration

	name string
	path string // of the program
	args []string
	row  row
}

// Name tells the agent and its model, where one was chosen.
func (a *Agent) Name() string { return a.name }

// Find gives the agent that a command names: claude, codex, copilot, gemini, each also
// with --model and a model; ollama run with a model. Any other command is refused, unless
// trustTools: it is then run as it is. Look finds a program, as exec.LookPath does.
func Find(command []string, trustTools bool, look func(string) (string, error)) (*Agent, error) {
	a := &Agent{Patience: Patience, name: programName(command[0])}
	r, known := agents[a.name]
	model, fits := r.named(command[1:])
	switch {
	case known && fits:
		a.row, a.args = r, slices.Concat(r.args, model)
		if len(model) > 0 {
			a.name += " " + model[len(model)-1]
		}
	case trustTools:
		a.row, a.args = trusted(), command[1:]
	default:
		return nil, fmt.Errorf("distil.command: how %q is run without tools is not known, only claude, codex, copilot and gemini, also with --model MODEL, and ollama run MODEL; with distil.trust_tools it is run as it is", strings.Join(command, " "))
	}
	path, err := look(command[0])
	if err == nil {
		path, err = filepath.Abs(path) // it runs in another folder
	}
	if err != nil {
		return nil, fmt.Errorf("distil.command: %w", err)
	}
	a.path = path
	return a, nil
}

// programName is what a program is known by, wherever it is.
func programName(path string) string {
	name := filepath.Base(path)
	if runtime.GOOS == "windows" {
		name = strings.TrimSuffix(strings.ToLower(name), filepath.Ext(name))
	}
	return name
}
