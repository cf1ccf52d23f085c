package redact

import "strings"

// vendorRules find tokens by their own shape which the rules of gitleaks know by
// the name of a variable alone, or not at all. Those whose shape says too little
// (32 or 40 letters, with nothing before them) are left to such names.
func vendorRules() []rule {
	dotted := func(c byte) bool { return isBase64URL(c) || c == '.' }
	pat := func(c byte) bool { return isAlnum(c) || c == '_' }
	dashed := func(c byte) bool { return isHex(c) || c == '-' }
	long := func(n int) func(string) bool {
		return func(body string) bool { return len(body) == n && statsOf(body).digits > 1 }
	}
	behind := func(digits int) func(string) bool { // a UUID
		return func(body string) bool { return len(body) == digits && isUUID(body) }
	}
	return []rule{
		amid("telegram-token", 12, isDigit, `[0-9]{6,12}(?::|%3[Aa])A[\w-]{34}`,
			func(_, rest charStats) bool { return rest.distinct > 10 && rest.mixed && rest.digits > 0 }, ":a", "%3aa"),
		amid("mailchimp-key", 32, isHex, `[0-9A-Fa-f]{32}-(?i:us)[0-9]{1,2}`, func(front, _ charStats) bool { return front.distinct > 5 }, "-us"),
		amid("azure-devops-token", 76, isAlnum, `[0-9A-Za-z]{76}AZDO[0-9A-Za-z]{4}`, func(front, _ charStats) bool { return front.distinct > 11 }, "azdo"),
		prefixed("huggingface-token", 34, isAlnum, long(34), "hf_"),
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
		prefixed("notion-token", 43, isAlnum, long(43), "secret_"),
		prefixed("newrelic-key", 27, isAlnum, long(27), "NRAK-"),
		prefixed("square-secret", 43, isBase64URL, hasDigit, "sq0csp-"),
		prefixed("dropbox-token", 120, dotted, hasDigit, "sl."),
		prefixed("mapbox-token", 60, dotted, hasDigit, "sk.eyJ"),
		prefixed("bitbucket-token", 28, isAlnum, long(28), "ATBB"),
		prefixed("google-secret", 28, isBase64URL, long(28), "GOCSPX-"),
		prefixed("google-token", 60, isBase64URL, hasDigit, "1//0"),
		prefixed("contentful-token", 43, isBase64URL, long(43), "CFPAT-"),
		prefixed("typeform-token", 44, func(c byte) bool { return dotted(c) || c == '=' }, hasDigit, "tfp_"),
		prefixed("sonar-token", 40, isHex, long(40), "squ_", "sqp_", "sqa_"),
		prefixed("segment-token", 40, isAlnum, hasDigit, "sgp_"),
		prefixed("yandex-token", 55, isBase64URL, hasDigit, "y0_"),
		prefixed("adafruit-key", 28, isAlnum, long(28), "aio_"),
		prefixed("resend-key", 30, pat, func(s string) bool { return len(s) == 33 && s[8] == '_' && hasDigit(s) }, "re_"),
		prefixed("flutterwave-key", 32, func(c byte) bool { return isAlnum(c) || c == '-' }, hasDigit, "FLWSECK-"),
		prefixed("wakatime-key", 36, dashed, behind(36), "waka_"),
		prefixed("launchdarkly-key", 36, dashed, behind(36), "sdk-"),
		prefixed("plaid-token", 36, dashed, behind(36), "access-sandbox-", "access-development-", "access-production-"),
	}
}

// amid finds tokens that have a key in their midst, and before it at most so many bytes of
// a kind. A secret is what the pattern matches from there on; check judges what stands
// around the key.
func amid(name string, most int, before func(byte) bool, source string, check func(front, rest charStats) bool, keys ...string) rule {
	const behind = 64 // bytes of what stands behind a key
	p, err := newPattern("("+source+")(?:[^0-9A-Za-z]|$)", 1)
	if err != nil {
		panic(err)
	}
	return rule{name: name, keys: keys, find: func(s string, from, to int) span {
		start := back(s, from, max(0, from-most), before)
		if start == from || !startsWord(s, start) && !strings.EqualFold(s[max(0, start-len("bot")):start], "bot") { // the address of a bot
			return span{}
		}
		groups := p.at0().FindStringSubmatchIndex(s[start:min(len(s), to+behind)])
		if groups == nil {
			return span{}
		}
		at, _ := p.secretIn(groups, start)
		if !check(statsOf(s[start:from]), statsOf(s[to:at.to])) {
			return span{}
		}
		return at
	}}
}
