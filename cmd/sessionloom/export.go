package main

import (
	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/extract"
)

func newExport(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:               "export [SESSION…]",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: a.completing(offerSessions),
		Short:             "print the merged sessions as lines of JSON",
		Long: "Print the merged sessions, secrets masked, as JSON: one object a line. Without a name\n" +
			"all of them. No note is written, and no sync is needed before. A SESSION is an id or\n" +
			"the beginning of it, or the name or title of a note.",
		Example: "  sessionloom export >sessions.jsonl\n  sessionloom export 7524f8de",
		RunE: func(cmd *cobra.Command, ids []string) error {
			ids, err := a.inVault(cmd, ids)
			if err != nil {
				return err
			}
			a.mode.NotesOff = true
			return a.withEngine(cmd, a.mode, func(e *engine) error {
				report, err := e.Export(cmd.Context(), ids, func(one extract.Exported) error { return a.print.Object(one) })
				return a.end(&report, err)
			})
		},
	}
	a.addSettings(cmd, config.AllBut("transcript", "templates"))
	a.addOptions(cmd, "full", "sample")
	return cmd
}

// refresh updates the state, and writes no note.
func (a *app) refresh(cmd *cobra.Command) error {
	mode := a.mode
	mode.NotesOff = true
	return a.withEngine(cmd, mode, func(e *engine) error {
		_, err := e.Run(cmd.Context())
		return err
	})
}
