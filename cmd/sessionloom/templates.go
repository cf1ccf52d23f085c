package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/ask"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/inert"
)

func newTemplates(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "templates",
		Short: "show and export the note templates",
		Long: "The words of the notes come from templates. Files of the same names in a folder of\n" +
			"your vault stand in their place, whole or in part. docs/templates.md tells what they\n" +
			"may hold.",
		Example: "  sessionloom templates export ~/Vault/Agents/.sessionloom/templates session.tmpl\n" +
			"  sessionloom diff --templates Agents/.sessionloom/templates\n" +
			"  sessionloom sync --templates Agents/.sessionloom/templates",
	}
	cmd.AddCommand(newTemplatesShow(a), newTemplatesExport(a))
	return cmd
}

func newTemplatesShow(a *app) *cobra.Command {
	var builtin bool
	cmd := &cobra.Command{
		Use:   "show [NAME]",
		Short: "list the templates, or print one as it is in force",
		Long: "List the templates with what they are for, or print one: yours, followed by the\n" +
			"parts it leaves to the program, or the built-in one. Faults in yours are named by\n" +
			"file and line.",
		Example: "  sessionloom templates show\n  sessionloom templates show session.tmpl --builtin",
		Args:    ask.Args(0, 1, "sessionloom templates show takes one name"),
		RunE: func(cmd *cobra.Command, names []string) error {
			set, err := a.templatesInForce(cmd, builtin)
			if err != nil {
				return err
			}
			if len(names) == 0 {
				a.print.Say(templateList(set.Files())...)
				return nil
			}
			s, err := templateNamed(set, names[0])
			if err == nil {
				a.print.Say(strings.TrimSuffix(s.Text, "\n"))
			}
			return err
		},
	}
	a.flags.Add(cmd, config.Keys("vault", "folder", "templates"))
	cmd.Flags().BoolVar(&builtin, "builtin", false, "show those of the program, whatever the vault has")
	return cmd
}

func newTemplatesExport(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "export DIR [NAME…]",
		Short: "write the built-in templates into a folder, to start from",
		Long: "Write the built-in templates, or those named, into DIR. What stands there already\n" +
			"stays. Keep only what you change: parts that your files do not define come from the\n" +
			"program, with what it learns.",
		Example: "  sessionloom templates export ~/Vault/Agents/.sessionloom/templates project.tmpl",
		Args:    ask.Args(1, math.MaxInt, "sessionloom templates export DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			set, err := templates.Embedded()
			if err != nil {
				return err
			}
			files := set.Files()
			if len(args) > 1 {
				files = nil
			}
			for _, name := range args[1:] {
				s, err := templateNamed(set, name)
				if err != nil {
					return err
				}
				files = append(files, s)
			}
			return a.exportTemplates(args[0], files)
		},
	}
}

// templatesInForce returns the templates of the vault, else of the program.
func (a *app) templatesInForce(cmd *cobra.Command, builtin bool) (*templates.Set, error) {
	c, err := a.config(cmd)
	if err != nil {
		return nil, err
	}
	if builtin || c.Vault == "" && !c.Gives("templates") {
		return templates.Embedded()
	}
	v, err := vault.Open(c.Vault, c.Folder, vault.Options{DryRun: true})
	if isMissing(err) && !c.Gives("templates") {
		return templates.Embedded()
	}
	if err != nil {
		return nil, explain(fmt.Errorf("open vault %q: %w", c.Vault, err))
	}
	defer func() { _ = v.Close() }() // opened read-only
	s, err := config.Rendering(v.Marker().Settings, c.Marker())
	if err != nil {
		return nil, err
	}
	c.Overrule(&s)
	if s.Templates == "" {
		return templates.Embedded()
	}
	return pagesOf(v, s.Templates, "")
}

func (a *app) exportTemplates(dir string, files []templates.TemplateFile) error {
	dir = homepath.Expand(dir, a.home, "")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return explain(fmt.Errorf("make the folder of the templates: %w", err))
	}
	some := false
	for _, s := range files {
		wrote, err := a.writeFresh(filepath.Join(dir, s.Name), s.Text)
		if err != nil {
			return explain(fmt.Errorf("export a template: %w", err))
		}
		some = some || wrote
	}
	if some {
		a.print.Say("next: sessionloom sync --templates DIR, where DIR is the path of their folder from the vault's root")
	}
	return nil
}

func templateList(files []templates.TemplateFile) []string {
	const column = 26
	var lines []string
	for _, s := range files {
		name := s.Name
		if s.Own {
			name += " (yours)"
		}
		about := present.Wrap(s.About, column)
		about[0] = fmt.Sprintf("  %-*s%s", column-2, name, about[0][column:])
		lines = append(lines, about...)
	}
	return lines
}

func templateNamed(set *templates.Set, name string) (templates.TemplateFile, error) {
	for _, s := range set.Files() {
		if s.Name == name || s.Name == name+".tmpl" {
			return s, nil
		}
	}
	return templates.TemplateFile{}, exit.Usage(faultHint(&templates.Fault{File: name, Err: templates.ErrUnknown}), "%q: %w", name, templates.ErrUnknown)
}

func templateNames() []string {
	set, err := templates.Embedded()
	if err != nil {
		return nil
	}
	var names []string
	for _, s := range set.Files() {
		names = append(names, strings.TrimSuffix(s.Name, ".tmpl"))
	}
	return names
}

const maxTemplate = 256 << 10

// pagesOf returns the templates, with those in a folder. tried is the fingerprint of templates that passed
// their trial.
func pagesOf(v *vault.Vault, folder, tried string) (*templates.Set, error) {
	if folder == "" {
		return templates.Embedded()
	}
	own, err := v.ReadFolder(folder, ".tmpl", maxTemplate)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, exit.Usage(`name a folder by its path from the vault's root; --templates "" renders with the built-in templates`,
			"templates: there is no folder %q in the vault", folder)
	}
	if err != nil {
		return nil, exit.Usage("", "templates: %w", err)
	}
	set, err := templates.With(own, inert.Acting, tried)
	faults := templates.Faults(err)
	if len(faults) == 0 {
		return set, err
	}
	var words []string
	for _, f := range faults {
		words = append(words, path.Join(folder, f.Error()))
	}
	return nil, exit.Usage(faultHint(faults[0]), "%s", strings.Join(words, "\n"))
}

func faultHint(f *templates.Fault) string {
	if errors.Is(f, templates.ErrUnknown) {
		if near := config.Nearest(strings.TrimSuffix(f.File, ".tmpl"), templateNames()); near != "" {
			return fmt.Sprintf("did you mean %q?", near+".tmpl")
		}
		return "sessionloom templates show lists the names"
	}
	return "docs/templates.md tells what a template may hold"
}
