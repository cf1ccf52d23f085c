package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/templates"
	"github.com/sessionloom/sessionloom/vault"
	"github.com/sessionloom/sessionloom/vault/inert"
)

func newTemplates(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "templates",
		Short: "show, export and check what the notes are worded by",
		Long: "The words of the notes come from templates. Files of the same names in a folder of\n" +
			"your vault stand in their place, whole or in part. docs/templates.md tells what they\n" +
			"may hold.",
		Example: "  sessionloom templates export ~/Vault/Agents/.sessionloom/templates session.tmpl\n" +
			"  sessionloom templates check --templates Agents/.sessionloom/templates\n" +
			"  sessionloom sync --templates Agents/.sessionloom/templates",
		Args: onlyCommands,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(newTemplatesShow(a), newTemplatesExport(a), newTemplatesCheck(a))
	return cmd
}

// addTemplateFlags gives a command the flags that say which templates are meant.
func addTemplateFlags(cmd *cobra.Command) {
	config.AddFlags(cmd, config.Keys("vault", "folder", "templates"))
}

func newTemplatesShow(a *app) *cobra.Command {
	var builtin bool
	cmd := &cobra.Command{
		Use:   "show [NAME]",
		Short: "list the templates, or print one as it is in force",
		Long: "List the templates with what they are for, or print one: yours, followed by the\n" +
			"parts it leaves to the program, or the built-in one.",
		Example: "  sessionloom templates show\n  sessionloom templates show session.tmpl --builtin",
		Args:    atMostOne,
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
	addTemplateFlags(cmd)
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
		Args:    someArgs("sessionloom templates export DIR", "folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			set, err := templates.Embedded()
			if err != nil {
				return err
			}
			files := set.Files()
			if len(args) > 1 {
				files = nil
			}
			for _, name := range args[min(1, len(args)):] {
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

func newTemplatesCheck(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check",
		Short: "look for faults in your templates",
		Long: "Look for whatever is wrong with the templates of the vault, or with those that\n" +
			"--templates names, and tell all of it by file and line. Nothing is written.",
		Example: "  sessionloom templates check --templates Agents/.sessionloom/templates",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			set, err := a.templatesInForce(cmd, false)
			if err != nil {
				return err
			}
			own := 0
			for _, s := range set.Files() {
				if s.Own {
					own++
				}
			}
			if own == 0 {
				a.print.Say("the built-in templates are in force; you have none of your own")
				return nil
			}
			a.print.Say(present.Count(own, "template") + " of yours in order")
			return nil
		},
	}
	addTemplateFlags(cmd)
	return cmd
}

// templatesInForce gives the templates of the vault. A vault that does not stand
// yet has those of the program.
func (a *app) templatesInForce(cmd *cobra.Command, builtin bool) (*templates.Set, error) {
	c, err := a.config(cmd)
	if err != nil {
		return nil, err
	}
	if builtin || c.Vault == "" && !c.TemplatesGiven {
		return templates.Embedded()
	}
	v, err := vault.Open(c.Vault, c.Folder, vault.Options{DryRun: true})
	if isMissing(err) && !c.TemplatesGiven {
		return templates.Embedded()
	}
	if err != nil {
		return nil, explain(fmt.Errorf("open vault %q: %w", c.Vault, err))
	}
	defer func() { _ = v.Close() }() // opened for reading
	s, err := config.Rendering(v.Marker().Settings, c.Marker())
	if err != nil {
		return nil, err
	}
	c.Overrule(&s)
	if s.Templates == "" {
		return templates.Embedded()
	}
	return a.allFaults(v, s.Templates)
}

// allFaults is [pagesOf], but tells of every fault, not of the first alone.
func (a *app) allFaults(v *vault.Vault, folder string) (*templates.Set, error) {
	set, faults, err := readTemplates(v, folder, "")
	if err != nil || len(faults) == 0 {
		return set, err
	}
	for _, f := range faults[:len(faults)-1] {
		a.print.Fail(exit.Usage("", "%s", faultWords(folder, f)))
	}
	last := faults[len(faults)-1]
	return nil, exit.Usage(faultHint(last), "%s", faultWords(folder, last))
}

// exportTemplates writes templates into a folder. What stands there stays.
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

// templateList words what there is: name, whose it is, what it is for.
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

// templateNamed finds a template by the name of its file, with or without ending.
func templateNamed(set *templates.Set, name string) (templates.TemplateFile, error) {
	for _, s := range set.Files() {
		if s.Name == name || s.Name == name+".tmpl" {
			return s, nil
		}
	}
	f := &templates.Fault{File: name, Err: templates.ErrUnknown}
	return templates.TemplateFile{}, exit.Usage(faultHint(f), "%q: %w", name, templates.ErrUnknown)
}

// templateNames are the names of all files of templates.
func templateNames() []string {
	set, err := templates.Embedded()
	if err != nil {
		return nil
	}
	var names []string
	for _, s := range set.Files() {
		names = append(names, s.Name)
	}
	return names
}

// atMostOne refuses a second argument with exit code 2.
func atMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return exit.Usage(cmd.CommandPath()+" takes one name", "unexpected argument %q", args[1])
	}
	return nil
}

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
