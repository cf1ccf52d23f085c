package all

import (
	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode"
	"github.com/sessionloom/sessionloom/sources/codexcli"
)

// Kind is an agent whose history lies in home folders of one layout, and of whose deleted
// sessions a list of prompts may be left. Its settings, flag and variable follow from it.
type Kind struct {
	Name     string // of its source
	Title    string // what people call it
	Flag     string // that names a home
	Variable string // of the environment, that names the home
	Usual    string // its home, from the folder of the user
	open     func(Homes) sources.Source
}

// Homes says where to look for the history of a kind. The zero value looks nowhere.
type Homes struct {
	Paths      []string            // homes to read, as given by the user
	Defaults   bool                // also read the places the agent uses by itself
	Env        func(string) string // looks up environment variables
	Home       string              // the user's home folder
	GOOS       string
	PromptOnly bool // yield sessions of which only a list of prompts is left
}

// Kinds returns the kinds of homes, in the order in which they are shown.
func Kinds() []Kind {
	return []Kind{
		{Name: "claude-code", Title: "Claude Code", Flag: "claude-home", Variable: "CLAUDE_CONFIG_DIR", Usual: ".claude", open: func(h Homes) sources.Source {
			return claudecode.New(claudecode.Config{Homes: h.Paths, Defaults: h.Defaults, Env: h.Env, Home: h.Home, GOOS: h.GOOS, PromptOnly: h.PromptOnly})
		}},
		{Name: "codex-cli", Title: "Codex", Flag: "codex-home", Variable: "CODEX_HOME", Usual: ".codex", open: func(h Homes) sources.Source {
			return codexcli.New(codexcli.Config{Homes: h.Paths, Defaults: h.Defaults, Env: h.Env, Home: h.Home, GOOS: h.GOOS, PromptOnly: h.PromptOnly})
		}},
	}
}
