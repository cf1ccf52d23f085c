package redact

import (
	"slices"
	"strings"
)

// shaped is a rule for what its pattern finds behind a key: the first of its groups that is
// not empty. Where it has none, key and match are the secret. A pattern that begins with \b
// finds nothing if the key is within a word. check, if there is one, judges the
// secret where it stands.
func shaped(name, source string, check func(s string, at span) bool, keys ...string) rule {
	source, word := strings.CutPrefix(source, `\b`)
	p, err := newPattern(source, 0)
	if err != nil {
		panic(err)
	}
	longest := 256 // bytes looked at; of a secret that goes on, the rest is taken too
	if p.allowed['\n'] {
		longest = 4096 // of a secret of many lines
	}
	return rule{name: name, keys: keys, find: func(s string, from, to int) span {
		end := min(len(s), to+longest)
		groups := p.at0().FindStringSubmatchIndex(s[to:end])
		if groups == nil || word && !startsWord(s, from) {
			return span{}
		}
		at, _ := p.secretIn(groups, to)
		if len(groups) == 2 {
			at.from = from
		}
		if check != nil && !check(s, at) {
			return span{}
		}
		if at.to == end {
			at.to = run(s, end, func(c byte) bool { return p.allowed[c] && c > ' ' })
		}
		return at
	}}
}

// placeRules find secrets that are known by the place they are in: a cookie, a header, the
// address of a hook, a line of a file.
func placeRules() []rule {
	return []rule{
		shaped("copilot-token", `\b[0-9A-Fa-f]{16}[\w=;:.%/+-]*`, func(s string, at span) bool { return strings.Contains(firstOf(s, at, 256), ";exp=") }, "tid="),
		shaped("private-key", `[A-Za-z0-9+/=]{50,}`, isEncodedKey, "ls0tls1crudjti"),
		{name: "kubernetes-secret", keys: []string{"kind: secret", `kind: "secret`, "kind: 'secret", "kind:secret"}, find: findManifest},
		shaped("azure-sas", `([A-Za-z0-9%+/=]{32,})`, isSignature, "sig="),
		shaped("http-header", `[\w-]{1,64}:[ \t]*([\w=~@.+/-]+)`, isHeader,
			`-h "`, "-h '", `-h \"`, `header "`, "header '", `header="`, "header='", `header \"`),
		shaped("session-cookie", `([A-Za-z0-9%._~+/-]{14,}={0,2})`, isCookie, "session=", "sessionid=", "session_id=", "sessid=", ".sid="),
		shaped("webhook", `[0-9]+/([\w-]{40,})`, nil, "discord.com/api/webhooks/", "discordapp.com/api/webhooks/"),
		shaped("telegram-token", `([0-9]+:[\w-]{30,})`, nil, "api.telegram.org/bot"),
		shaped("password-hash", `(?:[A-Za-z0-9./=]+\$){1,3}[A-Za-z0-9./=]{22,}`, isCrypt, "$apr1$", "$2a$", "$2b$", "$2y$", "$1$", "$5$", "$6$", "$y$"),
		shaped("private-key", `[0-9]+[\r\n]+((?:[A-Za-z0-9+/=]+\r?\n)*[A-Za-z0-9+/=]+)(?:[\r\n]|$)`, nil, "\nprivate-lines: "), // of PuTTY
		shaped("pgpass", `[\w*-]+:[\w*-]+:`+shellWord, isPasswordAt, ":5432:"),
		shaped("rails-key", `([0-9A-Fa-f]{32})(?:[^0-9A-Fa-f]|$)`, nil, "master.key\n"),
		shaped("otp-secret", `(?:totp|hotp)/\S*?secret=([A-Za-z0-9]{16,})`, nil, "otpauth://"),
	}
}

// shellWord is a word of a shell, with or without quotes.
const shellWord = `(?:"([^"\n]+)|'([^'\n]+)|((?:[^\s"'\x60|;&<>()\\]|\\[^\s"'\x60\\nrtux|;&<>()])+))`

func commandRules() []rule {
	return []rule{
		behindFlag("-p ", "docker login ", "podman login ", "registry login ", "sshpass "),
		behindFlag("-p", "mysql ", "mysqldump ", "mariadb ", "mysqladmin "),
		behindFlag("-a ", "redis-cli "),
		behindFlag("-p ", "az login "),
		behindFlag("-w ", "ldapsearch ", "ldapmodify ", "ldapadd ", "ldapwhoami ", "ldappasswd ", "ldapdelete "),
		flagRule(givenWord, "--body ", "gh secret set "),
		flagRule(givenWord, "--body=", "gh secret set "),
		flagRule(givenWord, "-b ", "gh secret set "),
		flagRule(givenWord, "<<< ", "gh secret set "),
		{name: "command-password", keys: []string{"echo "}, find: findEchoed},
		shaped("command-password", `(?:"([^"\n]+)|'([^'\n]+))`, isPasswordAt, "convertto-securestring ", "identified by "),
		shaped("netrc-password", `\S+\s+login\s+\S+\s+password\s+`+shellWord, isPasswordAt, "machine "),
	}
}

// commandWord finds a password that starts right behind what is given as the key.
var commandWord = shaped("command-password", `\b`+shellWord, isPasswordAt).find

