package names

import (
	"fmt"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/vault/note"
)

// Layouts of a vault, values of [Settings.Layout].
const (
	// LayoutAgents is sessionloom's own: a folder for each kind of note.
	LayoutAgents = "agents"
	// LayoutWiki is that of vaults in which language models keep a wiki: a folder
	// for each category, six properties in every note.
	LayoutWiki = "wiki"
)

// Layout says where notes stand and what all of them tell of themselves. The
// names of paths.go are those of LayoutAgents; Place turns them into its own.
type Layout struct {
	wiki bool
	// kept says that a wiki stands at the vault's root which has an index and a
	// hot page of its own; else those are ours to give.
	kept bool
	// journal is what the pages of days and weeks are called; empty: by their dates alone.
	journal string
}

// NewLayout is a layout by its name, with names for the pages of days and weeks, see [FitsJournal].
// kept says that a wiki at the root of the vault has an index and a hot page of its own.
func NewLayout(name string, kept bool, journal string) Layout {
	return Layout{wiki: name == LayoutWiki, kept: kept && name == LayoutWiki, journal: journal}
}

// InJournal stands for the day or week in the names of their pages.
const InJournal = "{date}"

// FitsJournal tells names for the pages of days and weeks: the date stands in them once, and every
// system takes them.
func FitsJournal(journal string) bool {
	name := strings.Replace(journal, InJournal, "2026-W45", 1)
	return name != journal && name == note.FileName(name) && len(name) <= nameLimit
}

// Catalogue tells whether Home and Open threads are a wiki's index and hot page.
func (l Layout) Catalogue() bool { return l.wiki && !l.kept }

// Names of the pages that a wiki has at its root.
const (
	indexPath = "index.md"
	hotPath   = "hot.md"
)

// PageTaken is put behind the name of a page where something else has that name.
const PageTaken = " (agents).md"

// Place is where a note stands that paths.go names so.
func (l Layout) Place(name string) string {
	if stem, ok := strings.CutSuffix(name, PageTaken); ok {
		return TrimMD(l.Place(stem+".md")) + PageTaken
	}
	if date, ok := strings.CutPrefix(TrimMD(name), journalFolder); ok && l.journal != "" {
		return journalFolder + strings.Replace(l.journal, InJournal, date, 1) + ".md"
	}
	if !l.wiki {
		return name
	}
	switch {
	case name == HomePath && !l.kept:
		return indexPath
	case name == ThreadsPath && !l.kept:
		return hotPath
	}
	// A wiki keeps its pages by category, and what concerns one project below
	// projects/<name>/<category>/.
	parts := strings.Split(name, "/")
	switch n := len(parts); {
	case n == 2 && parts[0] == "memory":
		parts[0] = wikiFolder(parts[0])
	case n == 4 && parts[0] == "projects":
		parts[2] = wikiFolder(parts[2])
	}
	return strings.Join(parts, "/")
}

// wikiFolder is the category that holds what a folder of LayoutAgents holds:
// what happened at a time is journal, what is looked up is reference.
func wikiFolder(folder string) string {
	switch folder {
	case "sessions", "checkpoints":
		return "journal"
	case "memory", "files", "issues":
		return "references"
	}
	return folder
}

// Category is the category of a wiki in which a note of a type stands.
func Category(typ string) string {
	switch typ {
	case TypeProject:
		return "project"
	case TypeMemory, TypeFile, TypeIssue, TypePR:
		return "references"
	case TypeHome, TypeThreads:
		return "synthesis"
	}
	return "journal"
}

// IsWiki tells the layout of a wiki, in which each note has six properties.
func (l Layout) IsWiki() bool { return l.wiki }

// HomeTitle is the title of the entry page.
func (l Layout) HomeTitle() string {
	if l.Catalogue() {
		return "Index"
	}
	return "Home"
}

// ThreadsTitle is the title of the page of open tasks.
func (l Layout) ThreadsTitle() string {
	if l.Catalogue() {
		return "Hot"
	}
	return "Open threads"
}

// WeekOf names the ISO week of a day: "2026-W45".
func WeekOf(day string) string {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil || sources.OnCalendar(date).IsZero() {
		return ""
	}
	year, week := date.ISOWeek()
	return fmt.Sprintf("%04d-W%02d", year, week)
}

// MondayOf is the first day of a week, false for what names none.
func MondayOf(week string) (time.Time, bool) {
	var year, n int
	if _, err := fmt.Sscanf(week, "%4d-W%2d", &year, &n); err != nil {
		return time.Time{}, false
	}
	first := time.Date(year, time.January, 4, 0, 0, 0, 0, time.UTC) // always in week 1
	first = first.AddDate(0, 0, 7*(n-1)-(int(first.Weekday())+6)%7)
	return first, WeekOf(first.Format(time.DateOnly)) == week
}

// DaysOf are the days of the week that begins on a Monday.
func DaysOf(monday time.Time) []string {
	var days []string
	for i := range 7 {
		days = append(days, monday.AddDate(0, 0, i).Format(time.DateOnly))
	}
	return days
}

// WeekTitle names the week that begins on a Monday.
func WeekTitle(monday time.Time) string {
	year, n := monday.ISOWeek()
	return fmt.Sprintf("Week %d of %d", n, year)
}
