package redact

import "strings"

// fieldRules find what agents meet and gitleaks does not know, or knows by the
// name of a file alone.
func fieldRules() []rule {
	return []rule{
		{name: "copilot-token", keys: []string{"tid="}, find: findCopilotToken},
		{name: "private-key", keys: []string{"ls0tls1crudjti"}, find: findEncodedKey},
		{name: "kubernetes-secret", keys: []string{"kind: secret", `kind: "secret`, "kind:secret"}, find: findManifest},
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

// findManifest finds the values of a Secret of Kubernetes, from the first one to
// the last of the block.
func findManifest(s string, _, to int) span {
	const (
		near  = 1024 // bytes behind the kind
		block = 64 << 10
	)
	plain := "\nstringData:"
	i := strings.Index(s[to:min(len(s), to+near)], plain)
	at := to + i + len(plain)
	if i < 0 {
		plain = ""
		if i = strings.Index(s[to:min(len(s), to+near)], "\ndata:"); i < 0 {
			return span{}
		}
		at = to + i + len("\ndata:")
	}
	found := span{}
	for limit := min(len(s), at+block); at < limit && s[at] == '\n'; {
		end := run(s[:limit], at+1, func(c byte) bool { return c != '\n' })
		line := s[at+1 : end]
		name, value, ok := strings.Cut(line, ": ")
		if !strings.HasPrefix(line, " ") || !ok {
			break
		}
		value = strings.Trim(value, " \r\"'")
		if isBase64(value) || plain != "" && isPassword(value) {
			if found.to == 0 {
				found.from = at + 1 + len(name) + strings.Index(line[len(name):], value)
			}
			found.to = at + 1 + strings.LastIndex(line, value) + len(value)
		}
		at = end
	}
	return found
}

// isBase64 tells what a Secret holds from what stands for it.
func isBase64(s string) bool {
	return len(s) >= 8 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") == ""
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
