package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/sources/agents"
)

// setting is one key of the configuration, declared in one table alone.
type setting struct {
	key    string // as in the file, dots between the levels
	to     any    // its place in a [Config], which holds the default: a pointer or a pflag.Value
	path   bool   // it says where something lies: made absolute
	labels bool   // what the user calls it may stand in front: "work=~/x"
	sep    string // between the texts of a list in the environment; empty: a comma, for paths as in $PATH
	show   string // value shown in the example where there is no default worth showing
	doc    string // for the example; lines of at most 76 bytes
	flag   string // empty: no flag
	help   string // for --help, the flag's argument in backquotes
	only   string // the one command that has the flag; empty: all
	// check refuses, or puts right, what came to its place; nil: everything is right.
	check func() error
}

func settings(c *Config) []setting {
	return slices.Concat(placeSettings(c), copilotSettings(c), vscodeSettings(c), homesSettings(c), cursorSettings(c), scopeSettings(c), redactSettings(c), renderSettings(c), []setting{{
		key: "jobs", to: &c.Jobs, flag: "jobs", help: "read `N` items and write N notes at once (0: two)",
		doc:   "How many items to read and notes to write at once; 0 means two, which is\nbest on most disks.",
		check: atLeast(&c.Jobs, 0),
	}}, watchSettings(c))
}

func placeSettings(c *Config) []setting {
	return []setting{{
		key: "vault", to: &c.Vault, path: true, show: "~/Vault", flag: "vault", help: "the Obsidian vault `DIR`",
		doc: "The Obsidian vault to write into. The only setting without a default.",
	}, {
		key: "folder", to: &c.Folder, flag: "folder", help: "folder `NAME` of the vault that holds the notes",
		doc:   "Folder of the vault that holds all notes. A dot is the vault itself.\nNothing outside is written.",
		check: folderName(&c.Folder),
	}, {
		key: "state", to: &c.State, path: true, show: "~/.local/state/sessionloom", flag: "state", help: "remember in `DIR` what was read",
		doc: "Where to remember what was read: a cache, outside the vault. Default:\n$XDG_STATE_HOME/sessionloom, else the system's folder for such things.",
	}}
}

func copilotSettings(c *Config) []setting {
	return []setting{{
		key: "sources.copilot_cli.enabled", to: &c.CopilotCLI.Enabled,
		doc: "GitHub Copilot CLI.\nRead its history at all.",
	}, {
		key: "sources.copilot_cli.homes", to: &c.CopilotCLI.Homes, path: true, flag: "copilot-home", help: "read the Copilot CLI home `DIR` and no other (repeatable)",
		doc: "Its home folders. Empty: $COPILOT_HOME, else ~/.copilot, and the places\nolder versions used. In the environment they are separated like $PATH.",
	}, {
		key: "sources.copilot_cli.store_only", to: &c.CopilotCLI.StoreOnly,
		doc:   "Sessions of which only rows in session-store.db are left, which may be\nsessions you deleted: list (count them) or write (make notes of them).",
		check: oneOf(&c.CopilotCLI.StoreOnly, "list", "write"),
	}}
}

func vscodeSettings(c *Config) []setting {
	return []setting{{
		key: "sources.vscode.enabled", to: &c.VSCode.Enabled,
		doc: "GitHub Copilot Chat in VS Code, its forks and its servers.\nRead its history at all.",
	}, {
		key: "sources.vscode.user_dirs", to: &c.VSCode.UserDirs, path: true, flag: "vscode-user", help: "read the VS Code user folder `DIR` and no other (repeatable)",
		doc: "Its user folders: the one named User, which holds workspaceStorage and\nglobalStorage. Empty: that of every edition on this machine, servers too.",
	}, {
		key: "sources.vscode.exports", to: &c.VSCode.Exports, path: true, flag: "vscode-export", help: "also read `PATH`, a chat exported from VS Code or a folder of them (repeatable)",
		doc: "Files that \"Chat: Export Chat…\" made, or folders of them.",
	}, {
		key: "sources.vscode.store_only", to: &c.VSCode.StoreOnly,
		doc:   "Sessions of which only rows in the extension's session-store.db are left:\nlist (count them) or write (make notes of them).",
		check: oneOf(&c.VSCode.StoreOnly, "list", "write"),
	}, {
		key: "sources.vscode.images", to: &c.VSCode.Images,
		doc: "Keep pasted images as files in the vault. They may be many and large. Of\nchats that were read before, sync --full takes them in.",
	}}
}

// SourceKey is the section of the settings of a source.
func SourceKey(name string) string { return "sources." + strings.ReplaceAll(name, "-", "_") }

