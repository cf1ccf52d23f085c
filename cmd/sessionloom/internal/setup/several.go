package setup

import (
	"fmt"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/obsidian"
	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
)

// Several gives the command for each of some vaults.
func Several(found []obsidian.Vault, home string) string {
	var b strings.Builder
	b.WriteString("name one of them:")
	for _, v := range found[:min(len(found), present.Listed)] {
		b.WriteString("\n  sessionloom init --vault " + present.ShellPath(v.Path, home))
		if v.Open {
			b.WriteString("  # open in Obsidian")
		}
	}
	if rest := len(found) - present.Listed; rest > 0 {
		fmt.Fprintf(&b, "\n  … and %s more", present.Commas(rest))
	}
	return b.String()
}
