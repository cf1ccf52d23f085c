// Package resume knows how an agent resumes a session.
package resume

import (
	"regexp"
	"strings"

	"github.com/sessionloom/sessionloom/templates"
)

// Way is the data for resuming a session.
type Way struct {
	Agent  string // see sources.Session
	ID     string
	Folder string // where it worked, relative to the home folder ("~/src/widget"), or ""
	Title  string
}

// Command returns the agent's command that resumes a session, as arguments with the program first. It is nil
// if the agent has none, or if the id is unsafe on a command line.
func (w Way) Command() []string {
	if !plainID.MatchString(w.ID) {
		return nil
	}
	return templates.ResumeCommand(w.Agent, w.ID)
}

// Line returns that command as a person types it, or where to find the conversation.
func (w Way) Line() string {
	command := strings.Join(w.Command(), " ")
	switch {
	case command != "" && w.Folder == "":
		return command
	case command != "":
		return "cd " + shellWord(w.Folder) + " && " + command
	case w.Folder == "":
		return templates.ProgramOf(w.Agent) + ": the chat \"" + w.Title + "\""
	}
	return templates.ProgramOf(w.Agent) + ": open " + w.Folder + ", then the chat \"" + w.Title + "\""
}

// plainID matches an id without characters that mean something to a shell or program.
var plainID = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)

// shellWord quotes a folder for a shell if necessary; "~/" stays as it is.
func shellWord(folder string) string {
	if plainFolder.MatchString(folder) {
		return folder
	}
	rest, home := strings.CutPrefix(folder, "~/")
	word := "'" + strings.ReplaceAll(rest, "'", `'\''`) + "'"
	if home {
		return "~/" + word
	}
	return word
}

var plainFolder = regexp.MustCompile(`^[A-Za-z0-9_./~:-]+$`)
