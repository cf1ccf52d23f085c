package vault

import (
	"slices"
	"strings"
)

// refused gathers what of a draft was refused.
type refused []byte

func (r *refused) add(parts ...string) {
	for _, p := range parts {
		*r = append(append(*r, p...), 0)
	}
}

// addClashes takes of each clash what we changed alone, for how far it reaches
// depends on what the user changed around it.
func (r *refused) addClashes(region string, clashes []clash) {
	for _, c := range clashes {
		for _, e := range lineEdits(c.base, c.ours) {
			r.add(region, c.base[e.Start:e.End], e.New)
		}
	}
}

func (r *refused) addProps(keys []string, ours []Property) {
	for _, p := range ours {
		if slices.Contains(keys, p.Key) {
			r.add("property", p.Key, strings.Join(entries(p.Key, p.Value), "\x00"))
		}
	}
}

// sum stands for all of it, empty where there is nothing.
func (r refused) sum() string {
	if len(r) == 0 {
		return ""
	}
	return textHash(r)
}