// restOfCommand is the rest of a command after i, up to a limit.
func restOfCommand(s string, i int) string {
	const near = 256 // bytes
	rest := s[i:min(len(s), i+near)]
	if n := strings.IndexAny(rest, "\n;"); n >= 0 {
		return rest[:n]
	}
	return rest
}

// givenWord finds what a command is given as a secret, so that it may also look like a
// path.
var givenWord = shaped("command-password", `\b`+shellWord, isGivenAt).find

func isGivenAt(s string, at span) bool {
	value := s[at.from:at.to]
	return strings.IndexByte("/.~@", value[0]) < 0 && isPassword(strings.ReplaceAll(value, "/", "+"))
}

func behindFlag(flag string, keys ...string) rule { return flagRule(commandWord, flag, keys...) }

func flagRule(word func(s string, from, to int) span, flag string, keys ...string) rule {
	return rule{name: "command-password", keys: keys, find: func(s string, from, to int) span {
		options, _, _ := strings.Cut(restOfCommand(s, to-1), "|")
		if n := strings.Index(options, " "+flag); n >= 0 {
			return word(s[:to-1+len(options)], from, to+n+len(flag))
		}
		return span{}
	}}
}

// findEchoed finds a password that echo pipes into a command.
func findEchoed(s string, from, to int) span {
	rest := restOfCommand(s, to)
	if !containsAny(rest, "| sudo -S", "--password-stdin", "| gh secret set ") {
		return span{}
	}
	if strings.HasPrefix(rest, "-n ") {
		to += len("-n ")
	}
	return commandWord(s, from, to)
}

func isPasswordAt(s string, at span) bool { return isPassword(s[at.from:at.to]) }

// isPassword distinguishes a password of a command from a port, a name or a variable.
func isPassword(s string) bool {
	const least = 8 // bytes
	m := statsOf(s)
	return len(s) >= least && m.letters > 0 && (m.digits > 0 || m.mixed) && !isPlaceholder(s) && !isFixture(s) && !strings.ContainsAny(s, " /")
}

// isEncodedKey distinguishes a private key that is base64 as a whole from a certificate.
func isEncodedKey(s string, at span) bool {
	first := firstOf(s, at, 64)
	return strings.HasPrefix(first, "LS0tLS1CRUdJTi") &&
		containsAny(first, "UFJJVkFURS", "BSSVZBVE", "QUklWQVRF") // PRIVATE, from each of three bits on
}

// isSignature recognizes the signature of a shared link of Azure, which has a version.
func isSignature(s string, at span) bool {
	const near = 256 // bytes
	around := s[max(0, at.from-near):at.from] + s[at.to:min(len(s), at.to+near)]
	return strings.Contains(around, "sv=") && hasDigit(firstOf(s, at, near))
}

// isCookie recognizes the value of a session's cookie. Ids and hashes go by that name in logs
// as well, so these are secrets in a cookie's header alone.
func isCookie(s string, at span) bool {
	value := firstOf(s, at, 512)
	m := statsOf(value)
	if len(value) < 16 || m.digits < 2 || m.letters < 2 || isPlaceholder(value) || isDotted(value) || isDate(value) {
		return false
	}
	line := strings.ToLower(lineBefore(s, at.from))
	return strings.Contains(line, "cookie") || strings.Contains(line, "curl") && !isUUID(value) && !isHash(value)
}

// isCrypt recognizes a password's hash as crypt(3) writes it, $id$salt$hash.
func isCrypt(s string, at span) bool {
	value := s[at.from:at.to]
	return hasDigit(value[strings.LastIndexByte(value, '$'):])
}

// isHeader recognizes the value of -H 'X-Name-Key: value'. The name ends in a word for
// credentials; the headers that have a rule of their own are left to it.
func isHeader(s string, at span) bool {
	const (
		least   = 8
		letters = 16 // of one without a digit
		bits    = 2.75
	)
	line := lineBefore(s, at.from)
	name := line[strings.LastIndexAny(line, "\"'")+1:]
	value := firstOf(s, at, 128)
	m := statsOf(value)
	switch {
	case !namesCredentials(strings.ToLower(strings.TrimRight(name, " \t:"))):
		return false
	case len(value) < least || m.letters == 0 || isPlaceholder(value) || isFixture(value) || isDotted(value) || isDate(value):
		return false
	case m.digits == 0 && (len(value) < letters || strings.ContainsAny(value, "-_.")):
		return false
	}
	return entropy(value) > bits
}

// namesCredentials distinguishes X-Api-Key and PRIVATE-TOKEN from Content-Type, and from headers
// with public values.
func namesCredentials(name string) bool {
	return endsInAny(name, "key", "token", "secret", "password", "auth", "access-id", "credential") &&
		!containsAny(name, "authorization", "idempotency", "cache", "csrf", "public", "surrogate", "partition", "trace")
}

// isURLPassword distinguishes the password of a URL from what documentation writes in place of one.
func isURLPassword(s string, at span) bool {
	value := s[at.from:at.to]
	return !slices.Contains([]string{"pass", "password", "passwd", "secret", "token"}, strings.ToLower(value)) && !isPlaceholder(value)
}

func firstOf(s string, at span, most int) string { return s[at.from:min(at.to, at.from+most)] }

// lineBefore is the text before i on its line, up to a limit.
func lineBefore(s string, i int) string {
	const near = 512 // bytes
	before := s[max(0, i-near):i]
	return before[strings.LastIndexByte(before, '\n')+1:]
}
