package extract

import (
	"slices"

	"github.com/sessionloom/sessionloom/extract/internal/identity"
	"github.com/sessionloom/sessionloom/extract/internal/index"
)

// inScope tells whether a run may touch the notes of a session. updated is a
// time as the ledger has it.
func (p *pass) inScope(session string, pr identity.Project, updated string) bool {
	if slices.ContainsFunc(p.Scope.Excluded, pr.Matches) {
		p.excluded[session] = true
		return false
	}
	if len(p.Scope.Projects) > 0 && !slices.ContainsFunc(p.Scope.Projects, pr.Matches) {
		return false
	}
	return p.Scope.Since.IsZero() || updated >= index.Stamp(p.Scope.Since)
}
