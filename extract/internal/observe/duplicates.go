package observe

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// conflictCopy tells the names that programs give to the copy they leave when two
// machines changed a file: Dropbox, Nextcloud and Obsidian Sync ("conflicted
// copy"), Syncthing (".sync-conflict-").
var conflictCopy = regexp.MustCompile(`(?i)[( _-]conflict(ed|ing)?[ _-]?copy|\.sync-conflict-\d{8}-\d{6}`)

// isConflictCopy tells a copy that a program left by its name, as its original
// has none of that kind.
func isConflictCopy(at string) bool { return conflictCopy.MatchString(path.Base(at)) }

// duplicateReason says in plain words which notes carry one id, and what to do.
func duplicateReason(paths []string) string {
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
