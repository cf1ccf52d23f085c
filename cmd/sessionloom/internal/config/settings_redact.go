package config

import (
	"fmt"
	"regexp"

	"github.com/sessionloom/sessionloom/extract/redact"
)

// redactSettings say what counts as a secret. They are the machine's, not the
// vault's: whoever can write to a vault must not be able to have another
// machine's secrets shown in it, and a rule may itself tell what it hides.
func redactSettings() []setting {
	return []setting{{
		key: "redact.rules", kind: rules, show: "[]",
		doc: "Secrets are masked in everything that is kept or written.\n" +
			"This section is the machine's and in no vault: give machines that share a\n" +
			"vault the same one. When it changes, what is remembered and what stands in\n" +
			"notes is masked anew.\n\n" +
			"More rules beside the built-in ones, such as\n" +
			"  - {name: acme-key, pattern: \"acme_[0-9a-f]{32}\", keywords: [acme_]}\n" +
			"name: of small letters, digits and \"-\". pattern: a regular expression (RE2); its\n" +
			"first group, if it has one, is the secret. keywords: one of them stands in or\n" +
			"near each secret, which makes the search fast; they may be left out.",
		set: into(func(c *Config) *[]redact.OwnRule { return &c.Redact.Own }),
	}, {
		key: "redact.allow", kind: patterns,
		doc: "Leave alone what one of these regular expressions matches as a whole. In the\n" +
			"environment one stands on each line. sync --redactions lists what is masked.",
		set: func(c *Config, v any) error {
			for _, p := range v.([]string) {
				if _, err := regexp.Compile(p); err != nil {
					return fmt.Errorf("wants regular expressions (RE2), got %q: %w", p, err)
				}
			}
			c.Redact.Allow = append([]string(nil), v.([]string)...)
			return nil
		},
	}}
}

var ruleName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ownRules reads the rules of a configuration file.
func ownRules(raw any) (any, error) {
	if raw == nil {
		return []redact.OwnRule(nil), nil
	}
	entries, ok := raw.([]any)
	if !ok {
		return nil, fmt.Errorf("wants a list of rules, each with name and pattern")
	}
	var out []redact.OwnRule
	seen := map[string]bool{}
	for i, e := range entries {
		r, err := ownRule(e)
		if err == nil && seen[r.Name] {
			err = fmt.Errorf("has the name %q of another", r.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("in rule %d: %w", i+1, err)
		}
		seen[r.Name] = true
		out = append(out, r)
	}
	return out, nil
}

func ownRule(raw any) (r redact.OwnRule, err error) {
	fields, ok := raw.(map[string]any)
	if !ok {
		return r, fmt.Errorf("wants name and pattern")
	}
	for key, value := range fields {
		switch key {
		case "name":
			r.Name, _ = value.(string)
		case "pattern":
			r.Pattern, _ = value.(string)
		case "keywords":
			list, err := words(value)
			if err != nil {
				return r, fmt.Errorf("keywords %w", err)
			}
			r.Keywords = list.([]string)
		default:
			return r, fmt.Errorf("unknown key %q: known are name, pattern, keywords", key)
		}
	}
	if !ruleName.MatchString(r.Name) {
		return r, fmt.Errorf("name wants small letters, digits and \"-\", got %q", r.Name)
	}
	if _, err := regexp.Compile(r.Pattern); err != nil || r.Pattern == "" {
		return r, fmt.Errorf("pattern wants a regular expression (RE2), got %q: %w", r.Pattern, err)
	}
	return r, nil
}
