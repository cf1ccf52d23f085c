package main

import (
	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/exit"
)

func (a *app) addYes(cmd *cobra.Command, yes *bool) {
	cmd.Flags().BoolVarP(yes, "yes", "y", false, "answer the question with yes")
}

// confirm asks a person at a terminal whether to go on. Elsewhere nobody can answer, and
// --yes is wanted.
func (a *app) confirm(cmd *cobra.Command, yes bool, question string) error {
	if yes {
		return nil
	}
	if !a.print.Interactive(a.stdin) {
		return exit.Usage("--yes answers the question", "%s asks before it goes on, and nobody is here to answer", cmd.CommandPath())
	}
	agreed, err := a.dialog(cmd).Yes(question, false)
	if err == nil && !agreed {
		a.print.Note("nothing was done")
		err = exit.Silent(exit.CodeFailed)
	}
	return err
}
