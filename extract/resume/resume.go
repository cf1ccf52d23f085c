// Package resume knows how the conversation of a session is taken up again, by its agent.
package resume

import (
	"regexp"
	"strings"

	"github.com/sessionloom/sessionloom/templates"
)

// Way is what is known of a session that may be taken up again.
type Way struct {
	Agent  string // as sources.Session has it
	ID     string
	Folder string // where it worked, from the home folder ("~/src/widget"); empty: unknown
	Title  string
}

// Command is the agent's own command that takes a session up, as a list of arguments: the
// program first. It is nil if the agent has none, or where the id is none that a command
// line takes as it is.
func (w Way) Command() []string {
	if !plainID.MatchString(w.ID) {
		return nil
	}
	return templates.ResumeCommand(w.Agent, w.ID)
}

// Line is that command as a person types it, or where to find the conversation.
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

// plainID is an id without a letter that means something to a shell or program.
var plainID = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]*$`)

// shellWord quotes a folder for a shell where it needs that; "~/" stays as it is.
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
