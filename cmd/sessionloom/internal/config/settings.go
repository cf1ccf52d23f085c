package config

import (
	"slices"

	"github.com/sessionloom/sessionloom/extract"
)

// kind is the shape of a setting's value.
type kind int

const (
	text     kind = iota // string
	dir                  // string, an absolute path
	list                 // []string
	dirs                 // []string, absolute paths
	number               // int
	truth                // bool
	date                 // time.Time
	span                 // time.Duration
	patterns             // []string; a line each in the environment
	rules                // []redact.OwnRule; in the file only
)

// setting is one key of the configuration. The table of them is the only place
// where a key is declared: flags, environment, file, defaults and
// config.example.yaml all follow from it.
type setting struct {
	key  string // as in the file, dots between the levels
	kind kind
	def  any    // string, int, bool or nil
	show string // value shown in the example where there is no default worth showing
	doc  string // for the example; lines of at most 76 bytes
	flag string // empty: no flag
	help string // for --help, the flag's argument in backquotes
	only string // the one command that has the flag; empty: all
	set  func(c *Config, value any) error
}

// settings lists all keys in the order of the example.
func settings() []setting {
	def := extract.DefaultSettings()
	return slices.Concat(placeSettings(), copilotSettings(), vscodeSettings(), scopeSettings(), redactSettings(), renderSettings(def), []setting{{
		key: "jobs", kind: number, def: 0, flag: "jobs", help: "read `N` items and write N notes at once (0: two)",
		doc: "How many items to read and notes to write at once; 0 means two, which is\nbest on most disks.",
		set: into(func(c *Config) *int { return &c.Jobs }, atLeast(0)),
	}}, watchSettings())
}

func placeSettings() []setting {
	return []setting{{
		key: "vault", kind: dir, show: "~/Vault", flag: "vault", help: "the Obsidian vault `DIR`",
		doc: "The Obsidian vault to write into. The only setting without a default.",
		set: into(func(c *Config) *string { return &c.Vault }),
	}, {
		key: "folder", kind: text, def: "Agents", flag: "folder", help: "folder `NAME` of the vault that holds the notes",
		doc: "Folder of the vault that holds all notes. A dot is the vault itself.\nNothing outside is written.",
		set: into(func(c *Config) *string { return &c.Folder }, folderName),
	}, {
		key: "state", kind: dir, show: "~/.local/state/sessionloom", flag: "state", help: "remember in `DIR` what was read",
		doc: "Where to remember what was read: a cache, outside the vault. Default:\n$XDG_STATE_HOME/sessionloom, else the system's folder for such things.",
		set: into(func(c *Config) *string { return &c.State }),
	}}
}
