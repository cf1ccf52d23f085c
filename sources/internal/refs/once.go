package refs

import (
	"slices"

	"github.com/sessionloom/sessionloom/sources"
)

// near is among how many before it a commit or a file stands once: what is hostile may have
// more than can be compared with each other.
const near = 1000

// OldOf are the commits, pull requests and issues that the output of a command tells of.
func OldOf(command, output string) []sources.Ref {
	return append(Find(output, ScanOf(command), TitlesOf(command)), Quiet(command, output)...)
}

// Add adds a reference that is not there yet.
func Add(all []sources.Ref, ref sources.Ref) []sources.Ref {
	if slices.ContainsFunc(all[max(0, len(all)-near):], func(r sources.Ref) bool { return r.Type == ref.Type && r.Value == ref.Value && r.Repo == ref.Repo }) {
		return all
	}
	return append(all, ref)
}

// Touch adds what was done to a file, once for each path, kind and turn.
func Touch(all []sources.FileTouch, f sources.FileTouch) []sources.FileTouch {
	for _, have := range slices.Backward(all[max(0, len(all)-near):]) {
		if have.Turn != f.Turn {
			break
		}
		if have.Path == f.Path && have.Kind == f.Kind {
			return all
		}
	}
	return append(all, f)
}
