package texts

import "testing"

// TestFirstLine has texts that begin with marks: those of markdown go, and a line without a word is no first line.
func TestFirstLine(t *testing.T) {
	for text, want := range map[string]string{
		"\n\n  Mend the pump \nnow":        "Mend the pump",
		"## User Input\n\nmend":            "User Input",
		"> quoted\n":                       "quoted",
		"- one\n- two":                     "one",
		"```go\nx := 1\n```":               "x := 1",
		"```":                              "```",
		"Do this plan:\n\n# Pumps\n\ntext": "Do this plan – Pumps",
		"## Input\n\n```text\nmend 12 - 16\n```\n\nRules": "Input – mend 12 - 16",
		"要求：\n\n1. 修泵\n2. 试运行":                            "要求 – 1. 修泵",
		"# エラー:\n~~~\nno such pump\n~~~":                  "エラー – no such pump",
		"# Pumps\n\n```go\n```":                           "Pumps",
		"Which one:":                                      "Which one:",
		"---\n[\n  {\"a\": 1}\n]":                         "{\"a\": 1}",
		"#7 is open":                                      "#7 is open",
		"-v prints more":                                  "-v prints more",
		"。\n泵在漏水":                                         "泵在漏水",
		".":                                               ".",
		"...\n!":                                          "...",
		" \n":                                             "",
	} {
		if got := FirstLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
