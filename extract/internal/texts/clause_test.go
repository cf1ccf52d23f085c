package texts

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestClauseEndsWhereAThoughtDoes(t *testing.T) {
	for line, want := range map[string]string{
		"Fix the parser":                    "Fix the parser",
		"Fix the parser. It fails on tabs.": "Fix the parser. It fails on tabs.",
		"The mutex is hot under load. Would sharding help? Measure first.":                                              "The mutex is hot under load.",
		"Why does the server drop requests when it gets more than a hundred at once?":                                   "Why does the server drop requests when it gets more than a hundred at once?",
		"Write a token bucket in Go. It has to refill every 100 ms and must never block a caller for longer than that.": "Write a token bucket in Go.",
		"Hi, could you look at the failing build on the new runners, which started after the last upgrade of them?":     "Hi, could you look at the failing build on the new runners",
		"Schreib mir bitte einen Parser für die Messdaten – die Dateien liegen alle unter data/raw und sind riesig":     "Schreib mir bitte einen Parser für die Messdaten",
		"Look at the log of the nightly build (it is below `ci/`, as ever) and tell me why the third stage hangs":       "Look at the log of the nightly build",
		"Compare f(a, b) with f(b, a) and with f(a, a) over all of the pairs that are listed in the table of pairs":     "Compare f(a, b) with f(b, a) and with f(a, a) over all of the pairs that are…",
		"把每个路由的延迟都算出来，然后写进表格里，每一行都要有名字和单位，再画一张图给我看看":                                                                    "把每个路由的延迟都算出来，然后写进表格里",
		"": "",
	} {
		got := Clause(line, 84)
		if got != want {
			t.Errorf("%q begins with %q, want %q", line, got, want)
		}
	}
	for _, line := range []string{strings.Repeat("x", 300), strings.Repeat("語", 100), strings.Repeat("a\u0301", 90)} {
		if got := Clause(line, 84); len(got) > 84 || !utf8.ValidString(got) {
			t.Errorf("%q is too long", got)
		}
	}
}
