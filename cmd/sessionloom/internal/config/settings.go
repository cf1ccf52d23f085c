package config

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/redact"
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

func copilotSettings() []setting {
	return []setting{{
		key: "sources.copilot_cli.enabled", kind: truth, def: true,
		doc: "GitHub Copilot CLI.\nRead its history at all.",
		set: into(func(c *Config) *bool { return &c.CopilotCLI.Enabled }),
	}, {
		key: "sources.copilot_cli.homes", kind: dirs, flag: "copilot-home", help: "read the Copilot CLI home `DIR` and no other (repeatable)",
		doc: "Its home folders. Empty: $COPILOT_HOME, else ~/.copilot, and the places\nolder versions used. In the environment they are separated like $PATH.",
		set: into(func(c *Config) *[]string { return &c.CopilotCLI.Homes }),
	}, {
		key: "sources.copilot_cli.store_only", kind: text, def: "list",
		doc: "Sessions of which only rows in session-store.db are left, which may be\nsessions you deleted: list (count them) or write (make notes of them).",
		set: into(func(c *Config) *string { return &c.CopilotCLI.StoreOnly }, oneOf("list", "write")),
	}}
}

func vscodeSettings() []setting {
	return []setting{{
		key: "sources.vscode.enabled", kind: truth, def: true,
		doc: "GitHub Copilot Chat in VS Code, its forks and its servers.\nRead its history at all.",
		set: into(func(c *Config) *bool { return &c.VSCode.Enabled }),
	}, {
		key: "sources.vscode.user_dirs", kind: dirs, flag: "vscode-user", help: "read the VS Code user folder `DIR` and no other (repeatable)",
		doc: "Its user folders: the one named User, which holds workspaceStorage and\nglobalStorage. Empty: that of every edition on this machine, servers too.",
		set: into(func(c *Config) *[]string { return &c.VSCode.UserDirs }),
	}, {
		key: "sources.vscode.exports", kind: dirs, flag: "vscode-export", help: "also read `PATH`, a chat exported from VS Code or a folder of them (repeatable)",
		doc: "Files that \"Chat: Export Chat…\" made, or folders of them.",
		set: into(func(c *Config) *[]string { return &c.VSCode.Exports }),
	}, {
		key: "sources.vscode.store_only", kind: text, def: "list",
		doc: "Sessions of which only rows in the extension's session-store.db are left:\nlist (count them) or write (make notes of them).",
		set: into(func(c *Config) *string { return &c.VSCode.StoreOnly }, oneOf("list", "write")),
	}, {
		key: "sources.vscode.images", kind: truth, def: false,
		doc: "Keep pasted images as files in the vault. They may be many and large. Of\nchats that were read before, sync --full takes them in.",
		set: into(func(c *Config) *bool { return &c.VSCode.Images }),
	}}
}

func scopeSettings() []setting {
	return []setting{{
		key: "source", kind: list, flag: "source", help: "look at the source `NAME` only (repeatable)",
		doc: "Look at these sources only, by name: copilot-cli, vscode. Notes of\nothers stay.",
		set: into(func(c *Config) *[]string { return &c.Source }),
	}, {
		key: "project", kind: list, flag: "project", help: "look at projects that match `GLOB` only (repeatable)",
		doc: "Look at projects that match one of these patterns only, by key\n(github.com/octo-org/widget) or name. Notes of others stay as they are.",
		set: into(func(c *Config) *[]string { return &c.Project }, globs),
	}, {
		key: "exclude_project", kind: list, flag: "exclude-project", help: "leave out projects that match `GLOB` (repeatable)",
		doc: "Leave out projects that match one of these patterns.",
		set: into(func(c *Config) *[]string { return &c.ExcludeProject }, globs),
	}, {
		key: "since", kind: date, show: `"2026-01-31"`, flag: "since", help: "look at sessions updated since `DATE` only",
		doc: "Look at sessions updated since then only: a date or an RFC 3339 time (UTC).",
		set: into(func(c *Config) *time.Time { return &c.Since }),
	}}
}

