package claudecode

import (
	"io/fs"
	"path/filepath"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/transcript"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
)

const (
	agentName   = transcript.AgentName
	programName = "Claude Code" // what people call the program
)

// The layers of a session. They are listed in notes, so they never change.
const (
	layerTranscript = agentName + "/transcript"
	layerSubagents  = agentName + "/subagents"
	layerTitle      = agentName + "/title"   // custom-title.json, or a line in another transcript
	layerTasks      = agentName + "/tasks"   // tasks/ and todos/
	layerPlan       = agentName + "/plan"    // plans/
	layerPlanned    = agentName + "/planned" // plans as the transcript tells them
	layerMemory     = agentName + "/memory"  // auto memory
	layerPrompts    = agentName + "/prompts" // history.jsonl
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config homes.Config

// home is one folder with the layout of ~/.claude, and what was found in it.
type home struct {
	homes.Home
	days int // after which transcripts are deleted
	// Paths, empty where there is nothing or another home gave it already.
	projects string
	plans    string
	history  string

	todos    map[string]fs.DirEntry // lists of sessions, see lists
	sessions map[string]bool        // that were listed
}

// lister begins a listing.
func lister() files.Lister { return files.Lister{Source: agentName, Program: programName} }

// homes finds the folders to read, in order of preference, each once.
func (c Config) homes() (all []*home) {
	seen := map[string]bool{} // folders and what is in them, by real paths
	for path := range homes.Paths(homes.Config(c).Folders(agentName), seen) {
		all = append(all, c.home(path, seen))
	}
	return all
}

// home looks at a folder. What another home already gave, by its real path, is left empty.
func (c Config) home(path string, seen map[string]bool) *home {
	h := &home{sessions: map[string]bool{}, Home: homes.Home{Lister: lister()}}
	h.Open(path, c.Home, seen, map[string]*string{"projects": &h.projects, "plans": &h.plans, "history.jsonl": &h.history})
	if !h.Root.Found {
		return h
	}
	if h.days = retention(filepath.Join(path, "settings.json")); h.days < mostDays {
		h.Root.KeptDays = h.days
	}
	return h
}

// The period after which the program deletes transcripts, in days. Below one it takes the
// usual one; beyond a century it is as good as none.
const (
	usualDays = 30
	mostDays  = 36500
)

// retention reads the period out of the settings, and nothing else of them.
func retention(path string) int {
	var settings struct {
		Days decode.Whole `json:"cleanupPeriodDays"`
	}
	if damaged, err := readJSON(path, &settings); damaged || err != nil || settings.Days < 1 {
		return usualDays
	}
	return int(min(settings.Days, mostDays))
}

// maxText is the size in bytes of the largest file that is read beside a transcript.
const maxText = 1 << 20

// readJSON reads a file that holds one value. What is no such value is damaged; the error is
// for one that cannot be read now.
func readJSON(path string, into any) (damaged bool, err error) {
	text, err := files.ReadText(path, maxText)
	return err == nil && (text.Left != "" || decode.Text(text.Body, into) != nil), err
}

// expires tells when a transcript goes that is not used any more.
func (h *home) expires(path string, stamp sources.Stamp) []sources.Expiry {
	if h.days >= mostDays {
		return nil
	}
	return homes.Expires("transcript", path, stamp.MTime, h.days)
}
