package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/lucasjones/reggen"
	"github.com/spf13/viper"
	"github.com/zricethezav/gitleaks/v8/config"
)

// positive is a secret in its surroundings. In the file the secret contains marks, so that nobody takes it
// for a real one.
type positive struct {
	Rule   string `json:"rule"`
	Before string `json:"before"`
	Secret string `json:"secret"`
	After  string `json:"after"`
}

const (
	mark    = "‸"
	perRule = 4
	seed    = 20261121
)

// kind is a kind of secret: an expression for it and its surroundings.
type kind struct {
	rule, secret string
	around       []string // {s} is the secret
	entropy      float64
}

// loose is the text around tokens with a shape of their own, named the text around values recognized by the
// name before them ({i}, {I}).
var (
	loose = []string{"use {s} for it\n", `{"value": "{s}", "n": 1}`, "- `{s}`\n", "curl https://api.example.com/?key={s}", "+const k = '{s}';\n", "({s})"}
	named = []string{`{i}_token = "{s}"`, `{"{i}Token": "{s}"}`, "{I}_TOKEN={s}\n", "{i}_token: {s}\n", `const {i}Token = '{s}';`, `{\"{i}_token\": \"{s}\"}`}
)

// byHand are kinds whose rules no generator can follow, and our own.
var byHand = []kind{
	{"curl-auth-header", `[a-z0-9]{24}`, []string{`curl -H "Authorization: Bearer {s}" https://api.example.com/v1`, `curl --header 'X-Api-Key: {s}' https://api.example.com`}, 3},
	{"curl-auth-user", `[A-Za-z0-9]{14}`, []string{"curl -u deploy:{s} https://ci.example.com/job", `curl --user "deploy:{s}" https://ci.example.com/job`}, 3},
	{"kubernetes-secret-yaml", `[A-Za-z0-9]{30}==`, []string{"apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  value: {s}\n", "kind: Secret\ntype: Opaque\ndata:\n  a.conf: {s}\nmetadata:\n  name: x\n"}, 3},
	{"private-key", `MII[A-Za-z0-9+/]{60}`, []string{"-----BEGIN RSA PRIVATE KEY-----\n{s}\n{s}\n-----END RSA PRIVATE KEY-----\n", `{"k":"-----BEGIN PRIVATE KEY-----\n{s}\n-----END PRIVATE KEY-----\n"}`, "-----BEGIN OPENSSH PRIVATE KEY-----\n{s}\n-----END OPENSSH PRIVATE KEY-----"}, 4},
	{"jwt", `eyJhbGciOiJIUzI1NiJ9\.eyJzdWIiOiJ[A-Za-z0-9]{30}\.[A-Za-z0-9_-]{43}`, loose, 4},
	{"hashicorp-tf-password", `[a-z]{6}[0-9]{4}[a-z]{4}`, []string{"administrator_login_password = \"{s}\"\n", "password = \"{s}\"\n"}, 2},
	{"freemius-secret-key", `sk_[A-Za-z0-9]{29}`, []string{`'secret_key' => '{s}'`}, 3},
	{"nuget-config-password", `[A-Za-z0-9]{16}`, []string{`<add key="ClearTextPassword" value="{s}" />`}, 3},
	{"microsoft-teams-webhook", `https://octo\.webhook\.office\.com/webhookb2/[a-f0-9]{8}-([a-f0-9]{4}-){3}[a-f0-9]{12}@[a-f0-9]{8}-([a-f0-9]{4}-){3}[a-f0-9]{12}/IncomingWebhook/[a-f0-9]{32}/[a-f0-9]{8}-([a-f0-9]{4}-){3}[a-f0-9]{12}`, []string{"post to {s} then\n", `"{s}"`}, 3},
	{"facebook-access-token", `[0-9]{15}\|[a-z0-9_-]{30}`, []string{"facebook says {s}\n", `{"facebook": "{s}"}`}, 3},
	{"airtable-personnal-access-token", `pat[a-zA-Z0-9]{14}\.[a-f0-9]{64}`, []string{"airtable gave me {s}\n", `AIRTABLE="{s}"`}, 3},
	{"sourcegraph-access-token", `sgp_[a-f0-9]{40}`, loose, 3},
	{"sidekiq-sensitive-url", `[a-f0-9]{8}`, []string{"https://4123fa6c:{s}@gems.contribsys.com/", "https://4123fa6c:{s}@enterprise.contribsys.com/x"}, 2},
	{"github-copilot", `tid=[a-f0-9]{32};exp=17[0-9]{8};sku=copilot_for_business;st=dotcom;chat=1;8kp=1:[a-f0-9]{64}`, []string{"token {s}\n", `{"token":"{s}"}`, "Authorization: Bearer {s}\r\n"}, 4},
	{"authorization", `[A-Za-z0-9+/]{31}=`, []string{"Authorization: Basic {s}\r\n", `"authorization": "token {s}"`, "-H 'authorization: Bearer {s}'", `{\"Authorization\": \"Bearer {s}\"}`}, 4},
	{"url-password", `[A-Za-z0-9!]{12}`, []string{"postgres://app:{s}@db.internal:5432/app", "https://octo:{s}@git.example.com/o/r.git", "amqp://u:{s}@mq/vhost", "redis://:{s}@cache:6379/0"}, 3},
	{"dot-env", `[A-Za-z0-9!#%^]{16}`, []string{"DB_PASSWORD={s}\n", "export SMTP_PASS='{s}'\n", "DJANGO_SECRET_KEY=\"{s}\"\n", "ENCRYPTION_KEY={s}\n", "MYSQL_PWD={s}\n"}, 3},
	{"connection-string", `[A-Za-z0-9+/]{86}==`, []string{"DefaultEndpointsProtocol=https;AccountName=octo;AccountKey={s};EndpointSuffix=core.windows.net", "Endpoint=sb://octo.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={s}"}, 4},
	{"sas", `[A-Za-z0-9]{40}%3D`, []string{"https://octo.blob.core.windows.net/c/f?sv=2023-01-03&sr=b&sig={s}&se=2026"}, 4},
	{"aws-secret", `[A-Za-z0-9/+]{40}`, []string{"aws_secret_access_key = {s}\n", `"SecretAccessKey": "{s}"`, "AWS_SECRET_ACCESS_KEY={s}"}, 4},
	{"cloud-session", `[A-Za-z0-9/+]{120}`, []string{`"SessionToken": "{s}"`, "AWS_SESSION_TOKEN={s}\n"}, 4},
	{"encoded-key", `LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQ[A-Za-z0-9]{100}`, []string{"tls.key: {s}\n", `{"key":"{s}"}`}, 4},
}

