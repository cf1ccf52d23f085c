package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/inert"
)

// maxTemplate bounds a file of templates, in bytes.
const maxTemplate = 256 << 10

// pagesOf are the templates that settings name: those of the program, with those in a
// folder of the vault in their place. What is wrong with them is the user's to mend.
// tried is the fingerprint of templates that need no trial any more.
func pagesOf(v *vault.Vault, s extract.Settings, tried string) (*templates.Set, error) {
	if s.Templates == "" {
		return templates.Embedded()
	}
	set, faults, err := readTemplates(v, s.Templates, tried)
	if err != nil || len(faults) == 0 {
		return set, err
	}
	first := faultWords(s.Templates, faults[0])
	if n := len(faults) - 1; n > 0 {
		return nil, exit.Usage("sessionloom templates check tells all of them", "%s (and %s)", first, present.Count(n, "more fault"))
	}
	return nil, exit.Usage(faultHint(faults[0]), "%s", first)
}

// readTemplates gives the templates of the program with those in a folder of the
// vault in their place, or what is wrong with them.
func readTemplates(v *vault.Vault, folder, tried string) (*templates.Set, []*templates.Fault, error) {
	own, err := v.ReadFolder(folder, ".tmpl", maxTemplate)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, exit.Usage(`name a folder by its path from the vault's root; --templates "" renders with the built-in templates`,
			"templates: there is no folder %q in the vault", folder)
	}
	if err != nil {
		return nil, nil, exit.Usage("", "templates: %w", err)
	}
	set, err := templates.With(own, inert.Acting, tried)
	if faults := templates.Faults(err); len(faults) > 0 {
		return nil, faults, nil
	}
	return set, nil, err
}

// faultWords names a fault with the place of its file in the vault.
func faultWords(folder string, f *templates.Fault) string { return path.Join(folder, f.Error()) }

// faultHint says what can be done about a fault.
func faultHint(f *templates.Fault) string {
	if errors.Is(f, templates.ErrUnknown) {
		if near := config.NearestFile(f.File, ".tmpl", templateNames()); near != "" {
			return fmt.Sprintf("did you mean %q?", near)
		}
		return "sessionloom templates show lists the names"
	}
	return "docs/templates.md tells what a template may hold"
}
