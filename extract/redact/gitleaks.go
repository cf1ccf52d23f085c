package redact

import (
	_ "embed"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// gitleaksRules are the rules of gitleaks, its own file as it is in release
// v8.30.1 (github.com/gitleaks/gitleaks, config/gitleaks.toml, MIT licence, see
// gitleaks/LICENSE). The file is here and not the package, for that one brings
// 42 modules. "go run . take" in .ci/gitleaks takes the one of another release.
//
//go:embed gitleaks/gitleaks.toml
var gitleaksRules string

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
// tell, and rules that ours do better than.
var leftOut = []string{"pkcs12-file", "hashicorp-tf-password", // of a file's name
	"jwt", "private-key", "kubernetes-secret-yaml", "infracost-api-token"}

// Parts of the rules' expressions, as gitleaks' generator writes them.
const (
	wordsBefore = `[\w.-]{0,50}?`
	blanks      = `[\s'"]{0,3}`
	operator    = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`
	quotes      = `[\x60'"\s=]{0,5}`
	boundary    = `(?:[\x60'"\s;]|\\[nr]|$)`
)

// edges are what the expressions of tokens ask for around the secret, in the order in
// which they are taken off: what may be there is for startsToken and endsToken to say.
var edges = struct {
	before string
	behind []string
}{
	`(?:^|[\\'"\x60\s>=:(,)])`,
	[]string{boundary, `(?:[\x60'"\s;]|\\[nr]|$|\b)`, `(?:[^\w-]|\z)`, `(?:[^a-zA-Z0-9+/]|\z)`, `(?:$|[\\'"\x60\s<),])`, `\b`},
}

// startsPlain recognizes the patterns of tokens that have a prefix.
func startsPlain(source string) bool {
	re, err := syntax.Parse(source, syntax.Perl)
	for err == nil && (re.Op == syntax.OpCapture || re.Op == syntax.OpConcat) {
		re = re.Sub[0]
	}
	return err == nil && re.Op == syntax.OpLiteral
}

// withoutEdges takes the edges off an expression and reports whether it had one behind the
// secret.
func withoutEdges(source string) (string, bool) {
	source = strings.TrimPrefix(source, edges.before)
	whole := len(source)
	for _, edge := range edges.behind {
		source = strings.TrimSuffix(source, edge)
	}
	return source, len(source) < whole
}

// readGitleaks makes rules of the file. Those for tokens of a shape of their own
// are distinguished from those that know a secret by the words before it.
func readGitleaks() (tokens, named []rule, err error) {
	var file gitleaksFile
	if err := toml.Unmarshal([]byte(gitleaksRules), &file); err != nil {
		return nil, nil, fmt.Errorf("read the rules of gitleaks: %w", err)
	}
	everywhere := file.Allowlist.ready()
	for _, g := range file.Rules {
		if g.Regex == "" || slices.Contains(leftOut, g.ID) {
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

var loosened = strings.NewReplacer(
	wordsBefore, "",
	blanks, `[\s'"\\]{0,5}`,
	quotes, `[\x60'"\s=\\]{0,7}`,
	boundary, `(?:[^\w+/=.%-]|%(?:[0-9A-Fa-f]{2}|\W|$)|\.(?:\W|$)|$)`,
)

// rule makes a rule of ours. Expressions are loosened where transcripts need it:
// quotes may be escaped, a value may end at any sign that it cannot hold, and
// where a token starts and ends is for startsToken and endsToken to say.
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
	f := finder{entropy: g.Entropy, word: word, allow: []allowlist{everywhere}, generic: g.ID == "generic-api-key"}
	keys := lower(g.Keywords)
	plain := strings.ToLower(strings.ReplaceAll(source, `\`, ""))
	f.assigned = strings.Contains(source, operator)
	f.inside = !f.assigned && !slices.ContainsFunc(keys, func(key string) bool { return !strings.Contains(plain, key[:2]) })
	if !curl && (f.inside || !f.assigned && startsPlain(source)) {
		source, f.ends = withoutEdges(source)
	}
	f.pattern, err = newPattern(loosened.Replace(source), group)
	if err != nil {
		return rule{}, false, err
	}
	f.distinct = f.most == f.least && areDistinct(keys)
	for _, a := range g.Allowlists {
		f.allow = append(f.allow, a.ready())
	}
	r = rule{name: g.ID, lowConfidence: f.generic, least: f.least, keys: keys}
	fit := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !opens(f.tree, key, func(rest string) bool { return rest == "" }) })
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
