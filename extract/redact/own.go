package redact

import (
	"fmt"
	"regexp"
	"slices"
)

func ownRules(rules []OwnRule) (own []rule, err error) {
	const most = 32 << 10 // bytes of keywords
	keywords := 0
	for _, o := range rules {
		if !ruleName.MatchString(o.Name) {
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
		f := finder{pattern: p, theirs: true}
		r := rule{name: o.Name, keys: lower(o.Keywords), search: f.around}
		if len(r.keys) == 0 {
			r.search = func(s string, lo, _, _ int) span { return f.between(s, lo, len(s)) }
		}
		own = append(own, r)
	}
	return own, nil
}

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

var ruleName = regexp.MustCompile(`^` + nameForm + `$`)

// OwnRule is a user's own rule.
type OwnRule struct {
	Name     string   // of small letters, digits and "-"; part of the mask
	Pattern  string   // regular expression (RE2); its first group, if it has one, is the secret
	Keywords []string // one of them stands at or near each secret; none: the whole text is searched
}
