package redact

import "strings"

// placeRules find secrets that are known by the place they stand in: a cookie, the
// address of a hook, a line of a file.
func placeRules() []rule {
	return []rule{
		{name: "session-cookie", keys: []string{"session=", "sessionid=", "session_id=", "sessid=", ".sid="}, find: findCookie},
		{name: "webhook", keys: []string{"discord.com/api/webhooks/", "discordapp.com/api/webhooks/"}, find: findHook},
		{name: "telegram-token", keys: []string{"api.telegram.org/bot"}, find: findBot},
		{name: "password-hash", keys: []string{"$apr1$", "$2a$", "$2b$", "$2y$", "$1$", "$5$", "$6$", "$y$"}, find: findCrypt},
		{name: "private-key", keys: []string{"\nprivate-lines: "}, find: findPuTTY},
		{name: "pgpass", keys: []string{":5432:"}, find: findPgpass},
		{name: "rails-key", keys: []string{"master.key\n"}, find: findMasterKey},
		{name: "otp-secret", keys: []string{"otpauth://"}, find: findOTP},
	}
}

// findCookie finds the value of a session's cookie. Ids and hashes go by that name
// in logs as well, so these are secrets in a cookie's header alone.
func findCookie(s string, from, to int) span {
	const near, least = 512, 16 // bytes
	end := run(s, to, func(c byte) bool { return isAlnum(c) || strings.IndexByte("%._~+/=-", c) >= 0 })
	value := s[to:min(end, to+near)]
	m := makeupOf(value)
	if len(value) < least || m.digits < 2 || m.letters < 2 || isPlaceholder(value) || isDotted(value) || isDate(value) {
		return span{}
	}
	line := s[max(0, from-near):from]
	line = strings.ToLower(line[strings.LastIndexByte(line, '\n')+1:])
	if !strings.Contains(line, "cookie") && (!strings.Contains(line, "curl") || isUUID(value) || isHash(value)) {
		return span{}
	}
	return span{to, end}
}

// findHook finds the token in the address of a hook, behind its number.
func findHook(s string, _, to int) span {
	const least = 40 // bytes
	i := run(s, to, isDigit)
	if i == to || i == len(s) || s[i] != '/' {
		return span{}
	}
	end := run(s, i+1, isBase64URL)
	if end-i <= least {
		return span{}
	}
	return span{i + 1, end}
}

// findBot finds the token of a bot: its number, ":" and 35 letters.
func findBot(s string, _, to int) span {
	const least = 30 // bytes
	i := run(s, to, isDigit)
	if i == to || i == len(s) || s[i] != ':' {
		return span{}
	}
	end := run(s, i+1, isBase64URL)
	if end-i <= least {
		return span{}
	}
	return span{to, end}
}

// findCrypt finds a password's hash as crypt(3) writes it: $id$salt$hash.
func findCrypt(s string, from, to int) span {
	const least = 22 // bytes of the shortest hash
	end := run(s[:min(len(s), to+256)], to, func(c byte) bool { return isAlnum(c) || strings.IndexByte("./$=", c) >= 0 })
	last := strings.LastIndexByte(s[from:end], '$') + from
	if end-last <= least || last < to || !hasDigit(s[last:end]) {
		return span{}
	}
	return span{from, end}
}

// findPuTTY finds the lines of a private key in PuTTY's own format.
func findPuTTY(s string, _, to int) span {
	const longest = 16 << 10
	at := run(s, to, isDigit)
	if at == to {
		return span{}
	}
	at = run(s, at, func(c byte) bool { return c == '\r' || c == '\n' })
	end := run(s[:min(len(s), at+longest)], at, func(c byte) bool { return isAlnum(c) || strings.IndexByte("+/=\r\n", c) >= 0 })
	if n := strings.LastIndexByte(s[at:end], '\n'); n > 0 { // the next field
		end = at + len(strings.TrimRight(s[at:at+n], "\r"))
	}
	return span{at, end}
}

// findPgpass finds the password of host:port:database:user:password.
func findPgpass(s string, _, to int) span {
	for range 2 {
		end := run(s[:min(len(s), to+64)], to, func(c byte) bool { return isWordByte(c) || c == '-' || c == '*' })
		if end == to || end >= len(s) || s[end] != ':' {
			return span{}
		}
		to = end + 1
	}
	return passwordAt(s, to)
}

// findMasterKey finds the key of Rails that was printed.
func findMasterKey(s string, _, to int) span {
	const bytes = 32
	if end := run(s, to, isHex); end-to == bytes {
		return span{to, end}
	}
	return span{}
}

// findOTP finds the secret of one-time passwords.
func findOTP(s string, _, to int) span {
	const near, least = 256, 16 // bytes
	end := run(s[:min(len(s), to+near)], to, func(c byte) bool { return c > ' ' })
	n := strings.Index(s[to:end], "secret=")
	if n < 0 {
		return span{}
	}
	at := to + n + len("secret=")
	if end = run(s, at, isAlnum); end-at < least {
		return span{}
	}
	return span{at, end}
}
