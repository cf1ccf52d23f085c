package config

import (
	"time"
)

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
