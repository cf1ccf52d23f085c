package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
)

// switchOn is how Obsidian takes a snippet in: its own settings are its user's.
const switchOn = "switch it on in Obsidian: Settings > Appearance > CSS snippets > sessionloom"

func (a *app) writeSnippet(c config.Config) error {
	file := obsidian.SnippetPath(c.Vault)
	if file == "" {
		return &exit.Error{Code: exit.CodeFailed, Err: errors.New("the vault has no folder .obsidian: Obsidian has not opened it yet"),
			Hint: "open it in Obsidian, then call init --snippet again"}
	}
	err := os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		_, err = a.writeFresh(file, obsidian.Snippet)
	}
	if err != nil {
		return explain(fmt.Errorf("write snippet: %w", err))
	}
	a.print.Say(switchOn)
	return nil
}

// offerSnippet tells of the snippet where the vault could have it and does not.
func (a *app) offerSnippet(c config.Config) {
	file := obsidian.SnippetPath(c.Vault)
	if _, err := os.Lstat(file); file != "" && errors.Is(err, os.ErrNotExist) {
		a.print.Say("sessionloom init --snippet writes a CSS snippet that hides our comments and dims properties")
	}
}
