package main

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/catalog"
)

func newDiff(a *app) *cobra.Command {
	var exitCode bool
	cmd := &cobra.Command{
		Use:               "diff [NOTE…]",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: a.completing(offerNotes),
		Short:             "show what sync would write as a unified diff",
		Long: "Show what sync would write as a unified diff; nothing is written. A NOTE is a path, a\n" +
			"file name or a title, a note's property `id`, or the id of a session or the beginning\n" +
			"of it for all of its notes. In a pipe it is a patch that git apply takes; of a note that is kept as you\n" +
			"edited it the patch leaves out what was refused, which stands behind bars.",
		Example: "  sessionloom diff | git apply --stat\n  sessionloom diff Home.md\n  sessionloom diff 7524f8de",
		RunE: func(cmd *cobra.Command, args []string) error {
			a.mode.DryRun, a.mode.Texts = true, true
			return a.withEngine(cmd, a.mode, func(e *engine) error {
				report, err := e.Run(cmd.Context())
				if err != nil {
					return explain(err)
				}
				var only []string
				for _, arg := range args {
					name, err := e.meant(homepath.InVault(arg, e.config.Vault), &report)
					if err != nil {
						return explain(err)
					}
					only = append(only, name)
				}
				shown := a.showDiff(&report, only)
				a.print.Troubles(report.Problems, a.home)
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
	a.addSettings(cmd, config.AllBut())
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "end with exit code 1 when there is something")
	a.addOptions(cmd, "full", "force", "sample")
	return cmd
}

// showDiff prints the changes of a run, and reports whether there are any. only names notes, see
// [present.IsNamed]; empty: all.
func (a *app) showDiff(r *extract.Report, only []string) bool {
	wanted := func(note, id string) bool {
		return len(only) == 0 || slices.ContainsFunc(only, func(arg string) bool { return present.IsNamed(arg, note, id) })
	}
	all := slices.DeleteFunc(present.Diffs(r), func(d present.Diff) bool { return !wanted(d.Note, d.ID) && !wanted(d.From, "") })
	told := map[string]bool{}
	for _, d := range all {
		a.print.Diff(d)
		told[d.Note] = true
	}
	for _, k := range r.Kept {
		if !told[k.Note] && wanted(k.Note, "") {
			a.print.Note("kept %s", present.KeptWords(k))
		}
	}
	return len(all) > 0
}

// meant returns the name of a note for [present.IsNamed] from a user's argument.
func (e *engine) meant(arg string, r *extract.Report) (string, error) {
	if slices.ContainsFunc(r.Changed, func(c extract.Change) bool { return present.IsNamed(arg, c.Note, c.ID) }) {
		return arg, nil
	}
	notes := catalog.New(e.Ledger, e.Folder)
	found, err := notes.Note(arg)
	if err != nil {
		return "", cmp.Or(e.Ledger.Failed(), err)
	}
	if found.IsSession() {
		return found.Session, nil
	}
	return found.ID, nil
}
