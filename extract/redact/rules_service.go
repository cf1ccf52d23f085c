package redact

import "strings"

// serviceRules find the tokens of further services. Beside each rule stands who told the
// shape: betterleaks (config/betterleaks.toml), trufflehog (pkg/detectors), kingfisher
// (data/rules), noseyparker (its rules), the maker's own check, or "seen" for public code.
func serviceRules() []rule {
	dotted := func(c byte) bool { return isAlnum(c) || c == '.' }
	padded := func(c byte) bool { return isBase64Byte(c) || c == '=' }
	return []rule{
		alone(fixed("cursor-key", 64, isHex, hasDigit, "key_")),                                                   // betterleaks, there with "cursor" before it
		prefixed("cursor-key", 40, isBase64URL, hasDigit, "crsr_"),                                                // seen: 64 bytes, the maker promises no length
		prefixed("google-key", 40, isBase64URL, isMixed, "AQ."),                                                   // betterleaks: AQ.Ab8RN6 and 44
		fixed("airtable-token", 79, dotted, func(s string) bool { return s[14] == '.' && isHash(s[15:]) }, "pat"), // gitleaks, there with "airtable" near it
		prefixed("sentry-token", 60, func(c byte) bool { return padded(c) || c == '_' }, hasDigit, "sntrys_eyJ"),  // trufflehog
		fixed("sentry-token", 64, isHex, hasDigit, "sntrya_", "sntryi_"),                                          // as sntryu_ of trufflehog
		fixed("sourcegraph-access-token", 40, isHex, hasDigit, "sgp_local_"),                                      // gitleaks, as the next one
		fixed("sourcegraph-access-token", 57, func(c byte) bool { return isHex(c) || c == '_' }, func(s string) bool { return s[16] == '_' }, "sgp_"),
		fixed("crates-token", 32, isAlnum, isMixed, "cio"),            // noseyparker np.cratesio.1
		prefixed("linear-token", 32, isAlnum, hasDigit, "lin_oauth_"), // seen: 64 bytes of hex
		prefixed("figma-token", 40, func(c byte) bool { return isBase64URL(c) || c == '=' }, hasDigit,
			"figp_", "figu_", "figur_", "figuh_", "figo_", "figor_", "figoh_"), // trufflehog, v2 and v3
		fixed("neon-key", 64, isAlnum, hasDigit, "napi_"),                    // betterleaks
		prefixed("apify-token", 34, isAlnum, hasDigit, "apify_api_"),         // betterleaks
		alone(prefixed("e2b-key", 40, isHex, hasDigit, "e2b_")),              // the maker's own check is ^e2b_[0-9a-f]+$
		prefixed("jina-key", 48, isBase64URL, hasDigit, "jina_"),             // seen: 60 bytes
		prefixed("cerebras-key", 40, isAlnum, hasDigit, "csk-"),              // betterleaks: 48 bytes
		alone(prefixed("fireworks-key", 22, isAlnum, isMixed, "fw_")),        // seen: 22 and 24 bytes
		prefixed("together-key", 40, isBase64URL, hasDigit, "tgp_v1_"),       // betterleaks: 43 bytes
		alone(fixed("firecrawl-key", 32, isHex, hasDigit, "fc-")),            // betterleaks, and the maker's own check
		prefixed("tencent-key", 32, isAlnum, isMixed, "AKID"),                // seen
		prefixed("volcengine-key", 32, isBase64URL, isMixed, "AKLT", "AKTP"), // seen: 43 bytes
		amid("discord-token", 28, isBase64URL, `[MNO][\w-]{22,27}\.[GXY][\w-]{5}\.[\w-]{27,40}`, // kingfisher, trufflehog; the middle is a time
			func(front, rest charStats) bool { return front.mixed && front.digits > 0 && rest.distinct > 9 }, ".g", ".x", ".y"),
		shaped("asana-token", `\b[0-9]{14,}(?:/[0-9]{14,})?:[0-9a-f]{32,}`, nil, "0/1", "1/1", "2/1"), // trufflehog
	}
}

// addressRules find secrets in the addresses of services, and those that only the name of
// the service tells from other words.
func addressRules() []rule {
	return []rule{
		near("mailgun", fixed("mailgun-key", 32, isHex, hasDigit, "key-", "pubkey-")),                 // trufflehog
		shaped("mailgun-key", `(key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})`, nil, "api:"), // trufflehog, as the API is called
		{name: "sentry-dsn", keys: []string{"sentry.io/"}, find: findSentryDSN},                       // the documents of Sentry
		shaped("webhook", `([0-9A-Za-z-]{32,})`, hasDigitAt, // the documents of WeCom, Lark and DingTalk
			"/webhook/send?key=", "/bot/v2/hook/", "/robot/send?access_token="),
		shaped("url-signature", `([0-9A-Fa-f]{64,})`, nil, "x-amz-signature=", "x-goog-signature="),              // the documents of both
		near("expires=", shaped("url-signature", `([\w%/+=~-]{24,})`, hasDigitAt, "?signature=", "&signature=")), // S3 of version 2, CloudFront, OSS
		shaped("oauth-code", `([\w.~%+/-]{20,})`, isOAuthCode, "?code=", "&code="),                               // RFC 6749, 4.1.2
	}
}

func hasDigitAt(s string, at span) bool { return hasDigit(s[at.from:at.to]) }

// alone leaves out what is the end of a longer name: cache_key_…, blake2b_…, a-fc-….
func alone(r rule) rule {
	find := r.find
	r.find = func(s string, from, to int) span {
		if i := back(s, from, 0, func(c byte) bool { return c == '_' || c == '-' }); i < from && i > 0 && !startsWord(s, i) {
			return span{}
		}
		return find(s, from, to)
	}
	return r
}

// near leaves out what has not a word in front of it or behind it.
func near(word string, r rule) rule {
	const reach = 256 // bytes
	find := r.find
	r.find = func(s string, from, to int) span {
		sp := find(s, from, to)
		if sp.to > 0 && !strings.Contains(strings.ToLower(s[max(0, from-reach):min(len(s), sp.to+reach)]), word) {
			return span{}
		}
		return sp
	}
	return r
}

// findSentryDSN finds the key of https://key@o1.ingest.sentry.io/2; the second half of an
// older one is the password of the address.
func findSentryDSN(s string, from, _ int) span {
	const host, length = 64, 32 // bytes
	end := back(s, from, max(0, from-host), func(c byte) bool { return c != '@' }) - 1
	if start := back(s, end, max(0, end-length), isHex); end-start == length && s[end] == '@' && strings.HasSuffix(s[:start], "://") {
		return span{start, end}
	}
	return span{}
}

// isOAuthCode distinguishes what a server hands out for a token from the codes of errors, of
// countries and of pages.
func isOAuthCode(s string, at span) bool {
	value := firstOf(s, at, 256)
	m := statsOf(value)
	if m.digits < 3 || m.letters < 5 || m.distinct < 9 || entropy(value) < 3 || isPlaceholder(value) || isSlug(value) || isDotted(value) || isDate(value) || isIdentifier(value) {
		return false
	}
	return m.mixed || m.others == 0 || isUUID(value)
}
