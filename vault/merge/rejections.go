package merge

import (
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/vault/note"
)

// rejections gathers what of a draft was refused: a hash for the regions and the
// properties each.
type rejections []string

func (r *rejections) add(parts ...string) {
	*r = append(*r, note.Hash([]byte(strings.Join(parts, "\x00"))))
}

// addConflicts takes of each conflict what we changed alone, for how far it reaches
// depends on what the user changed around it.
func (r *rejections) addConflicts(region string, conflicts []conflict) {
	if len(conflicts) == 0 {
		return
	}
	parts := []string{region}
	for _, c := range conflicts {
		for _, e := range LineEdits(c.base, c.ours) {
			parts = append(parts, c.base[e.Start:e.End], e.New)
		}
	}
	r.add(parts...)
}

func (r *rejections) addProps(keys []string, ours []note.Property) {
	parts := []string{"properties"}
	for _, p := range ours {
		if slices.Contains(keys, p.Key) {
			parts = append(append(parts, p.Key), note.Entries(p.Key, p.Value)...)
		}
	}
	r.add(parts...)
}
