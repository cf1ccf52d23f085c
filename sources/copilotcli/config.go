// Package copilotcli reads the history GitHub Copilot CLI keeps below its home,
// ~/.copilot: the event log of each session, what lies beside it, and the store
// derived from the logs, in every layout the CLI has used. The format has no
// stability contract, so it is read leniently: what is unknown is counted, what
// is damaged is told, and the rest is read.
//
// Settings, logs, credentials and backups are never opened.
package copilotcli

const (
	agentName   = "copilot-cli" // the agent of all sessions
	programName = "the CLI"     // what people call the program
)

// The layers of a session. They are listed in notes, so they never change.
const (
	layerEvents   = agentName + "/events"
	layerSidecars = agentName + "/sidecars"
	layerPlan     = agentName + "/plan"
	layerTodos    = agentName + "/todos"
	layerStore    = agentName + "/store"
	layerMemory   = agentName + "/memory"
)

// Names of parts. Files below a folder of the session are named by their path.
const (
	partLog       = "events.jsonl"
	partLegacy    = "legacy.json"
	partPlan      = "plan.md"
	partTodos     = "session.db"
	partWorkspace = "workspace.yaml"
	partSummary   = "index.md"
	partMetadata  = "vscode.metadata.json"
	partStore     = "store"
	partNames     = "sessions"
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config struct {
	Homes    []string // homes to read, as given by the user
	Defaults bool     // also read the places the CLI uses by itself

	Env  func(string) string // looks up environment variables; nil: none is set
	Home string              // the user's home folder
	GOOS string              // operating system the default places are those of

	TempDir string // for copies of databases; "" means the system's

	StoreOnly bool // yield sessions of which only rows of the store are left
}
