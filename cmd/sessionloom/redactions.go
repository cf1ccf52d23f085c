package main

import (
	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/extract"
)

// listRedactions shows where secrets are masked and what stands around them.
// Nothing is written.
func (a *app) listRedactions(cmd *cobra.Command, asJSON bool) error {
	return a.withEngine(cmd, extract.Mode{DryRun: true}, func(e *engine) error {
		all := present.Redactions{Schema: 1, Redactions: []extract.Redaction{}, Problems: []extract.Problem{}}
		report, err := e.Redactions(cmd.Context(), func(r extract.Redaction) error {
			all.Redactions = append(all.Redactions, r)
			return nil
		})
		if err != nil {
			return explain(err)
		}
		all.Problems = append(all.Problems, report.Problems...)
		return a.end(&report, a.tell(asJSON, &all, all.Lines()...))
	})
}
