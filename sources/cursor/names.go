package cursor

import (
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

const (
	agentName   = "cursor"     // the agent of sessions of the IDE
	cliName     = "cursor-cli" // of those that the CLI keeps a store of
	programName = "Cursor"     // what people call the program
)

// The layers of a session. They are listed in notes, so they never change.
const (
	layerIDE        = agentName + "/ide"        // composer and bubbles in the database of the IDE
	layerPane       = agentName + "/pane"       // chats of 2023 and 2024, in the database of a workspace
	layerTranscript = agentName + "/transcript" // below ~/.cursor/projects
	layerCLI        = agentName + "/cli"        // the store of the CLI
	layerSubagents  = agentName + "/subagents"
	layerWorkspace  = agentName + "/workspace" // the list of a workspace
	layerPrompts    = agentName + "/prompts"   // typed prompts of a workspace
)

// Names of parts.
const (
	partIDE       = "ide" // shared by all conversations of a user folder
	partWorkspace = "state.vscdb"
	partFolder    = "workspace.json"
	partLines     = "transcript.jsonl"
	partText      = "transcript.txt"
	partStore     = "store.db"
	partMeta      = "meta.json"
	partAgent     = "agent.jsonl"
)

// plainName is what Cursor calls a conversation: a uuid, or a word before one.
var plainName = pattern.Lazy(`^[A-Za-z0-9_-]{1,128}$`)

// composerID is what the database calls the conversation of an item.
func composerID(item sources.Item) string { return path.Base(item.Key) }

// sessionID is the id of a conversation by the name that Cursor gives it.
func sessionID(name string) string {
	if id := sources.FoldUUID(name); sources.IsUUID(id) {
		return id
	}
	return agentName + ":" + name
}

// titleSize is the size in bytes of the longest title.
const titleSize = 200

// title is a title on one line, empty for the one that everything new has, and for marks without a letter or digit.
func title[Text ~string](text Text) string {
	switch line := words.OneLine(string(text), titleSize); {
	case line == "New chat", line == "New Chat", line == "New Agent", !strings.ContainsFunc(line, isWord):
		return ""
	default:
		return line
	}
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// projectOf is the name of the project that a transcript lies in, empty for a window without a folder: the name is a number.
func projectOf(log string) string {
	above, _, _ := strings.Cut(filepath.ToSlash(log), "/agent-transcripts/")
	name := path.Base(above)
	if name == "empty-window" || strings.Trim(name, "0123456789") == "" {
		return ""
	}
	return name
}
