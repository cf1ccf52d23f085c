package redact

import (
	"fmt"
	"regexp"
	"slices"
)

// ownRule is a rule of the user, checked.
type ownRule struct {
	OwnRule
	*pattern
}

// ownRules checks the rules of the user. An error names the one that is wrong.
func ownRules(rules []OwnRule) ([]ownRule, error) {
	const most = 32 << 10 // bytes of keywords
	var own []ownRule
	keywords := 0
	for _, o := range rules {
		if !isRuleName(o.Name) {
			return nil, fmt.Errorf("the name %q of a rule for secrets is not made of small letters, digits and \"-\"", o.Name)
		}
		if slices.Contains(o.Keywords, "") {
			return nil, fmt.Errorf("rule %q for secrets has an empty keyword", o.Name)
		}
		for _, k := range o.Keywords {
			keywords += len(k)
		}
		if keywords > most {
			return nil, fmt.Errorf("rule %q for secrets: the keywords of all rules are more than %d bytes", o.Name, most)
		}
		p, err := newPattern(o.Pattern, 0)
		if err == nil {
			_, err = regexp.Compile(o.Pattern) // it also has a bound on sizes
		}
		if err != nil {
			return nil, fmt.Errorf("rule %q for secrets: %w", o.Name, err)
		}
		if p.re().MatchString("") {
			return nil, fmt.Errorf("rule %q for secrets: the pattern %q matches nothing at all, so it would match everywhere", o.Name, o.Pattern)
		}
		own = append(own, ownRule{o, p})
	}
	return own, nil
}

// rule makes a rule of it. Without keywords it searches all it is given.
func (o ownRule) rule() rule {
	f := finder{pattern: o.pattern, theirs: true}
	r := rule{name: o.Name, keys: lower(o.Keywords), search: f.around}
	if len(r.keys) == 0 {
		r.search = f.everywhere
	}
	return r
}

// allowOf makes one expression of those the user allows.
func allowOf(list []string) (*regexp.Regexp, error) {
	if len(list) == 0 {
		return nil, nil
	}
	all := ""
	for _, source := range list {
		if _, err := regexp.Compile(source); err != nil {
			return nil, fmt.Errorf("what is allowed in spite of the rules for secrets: %w", err)
		}
		all += "|(?:" + source + ")"
	}
	return regexp.Compile("^(?:" + all[1:] + ")$")
}

// isRuleName tells what may stand in a mask.
func isRuleName(s string) bool {
	return s != "" && len(s) <= longestName && run(s, 0, isNameByte) == len(s)
}

// OwnRule is a rule of the user.
type OwnRule struct {
	Name     string   // of small letters, digits and "-"; part of the mask
	Pattern  string   // regular expression (RE2); its first group, if it has one, is the secret
	Keywords []string // one of them stands at or near each secret; none: the whole text is searched
}
