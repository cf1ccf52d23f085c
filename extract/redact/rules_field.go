package redact

import "strings"

// fieldRules find what agents meet and gitleaks does not know, or knows by the
// name of a file alone.
func fieldRules() []rule {
	return []rule{
		{name: "copilot-token", keys: []string{"tid="}, find: findCopilotToken},
		{name: "private-key", keys: []string{"ls0tls1crudjti"}, find: findEncodedKey},
		{name: "kubernetes-secret", keys: []string{"kind: secret", `kind: "secret`, "kind: 'secret", "kind:secret"}, find: findManifest},
		{name: "azure-sas", keys: []string{"sig="}, find: findSignature},
	}
}

// findCopilotToken finds the session tokens of Copilot: fields with a ";" between
// them, the first of which is an id.
func findCopilotToken(s string, from, to int) span {
	if !startsWord(s, from) || run(s[:min(len(s), to+32)], to, isHex) < to+16 {
		return span{}
	}
	const head = 256 // bytes within which the time of expiry stands
	end := run(s, to, func(c byte) bool { return isAlnum(c) || strings.IndexByte("=;:.%_-+/", c) >= 0 })
	if !strings.Contains(s[to:min(end, to+head)], ";exp=") {
		return span{}
	}
	return span{from, end}
}

// findEncodedKey finds a private key that is base64 as a whole, as in manifests
// and the secrets of a pipeline. Certificates start alike.
func findEncodedKey(s string, from, to int) span {
	const (
		head  = 64 // bytes of the first line
		least = 64 // bytes of a key
	)
	first := s[from:min(len(s), from+head)]
	isKey := false
	for _, private := range []string{"UFJJVkFURS", "BSSVZBVE", "QUklWQVRF"} { // PRIVATE, from each of three bits on
		isKey = isKey || strings.Contains(first, private)
	}
	end := run(s, to, func(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '=' })
	if !isKey || end-from < least || !strings.HasPrefix(first, "LS0tLS1CRUdJTi") {
		return span{}
	}
	return span{from, end}
}

// findSignature finds the signature of a shared link of Azure.
func findSignature(s string, from, to int) span {
	const near, least = 256, 32 // bytes
	end := run(s, to, func(c byte) bool { return isAlnum(c) || strings.IndexByte("%+/=", c) >= 0 })
	around := s[max(0, from-near):from] + s[end:min(len(s), end+near)]
	if end-to < least || !strings.Contains(around, "sv=") || !hasDigit(s[to:min(end, to+near)]) {
		return span{}
	}
	return span{to, end}
}