// writeCorpus makes secrets of every rule of gitleaks and of the kinds above.
func writeCorpus() error {
	cfg, err := gitleaksConfig()
	if err != nil {
		return err
	}
	kinds := slices.Clone(byHand)
	done := map[string]bool{"pkcs12-file": true} // it has no expression
	for _, k := range byHand {
		done[k.rule] = true
	}
	for _, id := range cfg.OrderedRules {
		if r := cfg.Rules[id]; !done[id] {
			kinds = append(kinds, kindOf(r))
		}
	}
	dice := rand.New(rand.NewSource(seed))
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, k := range kinds {
		for n := range perRule {
			s, err := k.make(dice.Int63())
			if err != nil {
				return fmt.Errorf("kind %q: %w", k.rule, err)
			}
			before, after, _ := strings.Cut(k.around[(n+len(k.rule))%len(k.around)], "{s}")
			if err := enc.Encode(positive{k.rule, before, marked(s), strings.ReplaceAll(after, "{s}", marked(s))}); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(filepath.Join(redactFolder, "testdata", "positives.jsonl"), b.Bytes(), 0o644)
}

func gitleaksConfig() (config.Config, error) {
	v := viper.New()
	v.SetConfigType("toml")
	if err := v.ReadConfig(strings.NewReader(config.DefaultConfig)); err != nil {
		return config.Config{}, err
	}
	var vc config.ViperConfig
	if err := v.Unmarshal(&vc); err != nil {
		return config.Config{}, err
	}
	return vc.Translate()
}

// kindOf returns the kind of a rule: its group is the secret, its keyword the name before it.
func kindOf(r config.Rule) kind {
	source := r.Regex.String()
	k := kind{rule: r.RuleID, secret: source, around: loose, entropy: r.Entropy}
	tree, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		panic(err)
	}
	number := max(1, r.SecretGroup)
	if g := group(tree, number); g != nil {
		k.secret = g.Sub[0].String()
	}
	k.secret = strings.TrimSuffix(strings.TrimPrefix(k.secret, `\b`), `\b`)
	k.secret = strings.NewReplacer(`xoxe(?s:.)`, `xoxe\.`, `xoxe.xox`, `xoxe\.xox`, `hooks.slack.com`, `hooks\.slack\.com`).Replace(k.secret)
	if r.RuleID == "jwt-base64" { // its groups are parts
		k.secret = strings.NewReplacer(`\r\n`, "", `\\`, "", `\b`, "", `(?:[\x60'"\s;]|\\[nr]|$)`, "").Replace(source)
	}
	if strings.Contains(source, `(?:[ \t\w.-]{0,20})`) {
		name := r.Keywords[0]
		if before, _, ok := strings.Cut(source, `)(?:[ \t\w.-]{0,20})`); ok && !strings.Contains(strings.ToLower(before), name[:3]) {
			name = map[string]string{"typeform-api-token": "typeform"}[r.RuleID]
			if name == "" {
				name = "new_relic"
			}
		}
		if name == "snyk" || name == "sonar" {
			name += "_token"
		}
		k.around = nil
		for _, a := range named {
			k.around = append(k.around, strings.NewReplacer("{i}", name, "{I}", strings.ToUpper(name)).Replace(a))
		}
	}
	return k
}

func group(re *syntax.Regexp, number int) *syntax.Regexp {
	if re.Op == syntax.OpCapture && re.Cap == number {
		return re
	}
	for _, sub := range re.Sub {
		if g := group(sub, number); g != nil {
			return g
		}
	}
	return nil
}

// make returns a secret with the entropy that the rule requires.
func (k kind) make(seed int64) (string, error) {
	g, err := reggen.NewGenerator(k.secret)
	if err != nil {
		return "", err
	}
	g.SetSeed(seed)
	for range 1000 {
		s := g.Generate(60)
		if entropy(s) > k.entropy+0.1 && strings.ContainsAny(s, "0123456789") && !strings.ContainsAny(s, "\n\r ſK") {
			return s, nil
		}
	}
	for range 100 { // only letters
		if s := g.Generate(60); entropy(s) > k.entropy {
			return s, nil
		}
	}
	return "", fmt.Errorf("no secret of %s has an entropy over %v", k.secret, k.entropy)
}

func entropy(s string) float64 {
	count := map[rune]float64{}
	for _, r := range s {
		count[r]++
	}
	bits := 0.0
	for _, n := range count {
		p := n / float64(len(s))
		bits -= p * math.Log2(p)
	}
	return bits
}

// marked inserts marks into a secret.
func marked(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i > 0 && i%5 == 0 {
			b.WriteString(mark)
		}
		b.WriteRune(r)
	}
	return b.String()
}
