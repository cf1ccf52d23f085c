package config

import (
	"time"

	"github.com/sessionloom/sessionloom/extract"
)

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
