package extract

import (
	"slices"
	"testing"
)

func TestShortPathsTellFilesApart(t *testing.T) {
	got := shortPaths([]string{"a/main.go", "b/main.go", "x/b/main.go", "README.md", "docs/README.md", "jwt.go"})
	want := []string{"a/main.go", "b/main.go", "x/b/main.go", "README.md", "docs/README.md", "jwt.go"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := shortPaths([]string{"internal/auth/jwt.go", "internal/auth/jwt_test.go"}); !slices.Equal(got, []string{"jwt.go", "jwt_test.go"}) {
		t.Errorf("got %q", got)
	}
}

func TestWeeksAreThoseOfISO(t *testing.T) {
	for day, want := range map[string]string{
		"2026-11-03": "2026-W45", "2026-01-01": "2026-W01", "2027-01-03": "2026-W53", "2024-12-30": "2025-W01", "2021-01-03": "2020-W53", "x": "",
	} {
		week := weekOf(day)
		if week != want {
			t.Errorf("%s lies in %q, want %q", day, week, want)
		}
		if monday, ok := mondayOf(week); want != "" && (!ok || !slices.Contains(daysOf(monday), day)) {
			t.Errorf("the week %s of %s has the days %q", week, day, daysOf(monday))
		}
	}
	for _, week := range []string{"", "2026-W54", "2026-W00", "2026W45", "2025-W53"} {
		if monday, ok := mondayOf(week); ok {
			t.Errorf("%q begins on %s", week, monday)
		}
	}
}
