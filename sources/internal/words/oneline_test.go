package words

import "testing"

func TestClip(t *testing.T) {
	for text, want := range map[string]string{
		"two\n words\t here":                        "two words here",
		"gh\x1b[1mp_\x1b(B\x1b[mab":                 "ghp_ab",
		"a\x1b]0;title\ab\x00c\u0085d":              "abcd",
		"\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\": "link",
		"bad\xffbyte":                               "bad byte",
		"one two three four":                        "one two…",
	} {
		if got := OneLine(text, 14); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
