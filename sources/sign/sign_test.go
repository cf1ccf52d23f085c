package sign

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestBefore(t *testing.T) {
	const family, flag, skin = "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽"
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{"plain", 3, "pla"}, {"plain", 9, "plain"}, {"plain", 0, ""}, {"päd", 2, "p"}, {"pa\u0308d", 2, "p"}, {"pa\u0308d", 4, "pa\u0308"},
		{"x" + family + "y", 8, "x"}, {"x" + family + "y", 1 + len(family), "x" + family}, {family + family, len(family) + 4, family},
		{"a" + flag, 5, "a"}, {flag + flag, 12, flag}, {skin, 4, ""}, {"x" + skin, 5, "x"}, {"日本語", 5, "日"}, {"a\r\nb", 2, "a\r"},
	} {
		if got := c.text[:Before(c.text, c.at)]; got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.text, c.at, got, c.want)
		}
	}
	long := strings.Repeat(family, 200)
	for at := range 200 {
		if got := Before(long, at); got%len(family) != 0 || got < at-len(family) {
			t.Fatalf("at %d: %d", at, got)
		}
	}
	if marks := "e" + strings.Repeat("\u0301", 4000); Before(marks, 4000) < 3900 {
		t.Error("a letter with thousands of marks takes all before it away")
	}
}

func FuzzBefore(f *testing.F) {
	f.Add("👩‍👩‍👧‍👦\xff\u200d", 7)
	f.Fuzz(func(t *testing.T, s string, at int) {
		got := Before(s, at)
		if got < 0 || got > len(s) || at >= 0 && at < len(s) && got > at || utf8.ValidString(s) && !utf8.ValidString(s[:got]) {
			t.Errorf("%q at %d: %d", s, at, got)
		}
	})
}
