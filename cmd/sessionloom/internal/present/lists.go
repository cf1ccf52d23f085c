package present

import (
	"fmt"

	"charm.land/lipgloss/v2"

	"github.com/sessionloom/sessionloom/extract"
)

// Listed is how many notes of a kind a summary names before it counts the rest.
const Listed = 20

// Head cuts a list to what a summary names.
func Head[T any](all []T, told bool) []T {
	if !told && len(all) > Listed {
		return all[:Listed]
	}
	return all
}

// more says how many of a list of n were not named.
func more(lines []string, n int, told bool) []string {
	if rest := n - Listed; !told && rest > 0 {
		return append(lines, fmt.Sprintf("  … and %s more (-v names all)", Commas(rest)))
	}
	return lines
}

// named is an entry of a list: a name to be copied, and what is said of it.
type named struct{ name, why string }

func keptNamed(k extract.KeptNote) named { return named{name: k.Note, why: k.Reason} }

func plainly(name string) named { return named{name: name} }

func worded[T any](all []T, words func(T) named) []named {
	out := make([]named, 0, len(all))
	for _, one := range all {
		out = append(out, words(one))
	}
	return out
}

// listEntry sets a name and what is said of it on one line, or below each other where
// they do not fit.
func listEntry(name, why string, width int) []string {
	if why == "" {
		return []string{"  " + name}
	}
	if line := "  " + name + ": " + why; lipgloss.Width(line) <= width {
		return []string{line}
	}
	return append([]string{"  " + name}, WrapTo(why, 4, width)...)
}
