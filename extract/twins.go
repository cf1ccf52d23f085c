package extract

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/observe"
	"github.com/sessionloom/sessionloom/vault"
)

// settleTwins has each id that several notes carry stand for one of them: no
// copy that a program left, then the shortest path, as a copy's name is longer,
// and the same one in every pass. Neither is written.
func (p *pass) settleTwins(s *survey) {
	for _, id := range slices.Sorted(maps.Keys(s.at)) {
		paths := s.at[id]
		if len(paths) < 2 {
			continue
		}
		slices.SortFunc(paths, func(a, b string) int {
			return cmp.Or(boolCount(observe.IsConflictCopy(a))-boolCount(observe.IsConflictCopy(b)), len(a)-len(b), strings.Compare(a, b))
		})
		n, err := p.Vault.Load(paths[0])
		if err != nil {
			p.unreadable(paths[0], err)
			continue
		}
		n.ID, n.Broken = id, observe.DuplicateReason(paths)
		s.changed = append(slices.DeleteFunc(s.changed, func(n vault.Note) bool { return n.ID == id }), n)
	}
}
