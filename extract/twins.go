package extract

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault"
)

// conflictCopy tells the names that programs give to the copy they leave when two
// machines changed a file: Dropbox, Nextcloud and Obsidian Sync ("conflicted
// copy"), Syncthing (".sync-conflict-").
var conflictCopy = regexp.MustCompile(`(?i)[( _-]conflict(ed|ing)?[ _-]?copy|\.sync-conflict-\d{8}-\d{6}`)

// isConflictCopy tells a copy that a program left by its name, as its original
// has none of that kind.
func isConflictCopy(at string) bool { return conflictCopy.MatchString(path.Base(at)) }

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
			return cmp.Or(boolCount(isConflictCopy(a))-boolCount(isConflictCopy(b)), len(a)-len(b), strings.Compare(a, b))
		})
		n, err := p.Vault.Load(paths[0])
		if err != nil {
			p.unreadable(paths[0], err)
			continue
		}
		n.ID, n.Broken = id, twinReason(paths)
		s.changed = append(slices.DeleteFunc(s.changed, func(n vault.Note) bool { return n.ID == id }), n)
	}
}

// twinReason says in plain words which notes carry one id, and what to do.
func twinReason(paths []string) string {
	sorted := slices.Sorted(slices.Values(paths))
	why := "two notes carry its id: " + strings.Join(sorted, ", ")
	var copies []string
	for _, at := range sorted {
		if isConflictCopy(at) && at != paths[0] {
			copies = append(copies, path.Base(at))
		}
	}
	if len(copies) > 0 {
		why += "; " + strings.Join(copies, ", ") + " was left by a sync program: take over what you need of it, then delete it"
	}
	return why
}
