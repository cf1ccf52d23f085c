package extract

import (
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/internal/scope"
)

// HotFiles decides which files get a note of their own.
type HotFiles = facts.HotFiles

// Settings change the rendering. They live in the vault's .sessionloom/vault.yaml,
// so that all machines render alike.
type Settings struct {
	Transcript string // full, digest, none
	Timezone   string // IANA name; days and clock times of the pages
	HotFiles   HotFiles
	HomeCount  int    // latest sessions on Home.md
	Templates  string // folder of the user's own templates, from the vault's root with slashes; empty: none
	Layout     string // agents, wiki
}

// DefaultSettings are what a new vault starts with.
func DefaultSettings() Settings {
	return Settings{
		Transcript: "digest",
		Timezone:   "UTC",
		HotFiles:   HotFiles{MinSessions: 2, HalfLife: 30 * 24 * time.Hour, Listed: 15},
		HomeCount:  20,
		Layout:     names.LayoutAgents,
	}
}

// Scope limits what a run looks at, see [scope.Scope].
type Scope = scope.Scope

// Mode says how a run behaves.
type Mode struct {
	DryRun     bool // write neither notes nor ledger
	KeepRead   bool // in a dry run: keep in the ledger what was read (sync --plan)
	NotesOff   bool // bring the ledger up to date, write no note (export)
	RenderOnly bool // write what is due of what is kept; list and read no source
	Full       bool // read every item, whatever the fingerprints say
	Force      bool // go past the deletion cap
	Edited     bool // forget: also the notes a human wrote in, which are quarantined
	Texts      bool // keep old and new texts of changed notes in the report
	Jobs       int  // concurrent readers and writers, 0: two
	WriteRows  bool // sources.copilot_cli.store_only: write
}

// Progress is told how far a run is. Calls come from one goroutine at a time.
type Progress interface {
	// Step begins a stage of so many units; 0 when the count is unknown.
	Step(stage string, total int)
	// Advance adds finished units to the stage.
	Advance(n int)
}

// Layouts of a vault, values of [Settings.Layout].
const (
	// LayoutAgents is sessionloom's own: a folder for each kind of note.
	LayoutAgents = names.LayoutAgents
	// LayoutWiki is that of vaults in which language models keep a wiki: a folder
	// for each category, six properties in every note.
	LayoutWiki = names.LayoutWiki
)
