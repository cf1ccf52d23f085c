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
		return func(body string) bool { return len(body) == n && makeupOf(body).digits > 1 }
	}
	behind := func(digits int) func(string) bool { // a UUID
		return func(body string) bool { return len(body) == digits && isUUID(body) }
	}
	return []rule{
		{name: "telegram-token", keys: []string{":a", "%3aa"}, find: findBotToken},
		{name: "mailchimp-key", keys: []string{"-us"}, find: findMailchimp},
		{name: "azure-devops-token", keys: []string{"azdo"}, find: findAzureDevOps},
		prefixed("huggingface-token", 34, isAlnum, long(34), "hf_"),
		prefixed("groq-key", 48, isAlnum, hasDigit, "gsk_"),
		prefixed("replicate-token", 37, isAlnum, hasDigit, "r8_"),
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

// findBotToken finds the token of a bot of Telegram wherever it stands: its number,
// ":" and 35 letters, of which the first is an A.
func findBotToken(s string, from, to int) span {
	const shortest, longest, letters = 6, 12, 35
	start := from
	for start > 0 && from-start <= longest && isDigit(s[start-1]) {
		start--
	}
	n := from - start
	if s[to-1] != 'A' || n < shortest || n > longest || !startsWord(s, start) && !endsIn(s[:start], "bot") {
		return span{}
	}
	end := run(s[:min(len(s), to+letters-1)], to, isBase64URL)
	m := makeupOf(s[to-1 : end])
	if end-to+1 != letters || end < len(s) && isAlnum(s[end]) || m.distinct < 12 || !m.mixed || m.digits == 0 {
		return span{}
	}
	return span{start, end}
}

func endsIn(s, word string) bool { return strings.HasSuffix(strings.ToLower(s), word) }

// findMailchimp finds 32 hex digits before the name of a data centre.
func findMailchimp(s string, from, to int) span {
	const digits = 32
	end := run(s[:min(len(s), to+3)], to, isDigit)
	start := from - digits
	if end == to || end > to+2 || end < len(s) && isAlnum(s[end]) || start < 0 || !startsWord(s, start) {
		return span{}
	}
	if body := s[start:from]; !isHash(body) || makeupOf(body).distinct < 6 {
		return span{}
	}
	return span{start, end}
}

// findAzureDevOps finds 84 letters and digits with a mark before the last four.
func findAzureDevOps(s string, from, to int) span {
	const before, behind = 76, 4
	start, end := from-before, to+behind
	if s[from:to] != "AZDO" || start < 0 || end > len(s) || !startsWord(s, start) || end < len(s) && isAlnum(s[end]) {
		return span{}
	}
	if body := s[start:end]; run(body, 0, isAlnum) != len(body) || makeupOf(body).distinct < 12 {
		return span{}
	}
	return span{start, end}
}
