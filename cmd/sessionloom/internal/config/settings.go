package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/sources/agents"
)

// setting is one key of the configuration, declared only in this table.
type setting struct {
	key  string // key in the file, dots between the levels
	to   any    // its place in a [Config], with the default: a pointer or a pflag.Value
	path bool   // it is a path, made absolute
	sep  string // separates the texts of a list in the environment; empty: a comma, for paths as in $PATH
	show string // value in the example if the default is not helpful
	doc  string // for the example; lines of at most 76 bytes
	flag string // empty: no flag
	help string // for --help, the flag's argument in backquotes
	only string // the only command with the flag; empty: all
	// check rejects or corrects the value; nil: everything is valid.
	check func() error
}

func settings(c *Config) []setting {
	return slices.Concat(placeSettings(c), copilotSettings(c), vscodeSettings(c), homesSettings(c), cursorSettings(c), scopeSettings(c), redactSettings(c), renderSettings(c), []setting{{
		key: "jobs", to: &c.Jobs, flag: "jobs", help: "read `N` items and write N notes at once (0: two)",
		doc:   "Number of items to read, and of notes to write, at once; 0 means two, which is\nbest on most disks.",
		check: atLeast(&c.Jobs, 0),
	}}, distilSettings(c), watchSettings(c))
}

// distilSettings count only in the configuration of the machine, see [Distil].
func distilSettings(c *Config) []setting {
	return []setting{{
		key: "distil.command", to: &c.Distil.Command, show: "[]",
		doc: "An agent of yours that sessionloom distil asks what came of sessions.\n" +
			"This section is the machine's; in a vault it is an error.\n\n" +
			"Its name, such as claude, codex, copilot or gemini, or [ollama, run, MODEL]. Any\n" +
			"other command reads a prompt from its standard input and prints JSON.\nEmpty: nothing is asked, nothing leaves the machine.",
	}, {
		key: "distil.limit", to: &c.Distil.Limit,
		doc:   "Most sessions to ask about in one run.",
		check: atLeast(&c.Distil.Limit, 1),
	}, {
		key: "distil.characters", to: &c.Distil.Characters,
		doc:   "Most characters to send in one run.",
		check: atLeast(&c.Distil.Characters, 1),
	}, {
		key: "distil.after_sync", to: &c.Distil.AfterSync,
		doc: "Ask after each sync, also of watch and of a timer, about sessions of the last\nseven days that rested for an hour.",
	}, {
		key: "distil.trust_tools", to: &c.Distil.TrustTools,
		doc: "Also run commands that cannot be started without tools.",
	}}
}

func placeSettings(c *Config) []setting {
	return []setting{{
		key: "vault", to: &c.Vault, path: true, show: "~/Vault", flag: "vault", help: "the Obsidian vault `DIR`",
		doc: "The Obsidian vault to write to. The only setting without a default.",
	}, {
		key: "folder", to: &c.Folder, flag: "folder", help: "folder `NAME` of the vault that holds the notes",
		doc:   "Folder in the vault that holds all notes; a dot means the vault itself.\nNothing is written outside it.",
		check: folderName(&c.Folder),
	}, {
		key: "state", to: &c.State, path: true, show: "~/.local/state/sessionloom", flag: "state", help: "remember in `DIR` what was read",
		doc: "Folder for the cache of what was read, outside the vault. Default:\n$XDG_STATE_HOME/sessionloom, or the system's usual place.",
	}}
}

func copilotSettings(c *Config) []setting {
	return []setting{{
		key: "sources.copilot_cli.enabled", to: &c.CopilotCLI.Enabled,
		doc: "GitHub Copilot CLI.\nWhether to read its history.",
	}, {
		key: "sources.copilot_cli.homes", to: &c.CopilotCLI.Homes, path: true, flag: "copilot-home", help: "read the Copilot CLI home `DIR` and no other (repeatable)",
		doc: "Its home folders. Empty: $COPILOT_HOME or ~/.copilot, and the places older\nversions used. In the environment variable, separate them as in $PATH.",
	}, {
		key: "sources.copilot_cli.store_only", to: &c.CopilotCLI.StoreOnly,
		doc:   "Sessions that remain only as rows in session-store.db, perhaps because you\ndeleted them: list (only count them) or write (make notes of them).",
		check: oneOf(&c.CopilotCLI.StoreOnly, "list", "write"),
	}}
}

