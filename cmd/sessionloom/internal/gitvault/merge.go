package gitvault

import (
	"fmt"
	"os"

	"github.com/sessionloom/sessionloom/vault/merge"
)

// MergeFiles merges two versions of the note at path into the file ours, as git has it
// done. It is not clean where two people changed the same lines.
func MergeFiles(base, ours, theirs, path string) (clean bool, err error) {
	var texts [3][]byte
	for i, file := range []string{base, ours, theirs} {
		if texts[i], err = os.ReadFile(file); err != nil {
			return false, fmt.Errorf("merge %q: %w", path, err)
		}
	}
	if len(texts[0]) == 0 {
		texts[0] = nil // both sides are new
	}
	merged, clean := merge.Versions(path, texts[0], texts[1], texts[2])
	if err := os.WriteFile(ours, merged, 0o600); err != nil {
		return false, fmt.Errorf("merge %q: %w", path, err)
	}
	return clean, nil
}
