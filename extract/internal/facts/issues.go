package facts

import (
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/names"
)

// NamedIssue is an issue or pull request with the row of the session that names it.
type NamedIssue struct {
	names.Issue
	Row Row
}

// Issues are the issues and pull requests that a session names, each as often as it does:
// those it was at work on, and those that its prompts speak of.
func (f Facts) Issues() (out []NamedIssue) {
	for _, key := range []string{RowRef, RowNamed} {
		for _, r := range f.Of(key) {
			if i, ok := IssueOf(f, r); ok {
				out = append(out, NamedIssue{i, r})
			}
		}
	}
	return out
}

// IssueOf is the issue or pull request that a row of a session names, false where it names
// none.
func IssueOf(f Facts, r Row) (names.Issue, bool) {
	typ, value, _ := strings.Cut(r.What, ":")
	return names.IssueNamed(f.Project, typ, value)
}
