package texts

import "testing"

// TestFirstLine has texts that begin with marks: those of markdown go, and a line without a word is no first line.
func TestFirstLine(t *testing.T) {
	for text, want := range map[string]string{
		"\n\n  Mend the pump \nnow": "Mend the pump",
		"## User Input\n\nmend":     "User Input",
		"> quoted\n":                "quoted",
		"- one\n- two":              "one",
		"```go\nx := 1\n```":        "```go",
		"---\n[\n  {\"a\": 1}\n]":   "{\"a\": 1}",
		"#7 is open":                "#7 is open",
		"-v prints more":            "-v prints more",
		"。\n泵在漏水":                   "泵在漏水",
		".":                         ".",
		"...\n!":                    "...",
		" \n":                       "",
	} {
		if got := FirstLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
