package main

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/help"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// Help fits on a screen of 80 columns, but for a line that the library writes and
// commands to be copied.
func TestHelpFits(t *testing.T) {
	t.Parallel()
	root := expect.Value(newRoot(&terminal.Printer{}))(t)
	var look func(*cobra.Command)
	look = func(cmd *cobra.Command) {
		help.Wrap(cmd)
		for line := range strings.Lines(cmd.Long + "\n" + cmd.UsageString()) {
			line = strings.TrimRight(line, "\n")
			if lipgloss.Width(line) > help.Width && !strings.HasPrefix(line, `Use "`) && !strings.HasPrefix(line, "  sessionloom ") && !strings.HasPrefix(line, "\t") {
				t.Errorf("%s: %q", cmd.CommandPath(), line)
			}
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(root)
}

// Every command of ours shows examples, and the program takes what they show.
func TestHelpHasExamples(t *testing.T) {
	t.Parallel()
	root := expect.Value(newRoot(&terminal.Printer{}))(t)
	for _, cmd := range help.EveryCommand(root) {
		if cmd == root || cmd.Hidden || strings.Contains(cmd.CommandPath(), "completion") || cmd.Name() == "help" {
			continue
		}
		shown := 0
		for line := range strings.Lines(cmd.Example) {
			for _, args := range commandsOf(line) {
				shown++
				if err := understood(t, args); err != nil {
					t.Errorf("%s shows %q: %v", cmd.CommandPath(), line, err)
				}
			}
		}
		if shown == 0 {
			t.Errorf("%s --help has no example", cmd.CommandPath())
		}
	}
}
