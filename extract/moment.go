package extract

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// momentToken finds, as moment.js does, what a format is made of: text in
// brackets, a token with perhaps a backslash before it, or any one character.
var momentToken = regexp.MustCompile(`\[[^\[]*\]|\\?(?:LTS|LT|LL?L?L?|l{1,4}|[Hh]mm(?:ss)?|Mo|MM?M?M?|Do|DDDo|DD?D?D?|ddd?d?|do?|w[ow]?|W[oW]?|Qo?|` +
	`N{1,5}|YYYYYY|YYYYY|YYYY|YY|Y|y{2,4}|yo?|gg(?:ggg?)?|GG(?:GGG?)?|e|E|a|A|hh?|HH?|kk?|mm?|ss?|S{1,9}|x|X|zz?|ZZ?)|(?s:.)`)

// momentFormat writes a date in a format of moment.js, in English, as Obsidian
// names daily notes. A token that is none of a date is an error.
func momentFormat(format string, day time.Time) (string, error) {
	var b strings.Builder
	for _, token := range momentToken.FindAllString(format, -1) {
		if text, ok := strings.CutPrefix(token, "["); ok && text != "" {
			b.WriteString(strings.TrimSuffix(text, "]"))
			continue
		}
		if text, escaped := strings.CutPrefix(token, "\\"); escaped {
			b.WriteString(text)
			continue
		}
		word, ok := momentWord(token, day)
		if !ok {
			return "", fmt.Errorf("the format %q of daily notes has %q, which is no part of a date known here", format, token)
		}
		b.WriteString(word)
	}
	return b.String(), nil
}

func momentWord(token string, day time.Time) (string, bool) {
	if c := token[0]; c >= 0x80 || c < 'A' || c > 'z' || c > 'Z' && c < 'a' {
		return token, true
	}
	// A week begins on Sunday, and the first one of a year has its 1 January.
	saturday := day.AddDate(0, 0, int(time.Saturday-day.Weekday()))
	week := (saturday.YearDay()-1)/7 + 1
	isoYear, isoWeek := day.ISOWeek()
	words := map[string]string{
		"YYYY": fmt.Sprintf("%04d", day.Year()), "YY": day.Format("06"),
		"Q": strconv.Itoa((int(day.Month()) + 2) / 3),
		"M": day.Format("1"), "MM": day.Format("01"), "MMM": day.Format("Jan"), "MMMM": day.Format("January"),
		"D": day.Format("2"), "DD": day.Format("02"), "Do": ordinal(day.Day()),
		"d": strconv.Itoa(int(day.Weekday())), "ddd": day.Format("Mon"), "dddd": day.Format("Monday"),
		"w": strconv.Itoa(week), "ww": fmt.Sprintf("%02d", week), "gggg": fmt.Sprintf("%04d", saturday.Year()),
		"W": strconv.Itoa(isoWeek), "WW": fmt.Sprintf("%02d", isoWeek), "GGGG": fmt.Sprintf("%04d", isoYear),
	}
	word, ok := words[token]
	const plain = "bcfgijnopqrtuvBCFGIJKOPRTUV" // letters that are no token of moment.js
	if !ok && len(token) == 1 && strings.IndexByte(plain, token[0]) >= 0 {
		return token, true
	}
	return word, ok
}

func ordinal(n int) string {
	ends := []string{"th", "st", "nd", "rd"}
	if last := n % 10; last < len(ends) && (n%100 < 11 || n%100 > 13) {
		return strconv.Itoa(n) + ends[last]
	}
	return strconv.Itoa(n) + ends[0]
}
