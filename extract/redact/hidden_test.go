package redact

import (
	"strings"
	"testing"
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
		"zero width":        head + "\u200b" + tail,
		"soft hyphen":       "gh\u00adp_" + tornToken[4:],
		"control":           head + "\x00" + tail,
		"JSON escape":       `{"k":"` + `\u0067hp_` + tornToken[4:] + `"}`,
		"JSON escape twice": `{"k":"` + `\\u0067hp_` + tornToken[4:] + `"}`,
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
		if plain := masker().Text(tornToken); !strings.Contains(got, plain) {
			t.Errorf("%s: has not the mask of the same token in one piece", name)
		}
	}
	encoded := masker().Text("postgres%3A%2F%2Fwidget%3Ahunter22%40db.internal")
	if strings.Contains(encoded, "hunter22") {
		t.Errorf("a password in an encoded URL: %q", encoded)
	}
}

// What follows a whole secret on the next line is not part of it.
func TestNextLineStays(t *testing.T) {
	wide := strings.Repeat("word ", 12)
	for _, next := range []string{"Then run the tests.", "next", "exit status 1"} {
		got := Number(masker().Text(wide + tornToken + "\n" + next))[0]
		if want := wide + "[redacted:github-token#1]\n" + next; got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
}
