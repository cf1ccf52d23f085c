package main

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/watch"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/redact"
)

// config is what flags, environment and file ask for together.
type config struct {
	vault, folder, state string // folders; vault is empty when nobody named one

	copilotCLI struct {
		enabled   bool
		homes     []string
		storeOnly string // list, write
	}
	vscode struct {
		enabled   bool
		userDirs  []string
		exports   []string
		storeOnly string // list, write
		images    bool
	}

	source          []string
	project         []string
	excludeProject  []string
	since           time.Time
	redact          redact.Options
	render          extract.Settings // seeds a new vault; an existing one has its own
	transcriptGiven bool             // --transcript: changes the vault's setting
	layoutGiven     bool             // --layout: the same
	templatesGiven  bool             // --templates, likewise
	jobs            int
	pace            watch.Pace
}

const day = 24 * time.Hour

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
	set  func(c *config, value any) error
}

// settings lists all keys in the order of the example.
func settings() []setting {
	def := extract.DefaultSettings()
	return slices.Concat(placeSettings(), copilotSettings(), vscodeSettings(), scopeSettings(), redactSettings(), renderSettings(def), []setting{{
		key: "jobs", kind: number, def: 0, flag: "jobs", help: "read `N` items and write N notes at once (0: two)",
		doc: "How many items to read and notes to write at once; 0 means two, which is\nbest on most disks.",
		set: func(c *config, v any) error { c.jobs = v.(int); return atLeast(0, c.jobs) },
	}}, watchSettings())
}

func placeSettings() []setting {
	return []setting{{
		key: "vault", kind: dir, show: "~/Vault", flag: "vault", help: "the Obsidian vault `DIR`",
		doc: "The Obsidian vault to write into. The only setting without a default.",
		set: func(c *config, v any) error { c.vault = v.(string); return nil },
	}, {
		key: "folder", kind: text, def: "Agents", flag: "folder", help: "folder `NAME` of the vault that holds the notes",
		doc: "Folder of the vault that holds all notes. A dot is the vault itself.\nNothing outside is written.",
		set: func(c *config, v any) error { c.folder = v.(string); return folderName(c.folder) },
	}, {
		key: "state", kind: dir, show: "~/.local/state/sessionloom", flag: "state", help: "remember in `DIR` what was read",
		doc: "Where to remember what was read: a cache, outside the vault. Default:\n$XDG_STATE_HOME/sessionloom, else the system's folder for such things.",
		set: func(c *config, v any) error { c.state = v.(string); return nil },
	}}
}

func copilotSettings() []setting {
	return []setting{{
		key: "sources.copilot_cli.enabled", kind: truth, def: true,
		doc: "GitHub Copilot CLI.\nRead its history at all.",
		set: func(c *config, v any) error { c.copilotCLI.enabled = v.(bool); return nil },
	}, {
		key: "sources.copilot_cli.homes", kind: dirs, flag: "copilot-home", help: "read the Copilot CLI home `DIR` and no other (repeatable)",
		doc: "Its home folders. Empty: $COPILOT_HOME, else ~/.copilot, and the places\nolder versions used. In the environment they are separated like $PATH.",
		set: func(c *config, v any) error { c.copilotCLI.homes = v.([]string); return nil },
	}, {
		key: "sources.copilot_cli.store_only", kind: text, def: "list",
		doc: "Sessions of which only rows in session-store.db are left, which may be\nsessions you deleted: list (count them) or write (make notes of them).",
		set: func(c *config, v any) error {
			c.copilotCLI.storeOnly = v.(string)
			return oneOf(c.copilotCLI.storeOnly, "list", "write")
		},
	}}
}

func vscodeSettings() []setting {
	return []setting{{
		key: "sources.vscode.enabled", kind: truth, def: true,
		doc: "GitHub Copilot Chat in VS Code, its forks and its servers.\nRead its history at all.",
		set: func(c *config, v any) error { c.vscode.enabled = v.(bool); return nil },
	}, {
		key: "sources.vscode.user_dirs", kind: dirs, flag: "vscode-user", help: "read the VS Code user folder `DIR` and no other (repeatable)",
		doc: "Its user folders: the one named User, which holds workspaceStorage and\nglobalStorage. Empty: that of every edition on this machine, servers too.",
		set: func(c *config, v any) error { c.vscode.userDirs = v.([]string); return nil },
	}, {
		key: "sources.vscode.exports", kind: dirs, flag: "vscode-export", help: "also read `PATH`, a chat exported from VS Code or a folder of them (repeatable)",
		doc: "Files that \"Chat: Export Chat…\" made, or folders of them.",
		set: func(c *config, v any) error { c.vscode.exports = v.([]string); return nil },
	}, {
		key: "sources.vscode.store_only", kind: text, def: "list",
		doc: "Sessions of which only rows in the extension's session-store.db are left:\nlist (count them) or write (make notes of them).",
		set: func(c *config, v any) error {
			c.vscode.storeOnly = v.(string)
			return oneOf(c.vscode.storeOnly, "list", "write")
		},
	}, {
		key: "sources.vscode.images", kind: truth, def: false,
		doc: "Keep pasted images as files in the vault. They may be many and large. Of\nchats that were read before, sync --full takes them in.",
		set: func(c *config, v any) error { c.vscode.images = v.(bool); return nil },
	}}
}

