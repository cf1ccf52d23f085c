package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
)

// diffOptions say what of a diff is shown.
type diffOptions struct {
	stat bool     // a table in place of the lines
	only []string // notes, as [isNamed] understands them; empty: all
}

func newDiff(a *app) *cobra.Command {
	var o diffOptions
	var exitCode bool
	cmd := &cobra.Command{
		Use:   "diff [NOTE or ID…]",
		Args:  cobra.ArbitraryArgs,
		Short: "show what sync would write as a unified diff",
		Long: "Show what sync would write as a unified diff; nothing is written. A NOTE is a path\n" +
			"or a file name, an ID a note's property `id` or the id of a session for all of its\n" +
			"notes. In a pipe it is a patch that git apply takes; of a note that is kept as you\n" +
			"edited it the patch leaves out what was refused, which stands behind bars.",
		Example: "  sessionloom diff --stat\n  sessionloom diff Home.md\n  sessionloom diff session:7524f8de-6567-42a5-9569-07102f5d4c6c",
		RunE: func(cmd *cobra.Command, args []string) error {
			a.mode.DryRun, a.mode.Texts = true, true
			return a.withEngine(cmd, a.mode, func(e *engine) error {
				report, err := e.Run(cmd.Context())
				if err != nil {
					return explain(err)
				}
				for _, arg := range args {
					o.only = append(o.only, inVault(arg, e.config.Vault))
				}
				shown := a.showDiff(&report, o)
				a.print.Troubles(report.Problems, a.home)
				if err := e.known(o.only, &report); err != nil {
					return err
				}
				switch {
				case report.Part():
					return exit.Silent(exit.CodePartial)
				case shown && exitCode:
					return exit.Silent(exit.CodeFailed)
				}
				return nil
			})
		},
	}
	a.addSettings(cmd)
	f := cmd.Flags()
	f.BoolVar(&o.stat, "stat", false, "count lines instead of showing them")
	f.BoolVar(&exitCode, "exit-code", false, "end with exit code 1 when there is something")
	a.addOptions(cmd, "full", "force", "sample")
	return cmd
}

// showDiff prints what a pass changes, or would change, and tells whether there
// is anything. What is kept and has nothing to show is named.
func (a *app) showDiff(r *extract.Report, o diffOptions) bool {
	all := slices.DeleteFunc(present.Diffs(r), func(d present.Diff) bool {
		return !o.wants(d.Note, d.ID) && !o.wants(d.From, "")
	})
	told := map[string]bool{}
	if o.stat && len(all) > 0 {
		a.print.Say(present.Stat(all)...)
	}
	for _, d := range all {
		if !o.stat {
			a.print.Diff(d)
			told[d.Note] = true
		}
	}
	for _, k := range r.Kept {
		if !told[k.Note] && o.wants(k.Note, "") {
			a.print.Note("kept %s", present.KeptWords(k))
		}
	}
	return len(all) > 0
}

// wants tells whether a note is to be shown.
func (o diffOptions) wants(note, id string) bool {
	return len(o.only) == 0 || slices.ContainsFunc(o.only, func(arg string) bool { return present.IsNamed(arg, note, id) })
}

// inVault makes the path of a file that the user typed one from the vault's root.
func inVault(arg, vault string) string {
	abs, err := filepath.Abs(arg)
	if err != nil {
		return arg
	}
	rel, err := filepath.Rel(vault, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(arg)
	}
	return filepath.ToSlash(rel)
}

// known refuses a name that no note has, and says which have nothing to show.
func (e *engine) known(args []string, r *extract.Report) error {
	files := e.Ledger.NoteFiles()
	if err := e.Ledger.Failed(); err != nil {
		return err
	}
	for _, arg := range args {
		named := slices.ContainsFunc(r.Changed, func(c extract.Change) bool { return present.IsNamed(arg, c.Note, c.ID) })
		for _, f := range files {
			named = named || present.IsNamed(arg, e.Folder+"/"+f.Path, f.ID)
		}
		if !named {
			return exit.Failed("name a note by its path, its file name or its property `id`", "no note is called %q", arg)
		}
	}
	return nil
}
