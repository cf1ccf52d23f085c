package redact

import (
	"strings"
	"testing"
	"unicode"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// tornToken stands for any that may be torn apart; its end is not a word.
const tornToken = "ghp_SYNTH3TICexample0token0for7testsQ9z2"

func TestTornSecretsAreMaskedWhole(t *testing.T) {
	wide := strings.Repeat("word ", 12) // up to column 60
	head, tail := tornToken[:18], tornToken[18:]
	for name, s := range map[string]string{
		"colour":            head + "\x1b[31m" + tail,
		"colour in prefix":  "gh\x1b[1;31mp_\x1b[0m" + tornToken[4:],
		"colour written":    head + `\u001b[31m` + tail,
		"colour octal":      head + `\033[0m` + tail,
		"link of terminal":  head + "\x1b]8;;https://x.example\a" + tail,
		"end of bold":       head + "\x1b(B\x1b[m" + tail,
		"bold written":      head + `\u001b(B\u001b[m` + tail,
		"long code":         head + "\x1b[" + strings.Repeat("1;", 200) + "m" + tail,
		"title":             head + "\x1b]0;" + strings.Repeat("t", 2000) + "\x1b\\" + tail,
		"device string":     head + "\x1bP1$r0m\x1b\\" + tail,
		"code of one byte":  head + "\u009b31m" + tail,
		"zero width":        head + "\u200b" + tail,
		"soft hyphen":       "gh\u00adp_" + tornToken[4:],
		"control":           head + "\x00" + tail,
		"JSON escape":       `{"k":"` + `\u0067hp_` + tornToken[4:] + `"}`,
		"JSON escape twice": `{"k":"` + `\\u0067hp_` + tornToken[4:] + `"}`,
		"JSON of NUL":       `{"k":"` + head + `\u0000` + tail + `"}`,
		"JSON of no width":  `{"k":"` + head + `\\u200B` + tail + `"}`,
		"hex escape":        `gh\x70_` + tornToken[4:],
		"URL escape":        "x=" + `gh%70%5F` + tornToken[4:] + "&y",
		"wrap":              wide + head + "\n" + tail + " end",
		"wrap CRLF":         wide + head + "\r\n" + tail + " end",
		"wrap in JSON":      `{"out":"` + wide + head + `\n` + tail + ` end"}`,
		"wrap in a box":     "│ " + wide + head + " │\n│ " + tail + "  │",
		"wrap in a quote":   "> " + wide + head + "\n> " + tail,
		"wrap in a shell":   wide + head + "\\\n  " + tail,
		"mail":              strings.Repeat("x", 71-len(head)) + " " + head + "=\n" + tail,
	} {
		got := masker().Text(s)
		if !strings.Contains(Number(got)[0], "[redacted:github-token#1]") || strings.Contains(got, tail) || strings.Contains(got, head) {
			t.Errorf("%s: %q became %q", name, s, Number(got)[0])
		}
		expect.Has(t, got, masker().Text(tornToken), name, "has not the mask of the same token in one piece")
	}
	encoded := masker().Text("postgres%3A%2F%2Fwidget%3Ahunter22%40db.internal")
	expect.Lacks(t, encoded, "hunter22", "a password in an encoded URL")
}

// Whatever a page leaves out between the letters of a token is seen through.
func TestUnseenCharactersHideNothing(t *testing.T) {
	const last = 0xe01f0 // of the tags and selectors; the plane goes on with nothing
	for r := rune(1); r < last; r++ {
		if !unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Cc, r) && !unicode.Is(unicode.Variation_Selector, r) && !unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
			unicode.Is(unicode.Prepended_Concatenation_Mark, r) || r == '\n' || r == '\r' || r == '\t' || r == 0x1b || r == 0x9b {
			continue
		}
		if got := masker().Text(tornToken[:9] + string(r) + tornToken[9:]); !strings.HasPrefix(got, maskOpen) || Strip(got) != "" {
			t.Errorf("%U: %q", r, Number(got)[0])
		}
	}
}

// A break in front of a torn token, at any distance, does not hide the token or the name before it.
func TestTornSecretsBehindOtherBreaks(t *testing.T) {
	for n := range 240 {
		front := "\x1b[1mok\x1b[0m " + strings.Repeat("word ", n/5) + strings.Repeat("x", n%5) + " "
		for _, torn := range []string{tornToken[:9] + "\u200b" + tornToken[9:], "DB_PASSWORD=hu9nt\x1b[31mer22Xq7"} {
			if got := masker().Text("see src/x.go#" + torn); !strings.HasPrefix(got, "see src/x.go#") || strings.Contains(got, "\u200b") {
				t.Errorf("behind #: %q", Number(got)[0])
			}
			if got := masker().Text(front + torn); !strings.HasSuffix(got, maskClose) || strings.Contains(got, "\u200b") || strings.Contains(got, "er22Xq7") {
				t.Errorf("%d letters between: %q", len(front), Number(got)[0])
			}
		}
	}
}

// What follows a whole secret on the next line is not part of it.
func TestNextLineStays(t *testing.T) {
	wide := strings.Repeat("word ", 12)
	for _, next := range []string{"Then run the tests.", "next", "exit status 1"} {
		got := Number(masker().Text(wide + tornToken + "\n" + next))[0]
		expect.Is(t, got, wide+"[redacted:github-token#1]\n"+next)
		mail := "SG." + strings.Repeat("Wq7zR2mK9x", 2) + "aB.\u200b" + strings.Repeat("Hn4vT8pLc6", 4) + "yZ1"
		expect.Is(t, Number(masker().Text(mail + "\n" + next))[0], "[redacted:sendgrid-api-token#1]\n"+next, "of fixed length, torn")
	}
}
