package main

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/spf13/cobra"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/terminal"
)

// Help fits on a screen of 80 columns, but for a line that the library writes and
// commands to be copied.
func TestHelpFits(t *testing.T) {
	root, err := newRoot(&terminal.Printer{})
	if err != nil {
		t.Fatal(err)
	}
	var look func(*cobra.Command)
	look = func(cmd *cobra.Command) {
		fitHelp(cmd)
		for line := range strings.Lines(cmd.Long + "\n" + cmd.UsageString()) {
			line = strings.TrimRight(line, "\n")
			if lipgloss.Width(line) > helpWidth && !strings.HasPrefix(line, `Use "`) && !strings.HasPrefix(line, "  sessionloom ") && !strings.HasPrefix(line, "\t") {
				t.Errorf("%s: %q", cmd.CommandPath(), line)
			}
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(root)
}