func scopeSettings() []setting {
	return []setting{{
		key: "source", kind: list, flag: "source", help: "look at the source `NAME` only (repeatable)",
		doc: "Look at these sources only, by name: copilot-cli, vscode. Notes of\nothers stay.",
		set: func(c *config, v any) error { c.source = v.([]string); return nil },
	}, {
		key: "project", kind: list, flag: "project", help: "look at projects that match `GLOB` only (repeatable)",
		doc: "Look at projects that match one of these patterns only, by key\n(github.com/octo-org/widget) or name. Notes of others stay as they are.",
		set: func(c *config, v any) error { c.project = v.([]string); return globs(c.project) },
	}, {
		key: "exclude_project", kind: list, flag: "exclude-project", help: "leave out projects that match `GLOB` (repeatable)",
		doc: "Leave out projects that match one of these patterns.",
		set: func(c *config, v any) error { c.excludeProject = v.([]string); return globs(c.excludeProject) },
	}, {
		key: "since", kind: date, show: `"2026-01-31"`, flag: "since", help: "look at sessions updated since `DATE` only",
		doc: "Look at sessions updated since then only: a date or an RFC 3339 time (UTC).",
		set: func(c *config, v any) error { c.since = v.(time.Time); return nil },
	}}
}

// renderSettings are kept in the vault: the configuration only seeds them.
func renderSettings(def extract.Settings) []setting {
	return []setting{{
		key: "transcript", kind: text, def: def.Transcript, flag: "transcript", help: "conversation in the notes: `MODE` full, digest or none; changes the vault's setting",
		doc: "The settings from here to templates change what notes look like. They are\n" +
			"kept in the vault (.sessionloom/vault.yaml in its folder), so that all\n" +
			"machines render alike; what stands here only seeds a new vault.\n\n" +
			"How much of the conversation a session note shows: full, digest (every\nprompt, the answers shortened) or none.",
		set: func(c *config, v any) error {
			c.render.Transcript = v.(string)
			return oneOf(c.render.Transcript, "full", "digest", "none")
		},
	}, {
		key: "timezone", kind: text, def: def.Timezone,
		doc: "Time zone of days and clock times, by its IANA name: Europe/Berlin.",
		set: func(c *config, v any) error { c.render.Timezone = v.(string); return zone(c.render.Timezone) },
	}, {
		key: "hot_files.min_sessions", kind: number, def: def.HotFiles.MinSessions,
		doc: "Files that get a note of their own.\nEdited in at least so many sessions.",
		set: func(c *config, v any) error {
			c.render.HotFiles.MinSessions = v.(int)
			return atLeast(1, c.render.HotFiles.MinSessions)
		},
	}, {
		key: "hot_files.half_life_days", kind: number, def: int(def.HotFiles.HalfLife / day),
		doc: "After so many days an edit counts half.",
		set: func(c *config, v any) error {
			c.render.HotFiles.HalfLife = time.Duration(v.(int)) * day
			return atLeast(1, v.(int))
		},
	}, {
		key: "hot_files.listed", kind: number, def: def.HotFiles.Listed,
		doc: "Rows of the table on a project's page.",
		set: func(c *config, v any) error {
			c.render.HotFiles.Listed = v.(int)
			return atLeast(0, c.render.HotFiles.Listed)
		},
	}, {
		key: "home_count", kind: number, def: def.HomeCount,
		doc: "Latest sessions on Home.md.",
		set: func(c *config, v any) error { c.render.HomeCount = v.(int); return atLeast(0, c.render.HomeCount) },
	}, {
		key: "layout", kind: text, def: def.Layout, flag: "layout", help: "places of the notes: `LAYOUT` agents or wiki; changes the vault's setting",
		doc: "Where notes stand in the folder: agents (a folder for each kind of note) or\n" +
			"wiki (as vaults have it in which language models keep a wiki: journal and\n" +
			"references, with the properties its linter wants). Notes that lie where they\nwere put move when it changes.",
		set: func(c *config, v any) error {
			c.render.Layout = v.(string)
			return oneOf(c.render.Layout, extract.LayoutAgents, extract.LayoutWiki)
		},
	}, {
		key: "templates", kind: text, def: "", show: `""`, flag: "templates",
		help: "render with the user's templates in `DIR`, a folder of the vault; changes the vault's setting",
		doc:  "Folder of your own templates, by its path from the vault's root, such as\nAgents/.sessionloom/templates: its files stand in place of built-in ones.",
		set: func(c *config, v any) (err error) {
			c.render.Templates, err = insideVault(c.vault, v.(string))
			return err
		},
	}}
}

func oneOf(value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return fmt.Errorf("wants %s, got %q", strings.Join(allowed, ", "), value)
}

func atLeast(least, value int) error {
	if value < least {
		return fmt.Errorf("wants a number of at least %d, got %d", least, value)
	}
	return nil
}

func globs(patterns []string) error {
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil {
			return fmt.Errorf("wants patterns like %q, got %q", "octo-org/*", p)
		}
	}
	return nil
}

// zone refuses "Local", which would make the pages depend on the machine.
func zone(name string) error {
	if _, err := time.LoadLocation(name); err != nil || name == "" || name == "Local" {
		return fmt.Errorf("wants an IANA time zone such as %q, got %q", "Europe/Berlin", name)
	}
	return nil
}

// folderName accepts one visible folder, several below each other, or the vault
// itself.
func folderName(name string) error {
	if name == "." {
		return nil
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.ContainsAny(part, `\:*?"<>|#^[]`) {
			return fmt.Errorf("wants the name of a folder inside the vault, got %q", name)
		}
	}
	return nil
}
