package transcript

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
)

// foundRefs are commits, pull requests and issues, with the turns that tell them.
type foundRefs []noted[sources.Ref]

// scan notes what the output of a command tells of the forge and the repository.
func (f *foundRefs) scan(command, output string, result *lines.ToolResult, t *turn) {
	if what := refs.ScanOf(command); what != 0 {
		for _, ref := range append(refs.Find(output, what, refs.TitlesOf(command)), refs.Quiet(command, output)...) {
			*f = append(*f, noted[sources.Ref]{ref, t})
		}
	}
	if sha := refs.ShortHash(result.GitOperation.Commit.SHA); sha != "" {
		*f = append(*f, noted[sources.Ref]{sources.Ref{Type: sources.Commit, Value: sha}, t})
	}
	f.link(result.GitOperation.PR.URL, t)
}

// link takes in the address of a pull request.
func (f *foundRefs) link(url string, t *turn) {
	if ref, ok := refs.FromURL(url); ok {
		*f = append(*f, noted[sources.Ref]{ref, t})
	}
}

// addTo adds each ref once. Those of no turn come last; in a fork they repeat what the
// parent tells.
func (f foundRefs) addTo(s *sources.Session, at map[*turn]int) {
	slices.SortStableFunc(f, func(a, b noted[sources.Ref]) int { return cmp.Compare(uint(at[a.turn]), uint(at[b.turn])) })
	known := map[string]int{} // places in s.Refs
	for _, r := range f {
		if r.turn != nil && r.turn.dead || r.turn == nil && s.Parent != "" {
			continue
		}
		ref, key := r.what, refKey(r.what)
		if i, told := known[key]; told {
			s.Refs[i].Text = cmp.Or(s.Refs[i].Text, ref.Text)
			continue
		}
		if ref.Turn = at[r.turn]; ref.Turn >= 0 {
			ref.At = s.Turns[ref.Turn].At
		}
		known[key] = len(s.Refs)
		s.Refs = append(s.Refs, ref)
	}
}

// refKey is the same for refs that name one thing: hashes are cut at any length.
func refKey(r sources.Ref) string {
	const shortest = 7 // digits of a hash
	if r.Type == sources.Commit {
		return r.Value[:min(shortest, len(r.Value))]
	}
	return strings.ToLower(r.Type + " " + r.Value + " " + r.Repo)
}
