package refs

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// Scan says what the output of a command may tell. It goes with the readers that are not on the builder yet.
type Scan int

// What there is to look for.
const (
	Commits Scan = 1 << iota
	Forge
)

// ScanOf is what to look for in the output of a command.
func ScanOf(command string) (s Scan) {
	if strings.Contains(command, "git") {
		s |= Commits
	}
	if strings.Contains(command, "gh pr") || strings.Contains(command, "gh issue") {
		s |= Forge
	}
	return s
}

// Find finds what an output tells of.
func Find(output string, what Scan, titles map[string][]string) (out []sources.Ref) {
	if what&Commits != 0 {
		out = Told(output)
	}
	if what&Forge != 0 {
		out = append(out, entitled(output, titles)...)
	}
	return out
}

// Quiet finds the commits of a command that prints none.
func Quiet(command, output string) (out []sources.Ref) {
	for _, r := range commitsOf(command, output, false) {
		if strings.Contains(command, "git log") && !strings.Contains(output, "] "+r.Text) {
			out = append(out, r)
		}
	}
	return out
}
