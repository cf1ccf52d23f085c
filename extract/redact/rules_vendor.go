package redact

import "strings"

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