// redactSettings say what counts as a secret. They are the machine's, not the
// vault's: whoever can write to a vault must not be able to have another
// machine's secrets shown in it, and a rule may itself tell what it hides.
func redactSettings() []setting {
	return []setting{{
		key: "redact.rules", kind: rules, show: "[]",
		doc: "Secrets are masked in everything that is kept or written.\n" +
			"This section is the machine's and in no vault: give machines that share a\n" +
			"vault the same one. When it changes, what is remembered and what stands in\n" +
			"notes is masked anew.\n\n" +
			"More rules beside the built-in ones, such as\n" +
			"  - {name: acme-key, pattern: \"acme_[0-9a-f]{32}\", keywords: [acme_]}\n" +
			"name: of small letters, digits and \"-\". pattern: a regular expression (RE2); its\n" +
			"first group, if it has one, is the secret. keywords: one of them stands in or\n" +
			"near each secret, which makes the search fast; they may be left out.",
		set: into(func(c *Config) *[]redact.OwnRule { return &c.Redact.Own }),
	}, {
		key: "redact.allow", kind: patterns,
		doc: "Leave alone what one of these regular expressions matches as a whole. In the\n" +
			"environment one stands on each line. sync --redactions lists what is masked.",
		set: func(c *Config, v any) error {
			for _, p := range v.([]string) {
				if _, err := regexp.Compile(p); err != nil {
					return fmt.Errorf("wants regular expressions (RE2), got %q: %w", p, err)
				}
			}
			c.Redact.Allow = append([]string(nil), v.([]string)...)
			return nil
		},
	}}
}

