package present

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
)

// Welcome is what a newcomer is told, in three lines: what it is, what was found, and
// the command to go on with.
func (inv *Inventory) Welcome(vaults []string, home string) []string {
	var shown []string
	for _, v := range vaults {
		shown = append(shown, homepath.Tilde(v, home))
	}
	return []string{
		"sessionloom writes the history of coding agents into an Obsidian vault, as linked notes.",
		"found: " + inv.counted() + "; " + vaultsFound(shown),
		"next: sessionloom init",
	}
}

func (inv *Inventory) counted() string {
	var names, out []string
	items := map[string]int{}
	for _, at := range inv.Sources {
		if items[at.Name] == 0 && at.Items > 0 {
			names = append(names, at.Name)
		}
		items[at.Name] += at.Items
	}
	for _, name := range names {
		out = append(out, name+" "+Count(items[name], "item"))
	}
	return cmp.Or(strings.Join(out, ", "), "no history yet")
}

func vaultsFound(paths []string) string {
	switch n := len(paths); {
	case n == 0:
		return "no Obsidian vault"
	case n == 1:
		return "the vault " + paths[0]
	case n > few:
		return Commas(n) + " vaults, " + strings.Join(paths[:few], ", ") + " …"
	}
	return Count(len(paths), "vault") + ": " + strings.Join(paths, ", ")
}

const few = 3
