package redact

import (
	"slices"
	"strings"
	"sync"
)

// ruleSet is all rules of a Masker, ready for use.
type ruleSet struct {
	rules []rule
	scan  *automaton
	whole []rule // of the user, without a key: a text is searched as a whole
}

// builtIn names the rules this release has. It goes up whenever one of ours
// finds other secrets than before, or the file of gitleaks is another.
const builtIn = "13 gitleaks 8.30.1"

// builtInRules are the rules where the user has none. They never change: all
// Maskers of a process share them.
var builtInRules = sync.OnceValues(func() (*ruleSet, error) { return loadRules(nil) })

// loadRules reads all rules. Where two have a key at one place, the first wins:
// those of the user before ours, ours before those of gitleaks, tokens before
// what is known by the words around it.
func loadRules(own []rule) (*ruleSet, error) {
	theirs, named, err := readGitleaks()
	if err != nil {
		return nil, err
	}
	set := &ruleSet{}
	for _, r := range own {
		if len(r.keys) == 0 {
			set.whole = append(set.whole, r)
		} else {
			set.rules = append(set.rules, r)
		}
	}
	slices.SortStableFunc(theirs, func(a, b rule) int { return b.least - a.least })
	tokens := slices.Concat(tokenRules(), vendorRules(), serviceRules(), theirs)
	slices.SortStableFunc(tokens, func(a, b rule) int { // the newer tokens of GitLab start as the older ones and go on
		return order(strings.HasSuffix(b.name, "-routable")) - order(strings.HasSuffix(a.name, "-routable"))
	})
	set.rules = slices.Concat(set.rules, tokens, placeRules(), addressRules(), commandRules(), named, contextRules(tokens))
	slices.SortStableFunc(set.rules, func(a, b rule) int { return order(a.lowConfidence) - order(b.lowConfidence) })
	set.scan = newAutomaton(set.rules)
	return set, nil
}

func order(first bool) int {
	if first {
		return 1
	}
	return 0
}