func homesSettings(c *Config) (list []setting) {
	for _, k := range agents.AtHome() {
		h := c.Homes[k.Name]
		if h == nil {
			h = &Homes{}
		}
		section := SourceKey(k.Name)
		list = append(list, setting{
			key: section + ".enabled", to: &h.Enabled,
			doc: k.Title + ".\nRead its history at all.",
		}, setting{
			key: section + ".homes", to: &h.Paths, path: true, labels: true, flag: k.Home.Flag, help: "read the " + k.Title + " home `DIR` and no other (repeatable)",
			doc: "Its home folders, each with a label in front of it if you like: work=~/" + k.Home.Usual + "-work.\nEmpty: $" + k.Home.Variable + ", else ~/" + k.Home.Usual + ".",
		})
		if k.Home.Prompts {
			list = append(list, setting{
				key: section + ".prompt_only", to: &h.PromptOnly,
				doc:   "Sessions of which only a list of prompts is left, which the agent or you\ndeleted: count them, or write notes of them.",
				check: oneOf(&h.PromptOnly, "count", "write"),
			})
		}
	}
	return list
}

// cursorSettings are those of Cursor beside its homes: most of it lies in a folder of the editor.
func cursorSettings(c *Config) []setting {
	return []setting{{
		key: "sources.cursor.user_dirs", to: &c.Cursor.UserDirs, path: true, flag: "cursor-user", help: "read the user folder `DIR` of Cursor and no other (repeatable)",
		doc: "The user folders of the editor: the one named User, which holds\nglobalStorage and workspaceStorage. Empty: the usual one.",
	}}
}

func scopeSettings(c *Config) []setting {
	return []setting{{
		key: "source", to: &c.Source, flag: "source", help: "look at the source `NAME` only (repeatable)",
		doc: "Look at these sources only, by name; sessionloom sources lists them. Notes of\nothers stay.",
	}, {
		key: "project", to: &c.Project, flag: "project", help: "look at projects that match `GLOB` only (repeatable)",
		doc:   "Look at projects that match one of these patterns only, by key\n(github.com/octo-org/widget) or name. Notes of others stay as they are.",
		check: globs(&c.Project),
	}, {
		key: "exclude_project", to: &c.ExcludeProject, flag: "exclude-project", help: "leave out projects that match `GLOB` (repeatable)",
		doc:   "Leave out projects that match one of these patterns.",
		check: globs(&c.ExcludeProject),
	}, {
		key: "since", to: &moment{at: &c.Since, now: c.now}, show: `"2026-01-31"`, flag: "since", help: "look at sessions updated since `DATE` only: 2026-01-31, yesterday, 7d, 2w",
		doc: "Look at sessions updated since then only: a date or an RFC 3339 time (UTC),\nyesterday, or an age such as 7d or 2w.",
	}}
}

// redactSettings are the machine's, not the vault's: whoever writes to a vault must not have
// another machine's secrets shown in it.
func redactSettings(c *Config) []setting {
	return []setting{{
		key: "redact.rules", to: (*ownRules)(&c.Redact.Own), sep: "\n", show: "[]",
		doc: "Secrets are masked in everything that is kept or written.\n" +
			"This section is the machine's and in no vault: give machines that share a\n" +
			"vault the same one. When it changes, what is remembered and what stands in\n" +
			"notes is masked anew.\n\n" +
			"More rules beside the built-in ones, such as\n" +
			"  - {name: acme-key, pattern: \"acme_[0-9a-f]{32}\", keywords: [acme_]}\n" +
			"name: of small letters, digits and \"-\". pattern: a regular expression (RE2); its\n" +
			"first group, if it has one, is the secret. keywords: one of them stands in or\n" +
			"near each secret, which makes the search fast; they may be left out.",
	}, {
		key: "redact.allow", to: &c.Redact.Allow, sep: "\n",
		doc: "Leave alone what one of these regular expressions matches as a whole. In the\n" +
			"environment one stands on each line. sync --redactions lists what is masked.",
		check: regexps(&c.Redact.Allow),
	}}
}

// JournalNames is the key of the names of the pages of days and weeks.
const JournalNames = "journal_names"