func vscodeSettings(c *Config) []setting {
	return []setting{{
		key: "sources.vscode.enabled", to: &c.VSCode.Enabled,
		doc: "GitHub Copilot Chat in VS Code, its forks and VS Code servers.\nWhether to read its history.",
	}, {
		key: "sources.vscode.user_dirs", to: &c.VSCode.UserDirs, path: true, flag: "vscode-user", help: "read the VS Code user folder `DIR` and no other (repeatable)",
		doc: "Its user folders, named User, with workspaceStorage and globalStorage in\nthem. Empty: those of every edition on this machine, including servers.",
	}, {
		key: "sources.vscode.exports", to: &c.VSCode.Exports, path: true, flag: "vscode-export", help: "also read `PATH`, a chat exported from VS Code or a folder of them (repeatable)",
		doc: "Files created by \"Chat: Export Chat…\", or folders of such files.",
	}, {
		key: "sources.vscode.store_only", to: &c.VSCode.StoreOnly,
		doc:   "Sessions that remain only as rows in the extension's session-store.db:\nlist (only count them) or write (make notes of them).",
		check: oneOf(&c.VSCode.StoreOnly, "list", "write"),
	}, {
		key: "sources.vscode.images", to: &c.VSCode.Images,
		doc: "Save pasted images as files in the vault. They can be many and large. For\nchats read earlier, run sync --full.",
	}}
}

// SourceKey returns the section of the settings of a source.
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
			doc: k.Title + ".\nWhether to read its history.",
		}, setting{
			key: section + ".homes", to: &h.Paths, path: true, flag: k.Home.Flag, help: "read the " + k.Title + " home `DIR` and no other (repeatable)",
			doc: "Its home folders. Empty: $" + k.Home.Variable + " or ~/" + k.Home.Usual + ".",
		})
		if k.Home.Prompts {
			list = append(list, setting{
				key: section + ".prompt_only", to: &h.PromptOnly,
				doc:   "Deleted sessions of which only the prompts remain: count (only count them)\nor write (make notes of them).",
				check: oneOf(&h.PromptOnly, "count", "write"),
			})
		}
	}
	return list
}

// cursorSettings are Cursor's settings besides its homes: most of its data is in a folder of the editor.
func cursorSettings(c *Config) []setting {
	return []setting{{
		key: "sources.cursor.user_dirs", to: &c.Cursor.UserDirs, path: true, flag: "cursor-user", help: "read the user folder `DIR` of Cursor and no other (repeatable)",
		doc: "User folders of the editor, named User, with globalStorage and\nworkspaceStorage in them. Empty: the usual one.",
	}}
}

func scopeSettings(c *Config) []setting {
	return []setting{{
		key: "source", to: &c.Source, flag: "source", help: "look at the source `NAME` only (repeatable)",
		doc: "Read only these sources, by name (see sessionloom sources). Notes from\nother sources stay.",
	}, {
		key: "project", to: &c.Project, flag: "project", help: "look at projects that match `GLOB` only (repeatable)",
		doc:   "Read only projects whose key (github.com/octo-org/widget) or name matches\none of these patterns. Notes of other projects stay.",
		check: globs(&c.Project),
	}, {
		key: "exclude_project", to: &c.ExcludeProject, flag: "exclude-project", help: "leave out projects that match `GLOB` (repeatable)",
		doc:   "Leave out projects whose key or name matches one of these patterns.",
		check: globs(&c.ExcludeProject),
	}, {
		key: "since", to: &moment{at: &c.Since, now: c.now}, show: `"2026-01-31"`, flag: "since", help: "look at sessions updated since `DATE` only: 2026-01-31, yesterday, 7d, 2w",
		doc: "Read only sessions updated since then: a date, an RFC 3339 time (UTC),\nyesterday, or an age such as 7d or 2w.",
	}}
}

// redactSettings are the machine's, not the vault's: whoever writes to a vault must not make another
// machine's secrets visible.
func redactSettings(c *Config) []setting {
	return []setting{{
		key: "redact.rules", to: (*ownRules)(&c.Redact.Own), sep: "\n", show: "[]",
		doc: "Masking of secrets in everything that is stored or written.\n" +
			"This section applies to this machine, not to the vault: use the same one on\n" +
			"all machines that share a vault. When it changes, the cache and the notes\n" +
			"are masked again.\n\n" +
			"Rules in addition to the built-in ones, such as\n" +
			"  - {name: acme-key, pattern: \"acme_[0-9a-f]{32}\", keywords: [acme_]}\n" +
			"name: lower-case letters, digits and \"-\". pattern: a regular expression (RE2);\n" +
			"its first group, if any, is the secret. keywords (optional, for speed): words of\n" +
			"which one occurs in or near each secret.",
	}, {
		key: "redact.allow", to: &c.Redact.Allow, sep: "\n",
		doc: "Regular expressions for texts that are not secrets; they must match the whole\n" +
			"text. In the environment variable, put one on each line.",
		check: regexps(&c.Redact.Allow),
	}}
}

