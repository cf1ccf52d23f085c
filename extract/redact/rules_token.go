package redact

import (
	"slices"
	"strings"
)

// tokenRules find secrets by their own shape.
func tokenRules() []rule {
	pat := func(c byte) bool { return isAlnum(c) || c == '_' }
	dashed := func(c byte) bool { return isAlnum(c) || c == '-' }
	return []rule{
		prefixed("github-token", 20, isAlnum, nil, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
		prefixed("github-token", 22, pat, nil, "github_pat_"),
		prefixed("anthropic-key", 20, isBase64URL, nil, "sk-ant-"),
		prefixed("openai-key", 20, isBase64URL, isOpenAIKey, "sk-"),
		prefixed("slack-token", 10, dashed, hasDigit, "xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-", "xoxe-"),
		fixed("aws-key", 16, isAlnum, func(s string) bool { return statsOf(s).lowers == 0 && !strings.HasSuffix(s, "EXAMPLE") }, "AKIA", "ASIA"),
		prefixed("google-key", 35, isBase64URL, hasDigit, "AIza"),
		prefixed("gitlab-token", 20, isBase64URL, nil, "glpat-"),
		prefixed("npm-token", 30, isAlnum, nil, "npm_"),
		prefixed("docker-token", 20, isBase64URL, hasDigit, "dckr_pat_", "dckr_oat_"),
		prefixed("stripe-webhook", 32, isAlnum, hasDigit, "whsec_"),
		prefixed("google-token", 40, func(c byte) bool { return isBase64URL(c) || c == '.' }, hasDigit, "ya29."),
		prefixed("vault-token", 24, isBase64URL, hasDigit, "hvs.", "hvb.", "hvr."),
		prefixed("tailscale-key", 20, dashed, hasDigit, "tskey-"),
		prefixed("supabase-token", 40, isHex, hasDigit, "sbp_"),
		prefixed("atlassian-token", 60, func(c byte) bool { return isBase64URL(c) || c == '=' }, hasDigit, "ATATT3", "ATCTT3"),
		fixed("nuget-key", 43, isAlnum, isNuGetKey, "oy2"),
		{name: "jwt", keys: []string{"eyj", "eyai", "ewog", "ewoj", "ew0k"}, find: findJWT},
	}
}

// prefixed finds tokens of a prefix, spelled as its keys are, and at least least further
// bytes. check, if there is one, looks at those.
func prefixed(name string, least int, allowed func(byte) bool, check func(string) bool, keys ...string) rule {
	const judged = 512 // bytes
	return rule{name: name, keys: lower(keys), find: func(s string, from, to int) span {
		if !slices.Contains(keys, s[from:to]) || !startsWord(s, from) {
			return span{}
		}
		end := run(s[:min(len(s), to+judged)], to, allowed)
		if end-to < least {
			return cutToken(s, from, to, end)
		}
		if !isBody(s[to:end], check) {
			return span{}
		}
		for end = run(s, end, allowed); end < len(s) && slices.ContainsFunc(keys, func(k string) bool { return strings.HasSuffix(s[:end+1], k) }); {
			end = run(s, end+1, allowed) // the next one follows at once
		}
		return span{from, end}
	}}
}

// fixed is prefixed for tokens of one length: what follows that many bytes is no part of
// the token, whatever it is made of.
func fixed(name string, length int, allowed func(byte) bool, check func(string) bool, keys ...string) rule {
	distinct := areDistinct(keys)
	return rule{name: name, keys: lower(keys), find: func(s string, from, to int) span {
		if !slices.Contains(keys, s[from:to]) || !startsToken(s, from, distinct) {
			return span{}
		}
		end := run(s[:min(len(s), to+length)], to, allowed)
		if end-to < length {
			return cutToken(s, from, to, end)
		}
		if !isBody(s[to:end], check) {
			return span{}
		}
		return span{from, endsToken(s, end, distinct)}
	}}
}

// cutToken is a token of which a text shows the start alone, at its end.
func cutToken(s string, from, to, end int) span {
	const least = 6 // bytes that tell it from a word
	if body := s[to:end]; len(body) >= least && statsOf(body).distinct > 4 && hasDigit(body) && isCutOff(s, end) {
		return span{from, end}
	}
	return span{}
}

// isBody tells what follows the prefix of a token from what only stands for one.
func isBody(body string, check func(string) bool) bool {
	return statsOf(body).distinct >= 6 && (check == nil || check(body))
}

// isMixed tells random letters and digits from words and from hex.
func isMixed(s string) bool {
	m := statsOf(s)
	return m.mixed && m.digits > 1
}

// isNuGetKey tells a key from any other word of base 36.
func isNuGetKey(body string) bool {
	m := statsOf(body)
	return m.uppers == 0 && m.digits > 2
}

// isOpenAIKey tells a key from names that start alike (sk-fading-circle). Keys
// of other makers of models look the same.
func isOpenAIKey(body string) bool {
	if strings.HasPrefix(body, "ant-") { // has a rule of its own
		return false
	}
	m := statsOf(body)
	if m.digits == 0 {
		return false
	}
	longest := 0
	for part := range strings.SplitSeq(body, "-") {
		longest = max(longest, len(part))
	}
	return m.mixed && m.digits > 1 || longest >= 20
}

// findJWT finds parts of base64url, the first an encoded JSON object: its payload
// and signature, which may be missing, or the four parts that follow in a token
// that is encrypted.
func findJWT(s string, from, to int) span {
	const (
		least = 8 // bytes of a part
		parts = 5
	)
	begins := []string{"eyJ", "eyAi", "ewog", "ewoJ", "ew0K"} // {", { ", and { before a line end
	if !slices.Contains(begins, s[from:to]) || !startsWord(s, from) {
		return span{}
	}
	end, n := run(s, from, isBase64URL), 1
	for ; n < parts && end < len(s) && s[end] == '.'; n++ {
		at := end + 1
		next := run(s, at, isBase64URL)
		if next-at < least {
			if n == 2 && unsigned(s[from:end]) {
				end = at
			}
			break
		}
		end = next
	}
	if n < 3 && !strings.HasSuffix(s[from:end], ".") || strings.IndexByte(s[from:end], '.') < least {
		return span{}
	}
	return span{from, end}
}

// unsigned tells a token without a signature by its payload, which is an object
// too.
func unsigned(s string) bool {
	_, payload, _ := strings.Cut(s, ".")
	return strings.HasPrefix(payload, "eyJ")
}

// vendorRules find tokens by their own shape which the rules of gitleaks know by
// the name of a variable alone, or not at all. Those whose shape says too little
// (32 or 40 letters, with nothing before them) are left to such names.
func vendorRules() []rule {
	dotted := func(c byte) bool { return isBase64URL(c) || c == '.' }
	pat := func(c byte) bool { return isAlnum(c) || c == '_' }
	dashed := func(c byte) bool { return isHex(c) || c == '-' }
	twoDigits := func(body string) bool { return statsOf(body).digits > 1 }
	return []rule{
		amid("telegram-token", 12, isDigit, `[0-9]{6,12}(?::|%3[Aa])A[\w-]{34}`,
			func(_, rest charStats) bool { return rest.distinct > 10 && rest.mixed && rest.digits > 0 }, ":a", "%3aa"),
		amid("mailchimp-key", 32, isHex, `[0-9A-Fa-f]{32}-(?i:us)[0-9]{1,2}`, func(front, _ charStats) bool { return front.distinct > 5 }, "-us"),
		amid("azure-devops-token", 76, isAlnum, `[0-9A-Za-z]{76}AZDO[0-9A-Za-z]{4}`, func(front, _ charStats) bool { return front.distinct > 11 }, "azdo"),
		fixed("infracost-api-token", 32, isAlnum, isMixed, "ico-"), // not logo.ico- and a hash
		fixed("huggingface-token", 34, isAlnum, twoDigits, "hf_"),
		prefixed("groq-key", 48, isAlnum, hasDigit, "gsk_"),
		prefixed("replicate-token", 37, isAlnum, hasDigit, "r8_"),
		prefixed("wandb-key", 60, pat, hasDigit, "wandb_v1_"),
		prefixed("nvidia-key", 60, isBase64URL, hasDigit, "nvapi-"),
		prefixed("xai-key", 64, isAlnum, hasDigit, "xai-"),
		prefixed("figma-token", 40, isBase64URL, hasDigit, "figd_"),
		prefixed("netlify-token", 36, isAlnum, hasDigit, "nfp_"),
		prefixed("vercel-token", 30, pat, hasDigit, "vercel_blob_rw_"),
		prefixed("circleci-token", 40, pat, hasDigit, "CCIPAT_"),
		prefixed("buildkite-token", 40, isHex, hasDigit, "bkua_"),
		prefixed("supabase-token", 30, isBase64URL, hasDigit, "sb_secret_"),
		prefixed("langsmith-key", 32, pat, hasDigit, "lsv2_pt_", "lsv2_sk_"),
		prefixed("tavily-key", 32, isAlnum, hasDigit, "tvly-dev-", "tvly-prod-"),
		prefixed("pinecone-key", 60, pat, hasDigit, "pcsk_"),
		fixed("notion-token", 43, isAlnum, twoDigits, "secret_"),
		fixed("newrelic-key", 27, isAlnum, twoDigits, "NRAK-"),
		prefixed("square-secret", 43, isBase64URL, hasDigit, "sq0csp-"),
		prefixed("dropbox-token", 120, dotted, hasDigit, "sl."),
		prefixed("mapbox-token", 60, dotted, hasDigit, "sk.eyJ"),
		prefixed("bitbucket-token", 28, isAlnum, twoDigits, "ATBB"),
		fixed("google-secret", 28, isBase64URL, twoDigits, "GOCSPX-"),
		prefixed("google-token", 60, isBase64URL, hasDigit, "1//0"),
		fixed("contentful-token", 43, isBase64URL, twoDigits, "CFPAT-"),
		prefixed("typeform-token", 44, func(c byte) bool { return dotted(c) || c == '=' }, hasDigit, "tfp_"),
		fixed("sonar-token", 40, isHex, twoDigits, "squ_", "sqp_", "sqa_"),
		prefixed("segment-token", 40, isAlnum, hasDigit, "sgp_"),
		prefixed("yandex-token", 55, isBase64URL, hasDigit, "y0_"),
		fixed("adafruit-key", 28, isAlnum, twoDigits, "aio_"),
		fixed("resend-key", 33, pat, func(s string) bool { return s[8] == '_' && hasDigit(s) }, "re_"),
		prefixed("flutterwave-key", 32, func(c byte) bool { return isAlnum(c) || c == '-' }, hasDigit, "FLWSECK-"),
		fixed("wakatime-key", 36, dashed, isUUID, "waka_"),
		fixed("launchdarkly-key", 36, dashed, isUUID, "sdk-"),
		fixed("plaid-token", 36, dashed, isUUID, "access-sandbox-", "access-development-", "access-production-"),
	}
}

// amid finds tokens that have a key in their midst, and before it at most so many bytes of
// a kind. A secret is what the pattern matches from there on; check judges what stands
// around the key.
func amid(name string, most int, before func(byte) bool, source string, check func(front, rest charStats) bool, keys ...string) rule {
	const behind = 64 // bytes of what stands behind a key
	p, err := newPattern(source, wholeMatch)
	if err != nil {
		panic(err)
	}
	return rule{name: name, keys: keys, find: func(s string, from, to int) span {
		start := back(s, from, max(0, from-most), before)
		if start == from || !p.holds(s, start) {
			return span{}
		}
		groups := p.re().FindStringIndex(s[start:min(len(s), to+behind)])
		if groups == nil {
			return span{}
		}
		at := span{start + groups[0], start + groups[1]}
		if at.from >= from || !startsWord(s, at.from) && !strings.EqualFold(s[max(0, at.from-len("bot")):at.from], "bot") { // the address of a bot
			return span{}
		}
		if at.to = endsToken(s, at.to, false); at.to == 0 || !check(statsOf(s[at.from:from]), statsOf(s[to:at.to])) {
			return span{}
		}
		return at
	}}
}
