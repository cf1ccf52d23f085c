package vault

import (
	"slices"
	"strings"
)

// refused gathers what of a draft was refused: a hash for the regions and the
// properties each.
type refused []string

func (r *refused) add(parts ...string) {
	*r = append(*r, textHash([]byte(strings.Join(parts, "\x00"))))
}

// addClashes takes of each clash what we changed alone, for how far it reaches
// depends on what the user changed around it.
func (r *refused) addClashes(region string, clashes []clash) {
	if len(clashes) == 0 {
		return
	}
	parts := []string{region}
	for _, c := range clashes {
		for _, e := range lineEdits(c.base, c.ours) {
			parts = append(parts, c.base[e.Start:e.End], e.New)
		}
	}
	r.add(parts...)
}

func (r *refused) addProps(keys []string, ours []Property) {
	parts := []string{"properties"}
	for _, p := range ours {
		if slices.Contains(keys, p.Key) {
			parts = append(append(parts, p.Key), entries(p.Key, p.Value)...)
		}
	}
	r.add(parts...)
}
