// Package config is what a user asks for: the table of settings, and the flags,
// environment, file and example that follow from it. It reads the file and writes
// none. Its errors are the user's to mend and name the key and where it stands.
package config

import (
	"path/filepath"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/watch"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/redact"
)

// Config is what flags, environment and file ask for together.
type Config struct {
	Vault, Folder, State string // folders; vault is empty when nobody named one

	CopilotCLI struct {
		Enabled   bool
		Homes     []string
		StoreOnly string // list, write
	}
	VSCode struct {
		Enabled   bool
		UserDirs  []string
		Exports   []string
		StoreOnly string // list, write
		Images    bool
	}

	Source          []string
	Project         []string
	ExcludeProject  []string
	Since           time.Time
	Redact          redact.Options
	Rendering       extract.Settings // seeds a new vault; an existing one has its own
	transcriptGiven bool             // --transcript: changes the vault's setting
	layoutGiven     bool             // --layout: the same
	TemplatesGiven  bool             // --templates, likewise
	Jobs            int
	Debounce        watch.Debounce
}

const day = 24 * time.Hour

// Managed is the folder of the vault that holds the notes.
func (c Config) Managed() string { return filepath.Join(c.Vault, c.Folder) }

// Marker is the file that makes it a folder of ours.
func (c Config) Marker() string { return filepath.Join(c.Managed(), ".sessionloom", "vault.yaml") }

// Overrule puts what flags ask of the rendering into the settings of a vault, and
// gives what it changed as the vault keeps it.
func (c Config) Overrule(s *extract.Settings) map[string]string {
	changes := map[string]string{}
	if c.transcriptGiven {
		s.Transcript = c.Rendering.Transcript
		changes["transcript"] = s.Transcript
	}
	if c.layoutGiven {
		s.Layout = c.Rendering.Layout
		changes["layout"] = s.Layout
	}
	if c.TemplatesGiven {
		s.Templates = c.Rendering.Templates
		changes["templates"] = s.Templates
	}
	return changes
}

// NoVault says what to do where no vault was named.
func NoVault() error {
	return exit.Usage("give --vault DIR, or write it into a configuration: sessionloom init --vault DIR", "no vault named")
}
