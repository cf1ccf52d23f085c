package redact

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// gitleaksRules are the rules of gitleaks, its own file as it stands in release
// v8.30.1 (github.com/gitleaks/gitleaks, config/gitleaks.toml, MIT licence, see
// gitleaks/LICENSE). The file is here and not the package, for that one brings
// 42 modules. "go run . take" in .ci/gitleaks takes the one of another release.
//
//go:embed gitleaks/gitleaks.toml
var gitleaksRules string

// gitleaksFile is what we read of the file.
type gitleaksFile struct {
	Allowlist allowlist // for all rules
	Rules     []gitleaksRule
}

type gitleaksRule struct {
	ID          string
	Regex       string
	SecretGroup int
	Entropy     float64 // bits per byte a secret has more than
	Keywords    []string
	Allowlists  []allowlist
}

// leftOut are rules that need the name of a file, which a transcript does not
// tell, and rules that ours find more with.
func leftOut(id string) bool {
	switch id {
	case "pkcs12-file", "hashicorp-tf-password", // of a file's name
		"jwt", "private-key", "kubernetes-secret-yaml":
		return true
	}
	return false
}

// Parts of the rules' expressions, as gitleaks' generator writes them.
const (
	wordsBefore = `[\w.-]{0,50}?`
	blanks      = `[\s'"]{0,3}`
	operator    = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`
	quotes      = `[\x60'"\s=]{0,5}`
	boundary    = `(?:[\x60'"\s;]|\\[nr]|$)`
)

// readGitleaks makes rules of the file. Those for tokens of a shape of their own
// are told apart from those that know a secret by the words before it.
func readGitleaks() (tokens, named []rule, err error) {
	var file gitleaksFile
	if err := toml.Unmarshal([]byte(gitleaksRules), &file); err != nil {
		return nil, nil, fmt.Errorf("read the rules of gitleaks: %w", err)
	}
	everywhere := file.Allowlist.ready()
	for _, g := range file.Rules {
		if g.Regex == "" || leftOut(g.ID) {
			continue
		}
		for i, source := range strings.SplitN(g.Regex, `|\b(`, 2) { // two kinds of secrets
			if i > 0 {
				source = `\b(` + source
			}
			r, isToken, err := g.rule(source, everywhere)
			if err != nil {
				return nil, nil, fmt.Errorf("rule %q of gitleaks: %w", g.ID, err)
			}
			if isToken {
				tokens = append(tokens, r)
			} else {
				named = append(named, r)
			}
		}
	}
	return tokens, named, nil
}

// rule makes a rule of ours. Expressions are loosened where transcripts need it:
// quotes may be escaped, a token may end at any sign that it cannot hold, and
// where it may start is for startsWord to say.
func (g gitleaksRule) rule(source string, everywhere allowlist) (r rule, isToken bool, err error) {
	curl := strings.HasPrefix(g.ID, "curl-")
	word := strings.HasPrefix(source, `\b`) || strings.HasPrefix(source, `(?i)\b`)
	if word {
		source = strings.Replace(source, `\b`, "", 1)
	}
	group := g.SecretGroup
	if g.ID == "jwt-base64" || g.ID == "microsoft-teams-webhook" {
		group = wholeMatch
	}
	p, err := newPattern(strings.NewReplacer(
		wordsBefore, "",
		blanks, `[\s'"\\]{0,5}`,
		quotes, `[\x60'"\s=\\]{0,7}`,
		boundary, `(?:[^\w+/=.%-]|%(?:[0-9A-Fa-f]{2}|\W|$)|\.(?:\W|$)|$)`,
	).Replace(source), group)
	if err != nil {
		return rule{}, false, err
	}
	f := finder{pattern: p, entropy: g.Entropy, word: word, allow: []allowlist{everywhere}, generic: g.ID == "generic-api-key"}
	for _, a := range g.Allowlists {
		f.allow = append(f.allow, a.ready())
	}
	r = rule{name: g.ID, lowConfidence: f.generic, least: p.least, keys: lower(g.Keywords)}
	fit := slices.DeleteFunc(slices.Clone(r.keys), func(key string) bool { return !p.startsWith(key) })
	f.assigned = strings.Contains(source, operator)
	plain := strings.ToLower(strings.ReplaceAll(source, `\`, ""))
	f.inside = !f.assigned && !slices.ContainsFunc(r.keys, func(key string) bool { return !strings.Contains(plain, key[:2]) })
	switch {
	case curl:
		r.search = f.aroundCurl
	case len(fit) == 0 || !f.assigned && len(fit) < len(r.keys):
		r.search = f.around
	case f.assigned:
		r.keys, r.find = fit, f.behindWords
	default:
		r.find, isToken = f.token, true
	}
	return r, isToken, nil
}
