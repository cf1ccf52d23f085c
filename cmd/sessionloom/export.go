package main

import (
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/extract"
)

func newExport(a *app) *cobra.Command {
	mode := extract.Mode{NotesOff: true}
	cmd := &cobra.Command{
		Use:   "export [ID…]",
		Short: "print the merged sessions as lines of JSON",
		Long: "Print the merged sessions, secrets masked, as JSON: one object a line. Without an\n" +
			"ID all of them. No note is written, and no sync is needed before.",
		Example: "  sessionloom export >sessions.jsonl\n  sessionloom export 7524f8de-6567-42a5-9569-07102f5d4c6c",
		RunE: func(cmd *cobra.Command, ids []string) (err error) {
			l, err := a.loom(cmd, mode)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, l.close()) }()
			missing := slices.Clone(ids)
			report, err := l.Export(cmd.Context(), ids, func(e extract.Exported) error {
				missing = slices.DeleteFunc(missing, func(id string) bool { return id == e.ID })
				return a.print.object(e)
			})
			a.print.troubles(report.Problems, a.home)
			switch {
			case err != nil:
				return explain(err)
			case len(missing) > 0:
				return failed("export without an id prints all sessions", "no session with content has the id %q", missing[0])
			case report.Part():
				return silent(exitPartial)
			}
			return nil
		},
	}
	a.addSettings(cmd)
	helpsWith(cmd, func(s setting) bool { return !ofKeys("transcript", "layout", "templates")(s) })
	cmd.Flags().BoolVar(&mode.Full, "full", false, "read everything, whatever was remembered of it")
	a.addSample(cmd)
	return cmd
}
