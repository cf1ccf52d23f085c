package redact

import "strings"

// commandRules find passwords in the commands of a shell.
func commandRules() []rule {
	return []rule{
		{name: "command-password", keys: []string{"docker login", "podman login", "registry login", "sshpass "}, find: behindFlag("-p")},
		{name: "command-password", keys: []string{"mysql ", "mysqldump ", "mariadb ", "mysqladmin "}, find: gluedTo("-p")},
		{name: "command-password", keys: []string{"redis-cli "}, find: behindFlag("-a")},
		{name: "command-password", keys: []string{"| sudo -s", "--password-stdin"}, find: findEchoed},
		{name: "command-password", keys: []string{"convertto-securestring ", "identified by "}, find: findQuoted},
		{name: "netrc-password", keys: []string{"login "}, find: findNetrc},
	}
}

// commandLine is how many bytes of a command are looked at.
const commandLine = 512

// restOfLine is the end of the command at i.
func restOfLine(s string, i int) int {
	return run(s[:min(len(s), i+commandLine)], i, func(c byte) bool { return c != '\n' && c != ';' && c != '|' })
}

// behindFlag finds the word that follows a flag.
func behindFlag(flag string) func(s string, from, to int) span {
	return func(s string, from, to int) span {
		end := restOfLine(s, to)
		n := strings.Index(s[to-1:end], " "+flag+" ")
		if n < 0 || !startsWord(s, from) {
			return span{}
		}
		return passwordAt(s[:end], to+n+len(flag)+1)
	}
}

// gluedTo finds what is written into one word with a flag.
func gluedTo(flag string) func(s string, from, to int) span {
	return func(s string, from, to int) span {
		end := restOfLine(s, to)
		n := strings.Index(s[to-1:end], " "+flag)
		if n < 0 || !startsWord(s, from) {
			return span{}
		}
		return passwordAt(s[:end], to+n+len(flag))
	}
}

// findEchoed finds what echo gives to a command that reads a password.
func findEchoed(s string, from, _ int) span {
	start := max(0, from-commandLine)
	start += strings.LastIndexByte(s[start:from], '\n') + 1
	n := strings.LastIndex(s[start:from], "echo ")
	if n < 0 {
		return span{}
	}
	at := start + n + len("echo ")
	if strings.HasPrefix(s[at:from], "-n ") {
		at += len("-n ")
	}
	return passwordAt(s[:from], at)
}

// findQuoted finds what stands in quotes behind the key.
func findQuoted(s string, _, to int) span {
	if to >= len(s) || strings.IndexByte("\"'", s[to]) < 0 {
		return span{}
	}
	return passwordAt(s, to)
}

// findNetrc finds the password behind a login of .netrc, on its line or the next.
func findNetrc(s string, from, to int) span {
	const near = 256 // bytes before a login, in which its machine stands
	i := run(s[:min(len(s), to+near)], to, func(c byte) bool { return c > ' ' })
	i = run(s[:min(len(s), i+near)], i, func(c byte) bool { return isBlank(c) || c == '\n' || c == '\r' })
	if !strings.HasPrefix(s[i:], "password ") || !strings.Contains(s[max(0, from-near):from], "machine ") {
		return span{}
	}
	return passwordAt(s, i+len("password "))
}

// passwordAt takes the word of a shell at i, where it looks like a password.
func passwordAt(s string, i int) span {
	quote := byte(0)
	if i < len(s) && strings.IndexByte("\"'", s[i]) >= 0 {
		quote = s[i]
		i++
	}
	end := runValue(s, i, min(len(s), i+commandLine), func(c byte) bool {
		if quote != 0 {
			return c != quote && c != '\n'
		}
		return c > ' ' && strings.IndexByte("\"'`|;&<>()\\", c) < 0
	})
	if !isPassword(s[i:end]) {
		return span{}
	}
	return span{i, end}
}

// isPassword tells a password of a command from a port, a name or a variable.
func isPassword(s string) bool {
	const least = 8 // bytes
	m := makeupOf(s)
	return len(s) >= least && m.letters > 0 && (m.digits > 0 || m.mixed) && !isPlaceholder(s) && !isFixture(s) && !strings.ContainsAny(s, " /")
}
