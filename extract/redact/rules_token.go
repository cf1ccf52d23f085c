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

// isBody distinguishes the body of a token from a placeholder.
func isBody(body string, check func(string) bool) bool {
	return statsOf(body).distinct >= 6 && (check == nil || check(body))
}

// isMixed distinguishes random letters and digits from words and from hex.
func isMixed(s string) bool {
	m := statsOf(s)
	return m.mixed && m.digits > 1
}

// isNuGetKey distinguishes a key from any other word of base 36.
func isNuGetKey(body string) bool {
	m := statsOf(body)
	return m.uppers == 0 && m.digits > 2
}

// isOpenAIKey distinguishes a key from names that start alike (sk-fading-circle). Keys
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

// unsigned recognizes a token without a signature by its payload, which is an object
// too.
func unsigned(s string) bool {
	_, payload, _ := strings.Cut(s, ".")
	return strings.HasPrefix(payload, "eyJ")
}
