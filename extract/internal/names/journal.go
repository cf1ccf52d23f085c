package names

import (
	"fmt"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault/note"
)

// InJournal stands for the day or week in the names of their pages.
const InJournal = "{date}"

// Journal is the pattern for the names of pages of days and weeks, with [InJournal].
type Journal string

// Fits reports whether a pattern is valid: it has the date once, and every system accepts the names.
func (j Journal) Fits() bool {
	name := strings.Replace(string(j), InJournal, "2026-W45", 1)
	return name != string(j) && name == note.FileName(name) && len(name) <= nameLimit
}

// PageTaken is appended to the name of a page if something else has that name.
const PageTaken = " (agents).md"

// Place returns the path of a note that is named by date.
func (j Journal) Place(name string) string {
	if stem, ok := strings.CutSuffix(name, PageTaken); ok {
		return TrimMD(j.Place(stem+".md")) + PageTaken
	}
	if date, ok := strings.CutPrefix(TrimMD(name), journalFolder); ok {
		return journalFolder + strings.Replace(string(j), InJournal, date, 1) + ".md"
	}
	return name
}

// WeekOf returns the ISO week of a day: "2026-W45".
func WeekOf(day string) string {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil || sources.OnCalendar(date).IsZero() {
		return ""
	}
	year, week := date.ISOWeek()
	return fmt.Sprintf("%04d-W%02d", year, week)
}

// MondayOf returns the first day of a week, or false.
func MondayOf(week string) (time.Time, bool) {
	var year, n int
	if _, err := fmt.Sscanf(week, "%4d-W%2d", &year, &n); err != nil {
		return time.Time{}, false
	}
	first := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC) // always in week 1
	first = first.AddDate(0, 0, 7*(n-1)-(int(first.Weekday())+6)%7)
	return first, WeekOf(first.Format(time.DateOnly)) == week
}

// DaysOf returns the days of the week that begins on a Monday.
func DaysOf(monday time.Time) []string {
	var days []string
	for i := range 7 {
		days = append(days, monday.AddDate(0, 0, i).Format(time.DateOnly))
	}
	return days
}

// WeekTitle returns the title of the week that begins on a Monday.
func WeekTitle(monday time.Time) string {
	year, n := monday.ISOWeek()
	return fmt.Sprintf("Week %d of %d", n, year)
}