var ruleName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ownRules reads the rules of a configuration file.
func ownRules(raw any) (any, error) {
	if raw == nil {
		return []redact.OwnRule(nil), nil
	}
	entries, ok := raw.([]any)
	if !ok {
		return nil, fmt.Errorf("wants a list of rules, each with name and pattern")
	}
	var out []redact.OwnRule
	seen := map[string]bool{}
	for i, e := range entries {
		r, err := ownRule(e)
		if err == nil && seen[r.Name] {
			err = fmt.Errorf("has the name %q of another", r.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("in rule %d: %w", i+1, err)
		}
		seen[r.Name] = true
		out = append(out, r)
	}
	return out, nil
}

func ownRule(raw any) (r redact.OwnRule, err error) {
	fields, ok := raw.(map[string]any)
	if !ok {
		return r, fmt.Errorf("wants name and pattern")
	}
	for key, value := range fields {
		switch key {
		case "name":
			r.Name, _ = value.(string)
		case "pattern":
			r.Pattern, _ = value.(string)
		case "keywords":
			list, err := words(value)
			if err != nil {
				return r, fmt.Errorf("keywords %w", err)
			}
			r.Keywords = list.([]string)
		default:
			return r, fmt.Errorf("unknown key %q: known are name, pattern, keywords", key)
		}
	}
	if !ruleName.MatchString(r.Name) {
		return r, fmt.Errorf("name wants small letters, digits and \"-\", got %q", r.Name)
	}
	if _, err := regexp.Compile(r.Pattern); err != nil || r.Pattern == "" {
		return r, fmt.Errorf("pattern wants a regular expression (RE2), got %q: %w", r.Pattern, err)
	}
	return r, nil
}

// renderSettings are kept in the vault: the configuration only seeds them.
func renderSettings(def extract.Settings) []setting {
	return []setting{{
		key: "transcript", kind: text, def: def.Transcript, flag: "transcript", help: "conversation in the notes: `MODE` full, digest or none; changes the vault's setting",
		doc: "The settings from here to templates change what notes look like. They are\n" +
			"kept in the vault (.sessionloom/vault.yaml in its folder), so that all\n" +
			"machines render alike; what stands here only seeds a new vault.\n\n" +
			"How much of the conversation a session note shows: full, digest (every\nprompt, the answers shortened) or none.",
		set: into(func(c *Config) *string { return &c.Rendering.Transcript }, oneOf("full", "digest", "none")),
	}, {
		key: "timezone", kind: text, def: def.Timezone,
		doc: "Time zone of days and clock times, by its IANA name: Europe/Berlin.",
		set: into(func(c *Config) *string { return &c.Rendering.Timezone }, zone),
	}, {
		key: "hot_files.min_sessions", kind: number, def: def.HotFiles.MinSessions,
		doc: "Files that get a note of their own.\nEdited in at least so many sessions.",
		set: into(func(c *Config) *int { return &c.Rendering.HotFiles.MinSessions }, atLeast(1)),
	}, {
		key: "hot_files.half_life_days", kind: number, def: int(def.HotFiles.HalfLife / day),
		doc: "After so many days an edit counts half.",
		set: func(c *Config, v any) error {
			c.Rendering.HotFiles.HalfLife = time.Duration(v.(int)) * day
			return atLeast(1)(v.(int))
		},
	}, {
		key: "hot_files.listed", kind: number, def: def.HotFiles.Listed,
		doc: "Rows of the table on a project's page.",
		set: into(func(c *Config) *int { return &c.Rendering.HotFiles.Listed }, atLeast(0)),
	}, {
		key: "home_count", kind: number, def: def.HomeCount,
		doc: "Latest sessions on Home.md.",
		set: into(func(c *Config) *int { return &c.Rendering.HomeCount }, atLeast(0)),
	}, {
		key: "layout", kind: text, def: def.Layout, flag: "layout", help: "places of the notes: `LAYOUT` agents or wiki; changes the vault's setting",
		doc: "Where notes stand in the folder: agents (a folder for each kind of note) or\n" +
			"wiki (as vaults have it in which language models keep a wiki: journal and\n" +
			"references, with the properties its linter wants). Notes that lie where they\nwere put move when it changes.",
		set: into(func(c *Config) *string { return &c.Rendering.Layout }, oneOf(extract.LayoutAgents, extract.LayoutWiki)),
	}, {
		key: "templates", kind: text, def: "", show: `""`, flag: "templates",
		help: "render with the user's templates in `DIR`, a folder of the vault; changes the vault's setting",
		doc:  "Folder of your own templates, by its path from the vault's root, such as\nAgents/.sessionloom/templates: its files stand in place of built-in ones.",
		set: func(c *Config, v any) (err error) {
			c.Rendering.Templates, err = insideVault(c.Vault, v.(string))
			return err
		},
	}}
}

// shortest is the least time between two looks at everything: more often they
// would cost more than watching saves.
const shortest = time.Second

// idleShare is how many times as long as a pass took hints wait after it: passes
// take a twentieth of one core, however busy an agent is.
const idleShare = 20

// watchSettings say how soon and how often `watch` works.
func watchSettings() []setting {
	return []setting{{
		key: "watch.interval", kind: span, def: "5m", flag: "interval", only: "watch", help: "look at everything so often, hint or no hint: a `TIME` such as 90s, 5m, 1h",
		doc: "How soon and how often sessionloom watch works. Times have a unit: 30s, 5m.\nLook at everything so often, whether or not something seems to have changed.",
		set: func(c *Config, v any) error {
			c.Debounce.Interval, c.Debounce.Rest = v.(time.Duration), idleShare
			return longEnough(c.Debounce.Interval)
		},
	}, {
		key: "watch.quiet", kind: span, def: "2s",
		doc: "Once something changed, wait until nothing has for so long …",
		set: into(func(c *Config) *time.Duration { return &c.Debounce.Quiet }, positive),
	}, {
		key: "watch.at_most", kind: span, def: "30s",
		doc: "… but not longer than this.",
		set: into(func(c *Config) *time.Duration { return &c.Debounce.AtMost }, positive),
	}}
}
