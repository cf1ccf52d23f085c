package names

import (
	"slices"
	"testing"
)

func TestWeeksAreThoseOfISO(t *testing.T) {
	for day, want := range map[string]string{
		"2026-11-03": "2026-W45", "2026-01-01": "2026-W01", "2027-01-03": "2026-W53", "2024-12-30": "2025-W01", "2021-01-03": "2020-W53", "x": "",
	} {
		week := WeekOf(day)
		if week != want {
			t.Errorf("%s lies in %q, want %q", day, week, want)
		}
		if monday, ok := MondayOf(week); want != "" && (!ok || !slices.Contains(DaysOf(monday), day)) {
			t.Errorf("the week %s of %s has the days %q", week, day, DaysOf(monday))
		}
	}
	for _, week := range []string{"", "2026-W54", "2026-W00", "2026W45", "2025-W53"} {
		if monday, ok := MondayOf(week); ok {
			t.Errorf("%q begins on %s", week, monday)
		}
	}
}
