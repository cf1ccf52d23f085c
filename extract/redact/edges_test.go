package redact

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// tokenKind is a kind of token that is known by its own shape.
type tokenKind struct {
	rule, token string
	distinct    bool // of one length, behind a prefix that nothing else has: letters beside it hide nothing
}

// places are what a token and its neighbours are in.
var places = []string{
	"%", "the key is % I think", "`%`", `"%"`, "'%'", `{"value": "%", "n": 1}`, "value: %\n", "VALUE=%", "https://example.com/a/%/b",
	"https://example.com/?a=1&b=%&c=2", "https://%@example.com/a.git", "X-Thing: %\r\n", "tool --with %", "cp /tmp/% /var", "[text](https://example.com/%)",
	"| a | % | b |", "- %\n- next", "```sh\n%\n```", `<a title="%">x</a>`, "<%>", "it is:%", "%, and more", "at the end %\n", "日本%語",
	`{"out":"{\"value\":\"%\"}\n"}`, "2026-11-03T08:30:05Z INFO app: % done", "+%", "-\t%",
}

const (
	hexLetters    = "0f1e2d3c4b5a69788796a5b4c3d2"
	smallLetters  = "k3v9q1x7zb5m2w8rj4ht6"
	mixedLetters  = "Ak3Vq9xB1zRm7WtY5hJ2n"
	base64Letters = "Ak3V-q9xB_1zRm7WtY5hJ2n"
	uuidLetters   = "7524f8de-6567-42a5-9569-07102f5d4c6c"
)

