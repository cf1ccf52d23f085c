package redact

import (
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// wrapped breaks a text into lines of that length.
func wrapped(s string, length int, end string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		for ; len(line) > length+1; line = line[length:] {
			b.WriteString(line[:length] + end)
		}
		b.WriteString(line)
	}
	return b.String()
}

// eachLine puts something in front of each line, where %d is its number.
func eachLine(s, front string) string {
	var b strings.Builder
	for n, line := range strings.Split(s, "\n") {
		if strings.Contains(front, "%") {
			fmt.Fprintf(&b, front, n+9)
		} else {
			b.WriteString(front)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// eachByte writes each byte of a token in another way.
func eachByte(s, format string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, format, s[i])
	}
	return b.String()
}

// splits are the ways in which tools of every day tear a text with a secret apart.
func splits() map[string]func(string) string {
	mail := func(s string) string {
		var b strings.Builder
		w := quotedprintable.NewWriter(&b)
		_, _ = w.Write([]byte(strings.ReplaceAll(s, "=", "=3D")))
		_ = w.Close()
		return b.String()
	}
	return map[string]func(string) string{
		"as it is":         func(s string) string { return s },
		"wrapped at 76":    func(s string) string { return wrapped(s, 76, "\n") },
		"wrapped at 80":    func(s string) string { return wrapped(s, 80, "\n") },
		"a shell's lines":  func(s string) string { return wrapped(s, 70, "\\\n") },
		"a diff, added":    func(s string) string { return eachLine(wrapped(s, 76, "\n"), "+") },
		"a diff, removed":  func(s string) string { return eachLine(wrapped(s, 76, "\n"), "-") },
		"a quote":          func(s string) string { return eachLine(wrapped(s, 76, "\n"), "> ") },
		"cat -n":           func(s string) string { return eachLine(wrapped(s, 76, "\n"), "%6d\t") },
		"grep -n":          func(s string) string { return eachLine(wrapped(s, 76, "\n"), "%d:") },
		"grep -rn":         func(s string) string { return eachLine(wrapped(s, 76, "\n"), "etc/app.env:%d:") },
		"a log of compose": func(s string) string { return eachLine(wrapped(s, 76, "\n"), "api_1  | ") },
		"colours": func(s string) string {
			return strings.ReplaceAll(wrapped(s, 9, "\x1b[0m\x1b[32m"), "\n", "\x1b[0m\n\x1b[32m")
		},
		"colours written out":  func(s string) string { return wrapped(s, 9, `\u001b[0m\u001b[32m`) },
		"percent":              func(s string) string { return "x=" + url.QueryEscape(s) },
		"JSON, each letter":    func(s string) string { return `{"k":"` + eachByte(s, `\u%04x`) + `"}` },
		"percent, each letter": func(s string) string { return "?q=" + eachByte(s, "%%%02X") },
		"HTML, each letter":    func(s string) string { return "<p>" + eachByte(s, "&#%d;") + "</p>" },
		"HTML, hex":            func(s string) string { return "<p>" + eachByte(s, "&#x%x;") + "</p>" },
		"HTML, signs": func(s string) string {
			return "<p>" + strings.NewReplacer("_", "&#95;", "-", "&#45;", "/", "&#47;", "+", "&#43;", "=", "&#61;", "&", "&amp;").Replace(s) + "</p>"
		},
		"a page's marks":   func(s string) string { return eachLine(strings.Replace(s, "PRIVATE", "`PRIVATE`", 1), "**") },
		"quoted-printable": mail,
		"base64":           func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
		"base64 for URLs":  func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
		"base64 at 76":     func(s string) string { return wrapped(base64.StdEncoding.EncodeToString([]byte(s)), 76, "\n") },
		"base64 of an env": func(s string) string {
			return base64.StdEncoding.EncodeToString([]byte("PORT=8080\nHOST=db\n" + s + "\nDEBUG=1\n"))
		},
		"base64 in a program": func(s string) string { return `data = "` + base64.StdEncoding.EncodeToString([]byte("x"+s)) + `"` },
	}
}

// split are secrets of several shapes, each with what of it must be nowhere.
func splitSecrets() map[string][2]string {
	key := "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA" +
		"y7Lq2Xw9ZbT4kNc8RfJ3mVd6GsP1aUe5HoQiK0xWzB7nYhM2\nrCl9DjFgS4pEyAu8IqO3tLkX6wNvZbR1cHmJdY5fGsPqA7T2Wq8Zr5Lb\nVc4JmHd9FsPg2AaUe5oQiXk7tRwE\n-----END RSA PRIVATE KEY-----"
	return map[string][2]string{
		"token": {"the token of the deployment is here: " + tornToken, tornToken[4:]},
		"long token": {"GITHUB_TOKEN=github_pat_11" + "ABQXM7I0kd9WcV2sLr_h5ZpT3nYxE8uGqJ6fRbN1vKwM4aHoSiDyCt7PlZe0XgUj2B5mQ9dF3r",
			"ABQXM7I0kd9WcV2sLr_h5ZpT3nYxE8uGqJ6fRbN1vKwM4aHoSiDyCt7PlZe0XgUj2B5mQ9dF3r"},
		"jwt": {"Authorization: Bearer eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + "eyJzdWIiOiI4ODEyNzM0NSIsImlhdCI6MTc2MjM4MDAwMH0.Wq3nT8vKx1Zr6LbYc4JmHd9FsPg2AaUe5oQiXk7tRwE",
			"Wq3nT8vKx1Zr6LbYc4JmHd9FsPg2AaUe5oQiXk7tRwE"},
		"password":    {"DATABASE_PASSWORD=Zx8KwQ3vTn7LrYb2Mc", "Zx8KwQ3vTn7LrYb2Mc"},
		"url":         {"postgres://widget:Zx8KwQ3vTn7LrYb2Mc@db.internal:5432/app", "Zx8KwQ3vTn7LrYb2Mc"},
		"private key": {key, strings.ReplaceAll(strings.Join(strings.Split(key, "\n")[1:4], ""), "MIIEpAIBAAKCAQEA", "")},
	}
}

func TestSplitSecretsAreMasked(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and nothing runs at once in it")
	}
	m := masker()
	for secret, text := range splitSecrets() {
		for split, tear := range splits() {
			torn := tear(text[0])
			got := m.Text(torn)
			if again := m.Text(got); again != got {
				t.Errorf("%s, %s: masked again: %q, %q", secret, split, got, again)
			}
			left := pieceLeft(got, text[1])
			if strings.HasPrefix(split, "base64") && !strings.Contains(got, maskOpen) {
				left = "all"
			}
			if left != "" {
				t.Errorf("%s, %s: %q is left of %q in %q", secret, split, left, torn, Number(got)[0])
			}
		}
	}
}

var unseenCode = regexp.MustCompile(`\x1b\[[0-9;]*m|\\u001b\[[0-9;]*m`)

// pieceLeft is a piece of ten bytes of a secret that is left, in whatever way it is
// written.
func pieceLeft(got, secret string) string {
	const piece = 10
	got = unseenCode.ReplaceAllString(Strip(got), "")
	for _, c := range []byte(secret) { // the letters that other ways write
		for _, format := range []string{`\u%04x`, "%%%02X", "&#%d;", "&#x%x;"} {
			got = strings.ReplaceAll(got, fmt.Sprintf(format, c), string(c))
		}
	}
	for i := 0; i+piece <= len(secret); i++ {
		if strings.Contains(got, secret[i:i+piece]) {
			return secret[i : i+piece]
		}
	}
	return ""
}
