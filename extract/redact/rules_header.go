package redact

import "strings"

// headerRules find credentials in the headers that a command sends, whatever their
// names.
func headerRules() []rule {
	return []rule{{name: "http-header", keys: []string{`-h "`, "-h '", `-h \"`, `header "`, "header '", `header="`, "header='", `header \"`}, find: findHeader}}
}

// findHeader finds the value of -H 'X-Name-Key: value'. The name ends in a word for
// credentials; the headers that have a rule of their own are left to it.
func findHeader(s string, _, to int) span {
	const (
		longest = 64  // bytes of a name
		sample  = 128 // bytes judged
	)
	colon := run(s[:min(len(s), to+longest)], to, func(c byte) bool { return isAlnum(c) || c == '-' || c == '_' })
	if colon >= len(s) || s[colon] != ':' || !namesCredentials(strings.ToLower(s[to:colon])) {
		return span{}
	}
	from := run(s[:min(len(s), colon+8)], colon+1, isBlank)
	inValue := func(c byte) bool { return isAlnum(c) || strings.IndexByte("_=~@.+/-", c) >= 0 }
	judged := run(s[:min(len(s), from+sample)], from, inValue)
	if !isHeaderSecret(s[from:judged]) {
		return span{}
	}
	return span{from, runValue(s, judged, len(s), inValue)}
}

// namesCredentials tells X-Api-Key and PRIVATE-TOKEN from Content-Type, and from
// headers whose value nobody hides.
func namesCredentials(name string) bool {
	for _, none := range []string{"authorization", "idempotency", "cache", "csrf", "public", "surrogate", "partition", "trace"} {
		if strings.Contains(name, none) {
			return false
		}
	}
	for _, last := range []string{"key", "token", "secret", "password", "auth", "access-id", "credential"} {
		if strings.HasSuffix(name, last) {
			return true
		}
	}
	return false
}

// isHeaderSecret tells credentials from words and what stands for some.
func isHeaderSecret(s string) bool {
	const (
		least   = 8
		letters = 16 // of one without a digit
		bits    = 2.75
	)
	m := makeupOf(s)
	if len(s) < least || m.letters == 0 || isPlaceholder(s) || isFixture(s) || isDotted(s) || isDate(s) {
		return false
	}
	if m.digits == 0 && (len(s) < letters || strings.ContainsAny(s, "-_.")) {
		return false
	}
	return entropy(s) > bits
}