// JournalNames is the key of the names of the pages of days and weeks.
const JournalNames = "journal_names"

// renderSettings belong to the vault: the configuration only seeds them.
func renderSettings(c *Config) []setting {
	return []setting{{
		key: "transcript", to: &c.Rendering.Transcript, flag: "transcript", help: "conversation in the notes: `MODE` full, digest or none; changes the vault's setting",
		doc: "The settings from here to templates change how notes look. They are stored in\n" +
			"the vault (.sessionloom/vault.yaml in the notes' folder), so that all machines\n" +
			"write the same notes; values here apply only to a new vault.\n\n" +
			"How much of the conversation a session note shows: full, digest (every\nprompt, the answers shortened) or none.",
		check: oneOf(&c.Rendering.Transcript, "full", "digest", "none"),
	}, {
		key: "timezone", to: &c.Rendering.Timezone, show: `""`, flag: "timezone", only: "init", help: "show times in the time zone `ZONE`, such as Europe/Berlin",
		doc:   "Time zone of all dates and times in notes, by IANA name: Europe/Berlin.\nEmpty: the time zone of the system that creates the vault.",
		check: zone(&c.Rendering.Timezone),
	}, {
		key: "hot_files.min_sessions", to: &c.Rendering.HotFiles.MinSessions,
		doc:   "Files that get their own note.\nLeast number of sessions that edited the file.",
		check: atLeast(&c.Rendering.HotFiles.MinSessions, 1),
	}, {
		key: "hot_files.half_life_days", to: &c.Rendering.HotFiles.HalfLife,
		doc:   "Days after which an edit counts half.",
		check: atLeast(&c.Rendering.HotFiles.HalfLife, 1),
	}, {
		key: "hot_files.listed", to: &c.Rendering.HotFiles.Listed,
		doc:   "Number of files listed on a project's page.",
		check: atLeast(&c.Rendering.HotFiles.Listed, 0),
	}, {
		key: "home_count", to: &c.Rendering.HomeCount,
		doc:   "Number of latest sessions on Home.md.",
		check: atLeast(&c.Rendering.HomeCount, 0),
	}, {
		key: "stale_days", to: &c.Rendering.StaleDays,
		doc:   "Days after which an open thread that no session touched is listed under Old,\ncounted back from the last day of work. 0: never.",
		check: atLeast(&c.Rendering.StaleDays, 0),
	}, {
		key: JournalNames, to: &c.Rendering.JournalNames, show: `"{date} agents"`,
		doc: "File names of day and week notes. {date} becomes 2026-11-03 or 2026-W45.\n" +
			"\"{date}\" alone may clash with your own daily notes; vaults made before this\n" +
			"setting existed use it until you change it.",
		check: func() error {
			if !extract.FitsJournal(c.Rendering.JournalNames) {
				return fmt.Errorf("wants a short file name with {date} in it, got %q", c.Rendering.JournalNames)
			}
			return nil
		},
	}, {
		key: "tokens", to: &c.Rendering.Tokens,
		doc: "Show token counts, if agents record them, in the notes of sessions, weeks and\nprojects.",
	}, {
		key: "templates", to: &c.Rendering.Templates, show: `""`, flag: "templates",
		help: "render with the user's templates in `DIR`, a folder of the vault; changes the vault's setting",
		doc:  "Folder with your own templates, relative to the vault, such as\nAgents/.sessionloom/templates. Its files replace the built-in ones.",
		check: func() (err error) {
			c.Rendering.Templates, err = insideVault(c.Vault, c.Rendering.Templates)
			return err
		},
	}}
}

func watchSettings(c *Config) []setting {
	return []setting{{
		key: "watch.interval", to: &c.Debounce.Interval, flag: "interval", only: "watch", help: "look at everything so often, hint or no hint: a `TIME` such as 90s, 5m, 1h",
		doc:   "Timing of sessionloom watch. Times have a unit: 30s, 5m.\nHow often to check everything, even if nothing seems to have changed.",
		check: atLeast(&c.Debounce.Interval, time.Second), // more often would cost more than watching saves
	}, {
		key: "watch.quiet", to: &c.Debounce.Quiet,
		doc:   "How long nothing must change before a sync starts.",
		check: atLeast(&c.Debounce.Quiet, 1),
	}, {
		key: "watch.at_most", to: &c.Debounce.AtMost,
		doc:   "Longest wait for that after the first change.",
		check: atLeast(&c.Debounce.AtMost, 1),
	}}
}