// ownTokens are the tokens of our rules: a prefix and so many letters of a kind.
var ownTokens = []struct {
	rule, prefix, letters string
	length                int
	fixed                 bool
}{
	{"github-token", "ghu_", mixedLetters, 36, true}, {"github-token", "github_pat_", mixedLetters, 82, true}, {"anthropic-key", "sk-ant-api03-", base64Letters, 95, false},
	{"openai-key", "sk-", mixedLetters, 48, false}, {"slack-token", "xoxb-", mixedLetters, 40, false}, {"aws-key", "AKIA", "Q7ZB5X2M", 16, true},
	{"google-key", "AIza", base64Letters, 35, false}, {"gitlab-token", "glpat-", base64Letters, 20, true}, {"npm-token", "npm_", mixedLetters, 36, true},
	{"docker-token", "dckr_pat_", base64Letters, 27, false}, {"stripe-webhook", "whsec_", mixedLetters, 32, false}, {"google-token", "ya29.", base64Letters, 120, false},
	{"vault-token", "hvs.", base64Letters, 95, false}, {"tailscale-key", "tskey-", mixedLetters, 40, false}, {"supabase-token", "sbp_", hexLetters, 40, false},
	{"atlassian-token", "ATATT3", base64Letters, 186, false}, {"atlassian-token", "ATCTT3", base64Letters, 186, false}, {"nuget-key", "oy2", smallLetters, 43, true},
	{"telegram-token", "123456789:AA", base64Letters, 33, false}, {"mailchimp-key", hexLetters + "0f1e-us1", "2", 1, false}, {"azure-devops-token", strings.Repeat(mixedLetters, 4)[:76] + "AZDO", mixedLetters, 4, false},
	{"huggingface-token", "hf_", mixedLetters, 34, true}, {"groq-key", "gsk_", mixedLetters, 52, false}, {"replicate-token", "r8_", mixedLetters, 37, false},
	{"wandb-key", "wandb_v1_", mixedLetters, 77, false}, {"nvidia-key", "nvapi-", base64Letters, 64, false}, {"xai-key", "xai-", mixedLetters, 80, false},
	{"figma-token", "figd_", base64Letters, 40, false}, {"netlify-token", "nfp_", mixedLetters, 36, false}, {"vercel-token", "vercel_blob_rw_", mixedLetters, 47, false},
	{"circleci-token", "CCIPAT_", mixedLetters, 63, false}, {"buildkite-token", "bkua_", hexLetters, 40, false}, {"supabase-token", "sb_secret_", base64Letters, 31, false},
	{"langsmith-key", "lsv2_pt_", hexLetters, 43, false}, {"tavily-key", "tvly-dev-", mixedLetters, 32, false}, {"pinecone-key", "pcsk_", mixedLetters, 69, false},
	{"notion-token", "secret_", mixedLetters, 43, true}, {"newrelic-key", "NRAK-", "Q7ZB5X2M", 27, true}, {"square-secret", "sq0csp-", base64Letters, 43, false},
	{"dropbox-token", "sl.", base64Letters, 135, false}, {"mapbox-token", "sk.eyJ", mixedLetters, 90, false}, {"bitbucket-token", "ATBB", mixedLetters, 32, false},
	{"google-secret", "GOCSPX-", base64Letters, 28, true}, {"google-token", "1//0", base64Letters, 100, false}, {"contentful-token", "CFPAT-", base64Letters, 43, true},
	{"typeform-token", "tfp_", base64Letters, 59, false}, {"sonar-token", "sqp_", hexLetters, 40, true}, {"segment-token", "sgp_", mixedLetters, 64, false},
	{"yandex-token", "y0_", base64Letters, 58, false}, {"adafruit-key", "aio_", mixedLetters, 28, true}, {"resend-key", "re_Ak3Vq9xB_", mixedLetters, 24, false},
	{"flutterwave-key", "FLWSECK-", hexLetters, 32, false}, {"wakatime-key", "waka_", uuidLetters, 36, true}, {"launchdarkly-key", "sdk-", uuidLetters, 36, true},
	{"plaid-token", "access-sandbox-", uuidLetters, 36, true}, {"cursor-key", "key_", hexLetters, 64, false}, {"cursor-key", "crsr_", hexLetters, 64, false},
	{"google-key", "AQ.Ab8RN6", base64Letters, 44, false}, {"airtable-token", "patAk3Vq9xB1zRm7W." + hexLetters, hexLetters, 36, false}, {"sentry-token", "sntrys_eyJ", mixedLetters, 197, false},
	{"sentry-token", "sntryi_", hexLetters, 64, true}, {"sourcegraph-access-token", "sgp_local_", hexLetters, 40, true}, {"sourcegraph-access-token", "sgp_0f1e2d3c4b5a6978_", hexLetters, 40, true}, {"crates-token", "cio", mixedLetters, 32, true}, {"linear-token", "lin_oauth_", hexLetters, 64, false},
	{"figma-token", "figp_", base64Letters, 45, false}, {"neon-key", "napi_", smallLetters, 64, true}, {"apify-token", "apify_api_", mixedLetters, 36, false},
	{"e2b-key", "e2b_", hexLetters, 40, false}, {"jina-key", "jina_", mixedLetters, 60, false}, {"cerebras-key", "csk-", smallLetters, 48, false},
	{"fireworks-key", "fw_", mixedLetters, 24, false}, {"together-key", "tgp_v1_", base64Letters, 43, false}, {"firecrawl-key", "fc-", hexLetters, 32, false},
	{"tencent-key", "AKID", mixedLetters, 32, false}, {"volcengine-key", "AKLT", mixedLetters, 43, false}, {"discord-token", "MTAyMzQ1Njc4OTAxMjM0NTY3.GAk3Vq.", base64Letters, 38, false},
	{"asana-token", "1/1208345678901234:", hexLetters, 32, false}, {"jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhY21lIn0.", base64Letters, 43, false},
}

// tokenKinds are those of our rules and of all of gitleaks that need no name before them.
func tokenKinds(t *testing.T) (kinds []tokenKind) {
	for _, o := range ownTokens {
		kinds = append(kinds, tokenKind{o.rule, o.prefix + strings.Repeat(o.letters, 1+o.length/len(o.letters))[:o.length], o.fixed && areDistinct([]string{o.prefix})})
	}
	var file gitleaksFile
	must(t, toml.Unmarshal([]byte(gitleaksRules), &file))
	done := map[string]bool{}
	for _, p := range positives(t) {
		n := slices.IndexFunc(file.Rules, func(g gitleaksRule) bool { return g.ID == p.Rule })
		found, err := masker().Find(p.Secret)
		must(t, err)
		p.Secret = strings.NewReplacer("ſ", "s", "\u212a", "k").Replace(p.Secret) // also letters of [a-z] in either case
		if n < 0 || done[p.Rule] || len(found) != 1 || found[0].To-found[0].From < len(p.Secret) {
			continue // known by a name or a place
		}
		done[p.Rule] = true
		source, ends := withoutEdges(file.Rules[n].Regex)
		shape, err := newPattern(source, 0)
		must(t, err)
		kinds = append(kinds, tokenKind{p.Rule, p.Secret, ends && shape.most == shape.least && areDistinct(file.Rules[n].Keywords)})
	}
	return kinds
}