// renderSettings are kept in the vault: the configuration only seeds them.
func renderSettings(c *Config) []setting {
	return []setting{{
		key: "transcript", to: &c.Rendering.Transcript, flag: "transcript", help: "conversation in the notes: `MODE` full, digest or none; changes the vault's setting",
		doc: "The settings from here to templates change what notes look like. They are\n" +
			"kept in the vault (.sessionloom/vault.yaml in its folder), so that all\n" +
			"machines render alike; what stands here only seeds a new vault.\n\n" +
			"How much of the conversation a session note shows: full, digest (every\nprompt, the answers shortened) or none.",
		check: oneOf(&c.Rendering.Transcript, "full", "digest", "none"),
	}, {
		key: "timezone", to: &c.Rendering.Timezone, show: `""`, flag: "timezone", only: "init", help: "show times in the time zone `ZONE`, such as Europe/Berlin",
		doc:   "Time zone of all days and times in the notes, by its IANA name: Europe/Berlin.\nEmpty: that of the system on which the vault is made.",
		check: zone(&c.Rendering.Timezone),
	}, {
		key: "hot_files.min_sessions", to: &c.Rendering.HotFiles.MinSessions,
		doc:   "Files that get a note of their own.\nEdited in at least so many sessions.",
		check: atLeast(&c.Rendering.HotFiles.MinSessions, 1),
	}, {
		key: "hot_files.half_life_days", to: &c.Rendering.HotFiles.HalfLife,
		doc:   "After so many days an edit counts half.",
		check: atLeast(&c.Rendering.HotFiles.HalfLife, 1),
	}, {
		key: "hot_files.listed", to: &c.Rendering.HotFiles.Listed,
		doc:   "Rows of the table on a project's page.",
		check: atLeast(&c.Rendering.HotFiles.Listed, 0),
	}, {
		key: "home_count", to: &c.Rendering.HomeCount,
		doc:   "Latest sessions on Home.md.",
		check: atLeast(&c.Rendering.HomeCount, 0),
	}, {
		key: "stale_days", to: &c.Rendering.StaleDays,
		doc:   "An open thread that no session touched in so many days before the last day of work\nstands under Old; 0: none does.",
		check: atLeast(&c.Rendering.StaleDays, 0),
	}, {
		key: "layout", to: &c.Rendering.Layout, flag: "layout", help: "places of the notes: `LAYOUT` agents or wiki; changes the vault's setting",
		doc: "Where notes stand in the folder: agents (a folder for each kind of note) or\n" +
			"wiki (as vaults have it in which language models keep a wiki: journal and\n" +
			"references, with the properties its linter wants). Notes that lie where they\nwere put move when it changes.",
		check: oneOf(&c.Rendering.Layout, extract.LayoutAgents, extract.LayoutWiki),
	}, {
		key: JournalNames, to: &c.Rendering.JournalNames, show: `"{date} agents"`,
		doc: "Names of the notes of days and weeks. {date} is 2026-11-03 or 2026-W45. With\n" +
			"\"{date}\" alone a note of a day is called as your own daily note may be. Vaults\n" +
			"of versions without this setting have that until you change it.",
		check: func() error {
			if !extract.FitsJournal(c.Rendering.JournalNames) {
				return fmt.Errorf("wants a short file name with {date} in it, got %q", c.Rendering.JournalNames)
			}
			return nil
		},
	}, {
		key: "tokens", to: &c.Rendering.Tokens,
		doc: "Say how many tokens were used, where agents store it, in the notes of\nsessions, weeks and projects.",
	}, {
		key: "automatic", to: &c.Rendering.Automatic,
		doc:   "Sessions in which nobody typed a prompt (observers, probes, runs that another\nprogram began): count them, or write notes of them.",
		check: oneOf(&c.Rendering.Automatic, extract.AutomaticCount, extract.AutomaticWrite),
	}, {
		key: "templates", to: &c.Rendering.Templates, show: `""`, flag: "templates",
		help: "render with the user's templates in `DIR`, a folder of the vault; changes the vault's setting",
		doc:  "Folder of your own templates, by its path from the vault's root, such as\nAgents/.sessionloom/templates: its files stand in place of built-in ones.",
		check: func() (err error) {
			c.Rendering.Templates, err = insideVault(c.Vault, c.Rendering.Templates)
			return err
		},
	}}
}

func watchSettings(c *Config) []setting {
	return []setting{{
		key: "watch.interval", to: &c.Debounce.Interval, flag: "interval", only: "watch", help: "look at everything so often, hint or no hint: a `TIME` such as 90s, 5m, 1h",
		doc:   "How soon and how often sessionloom watch works. Times have a unit: 30s, 5m.\nLook at everything so often, whether or not something seems to have changed.",
		check: atLeast(&c.Debounce.Interval, time.Second), // more often would cost more than watching saves
	}, {
		key: "watch.quiet", to: &c.Debounce.Quiet,
		doc:   "Once something changed, wait until nothing has for so long …",
		check: atLeast(&c.Debounce.Quiet, 1),
	}, {
		key: "watch.at_most", to: &c.Debounce.AtMost,
		doc:   "… but not longer than this.",
		check: atLeast(&c.Debounce.AtMost, 1),
	}}
}
