package extract

import (
	"testing"
	"time"
)

// What moment.js 2.29 with English words makes of formats people use for their
// daily notes.
func TestMomentFormat(t *testing.T) {
	date := func(s string) time.Time {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, tt := range []struct{ day, format, want string }{
		{"2026-11-03", "YYYY-MM-DD", "2026-11-03"},
		{"2026-11-03", "YYYY/MM-MMMM/YYYY-MM-DD-dddd", "2026/11-November/2026-11-03-Tuesday"},
		{"2026-11-03", "[Day] YY.M.D", "Day 26.11.3"},
		{"2026-11-03", "ddd, MMM Do", "Tue, Nov 3rd"},
		{"2026-11-11", "Do", "11th"},
		{"2026-11-22", "Do d", "22nd 0"},
		{"2026-11-03", "gggg-[W]ww", "2026-W45"},
		{"2026-11-03", "GGGG-[W]WW", "2026-W45"},
		{"2027-01-02", "gggg w GGGG W YYYY", "2027 1 2026 53 2027"},
		{"2026-01-03", "gggg w GGGG W", "2026 1 2026 1"},
		{"2026-01-04", "gggg w GGGG W", "2026 2 2026 1"},
		{"2025-12-28", "gggg ww GGGG WW", "2026 01 2025 52"},
		{"2026-11-03", "[Q]Q YYYY", "Q4 2026"},
		{"2026-11-03", `\YYYYY`, "YYYYY"},
		{"2026-11-03", "YYYY_MM_DD (journal)", ""},
		{"2026-11-03", "[a]b] c", "a]b c"},
		{"2026-11-03", "[YYYY", "[2026"},
		{"2026-11-03", "日 DD", "日 03"},
	} {
		got, err := momentFormat(tt.format, date(tt.day))
		if (err != nil) != (tt.want == "") || got != tt.want {
			t.Errorf("%s of %s: got %q (%v), want %q", tt.format, tt.day, got, err, tt.want)
		}
	}
	for _, format := range []string{"HH:mm", "YYYY-MM-DD A", "DDDD", "LL", "X", "YYYYYY", "Wo", "dd"} {
		if got, err := momentFormat(format, date("2026-11-03")); err == nil {
			t.Errorf("%s: got %q, want an error", format, got)
		}
	}
}
