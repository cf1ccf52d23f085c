package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/config"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
	"github.com/sessionloom/sessionloom/extract"
)

func newExport(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export [ID…]",
		Args:  cobra.ArbitraryArgs,
		Short: "print the merged sessions as lines of JSON",
		Long: "Print the merged sessions, secrets masked, as JSON: one object a line. Without an\n" +
			"ID all of them. No note is written, and no sync is needed before.",
		Example: "  sessionloom export >sessions.jsonl\n  sessionloom export 7524f8de-6567-42a5-9569-07102f5d4c6c",
		RunE: func(cmd *cobra.Command, ids []string) error {
			a.mode.NotesOff = true
			return a.withEngine(cmd, a.mode, func(e *engine) error {
				missing := slices.Clone(ids)
				report, err := e.Export(cmd.Context(), ids, func(one extract.Exported) error {
					missing = slices.DeleteFunc(missing, func(id string) bool { return id == one.ID })
					return a.print.Object(one)
				})
				if err == nil && len(missing) > 0 {
					err = exit.Failed("export without an id prints all sessions", "no session with content has the id %q", missing[0])
				}
				return a.end(&report, err)
			})
		},
	}
	a.addSettings(cmd)
	config.HelpWith(cmd, config.AllBut("transcript", "layout", "templates"))
	a.addOptions(cmd, "full", "sample")
	return cmd
}