// A token ends where its letters or its length end, whatever is beside it. Letters and
// digits may make another word of it: only the kinds that nothing else is written like are
// masked then. All kinds meet all neighbours on both sides, in one place after the other.
func TestWhateverStandsBesideAToken(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing runs at once in it")
	}
	m, kinds := masker(), tokenKinds(t)
	seen, missed, texts := map[string]bool{}, map[string]int{}, 0
	for n, k := range kinds {
		seen[k.rule] = true
		for c := byte(' '); c < 0x7f; c++ {
			if isAlnum(c) && !k.distinct || strings.IndexByte("([<", c) >= 0 && !hasDigit(k.token) {
				continue // another word, the call of a function
			}
			if c == '~' && k.rule == "azure-ad-client-secret" {
				continue // longer than the kind
			}
			for place := range 6 { // on either side, in three places
				text := string(c) + k.token
				if place%2 > 0 {
					text = k.token + string(c)
				}
				texts++
				secret := k.token[strings.LastIndexByte(k.token, ':')+1:] // the user of an address may stay
				s := strings.Replace(places[(7*n+int(c)+5*place)%len(places)], "%", text, 1)
				if got := m.Text(s); leaks(strings.ReplaceAll(got, "https://", ""), secret) {
					if missed[k.rule]++; missed[k.rule] < 4 {
						t.Errorf("%s: %q became %q", k.rule, s, Number(got)[0])
					}
				}
			}
		}
	}
	t.Logf("%d kinds in %d texts, %d missed", len(kinds), texts, len(missed))
	theirs, _, err := readGitleaks()
	must(t, err)
	for _, r := range slices.Concat(tokenRules(), vendorRules(), serviceRules(), theirs) {
		if !seen[r.name] && r.name != "nuget-config-password" { // known by its place
			t.Errorf("no token of %s", r.name)
		}
	}
}

// Two tokens of one kind that nothing parts are both masked, where the kind is distinct.
func TestTokenBehindAToken(t *testing.T) {
	m, tried := masker(), 0
	for _, k := range tokenKinds(t) {
		if !k.distinct {
			continue
		}
		tried++
		if got := m.Text("the keys " + k.token + k.token); leaks(got, k.token) || strings.Contains(got, k.token[len(k.token)/2:]) {
			t.Errorf("%s: %q", k.rule, got)
		}
	}
	if tried < 20 {
		t.Errorf("%d kinds tried", tried)
	}
}

// Where the prefix is that of many words, a letter on either side makes another one of it.
func TestLettersMakeAnotherWord(t *testing.T) {
	hex := strings.Repeat(hexLetters, 3)
	for _, s := range []string{
		"xAKIAQ7ZB5X2MQ7ZB5X2M", "AKIAQ7ZB5X2MQ7ZB5X2MQ", "4b1d" + hex[:60], "web" + "sdk-" + uuidLetters, "wfc-" + hex[:32], "fc-" + hex[:32] + "0", "dapi" + hex[:33],
		"a-fc-" + hex[:32], "blake2b_" + hex[:40], "cache_key_" + hex[:64], "logo.ico-" + hex[:32] + ".png",
		"AAgA7jSk2Xw9ZbT4kNc8RfJ3mVd6Gs/EAAAQAElEQVR4AeydCXxdRfXHk2bp/JqAf6GtIlB",
	} {
		if got := masker().Text(s); got != s {
			t.Errorf("%q became %q", s, Number(got)[0])
		}
	}
}

// TestNameAndValueAreFields has a record tell the name of a secret in one field and the secret in
// the next.
func TestNameAndValueAreFields(t *testing.T) {
	m := newMasker(t, Options{})
	for _, form := range []string{
		"env:\n  - name: DB_PASSWORD\n    value: %s\n", "- name: 'DB_PASSWORD'\r\n  value: '%s'\r\n",
		`{"name": "DB_PASSWORD", "value": "%s"}`, `{"Name":"DB_PASSWORD","Value":"%s"}`, "{\n  \"name\": \"DB_PASSWORD\",\n  \"value\": \"%s\"\n}",
	} {
		const secret = "Hq7rTz2mKp9w"
		got, err := m.Text(fmt.Sprintf(form, secret))
		if err != nil || strings.Contains(got, secret) {
			t.Errorf("%q: %q %v", form, got, err)
		}
		plain := fmt.Sprintf(strings.ReplaceAll(form, "DB_PASSWORD", "LISTEN_HOST"), secret)
		if got, _ := m.Text(plain); got != plain {
			t.Errorf("%q became %q", plain, got)
		}
	}
}
