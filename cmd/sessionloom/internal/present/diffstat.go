package present

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
)

// minBar is how much room the bars of a table have at least.
const minBar = 10

// Stat words changes as a table with bars, as git does. width is that of the
// screen; names are cut to it only where that is asked for.
func Stat(all []Diff, width int, cut bool) []string {
	names, nameWidth, most := make([]string, len(all)), 0, 0
	outcome, plus, minus := 0, 0, 0
	for i, d := range all {
		names[i] = d.Note
		if d.From != "" {
			names[i] = d.From + " => " + d.Note
		}
		nameWidth = max(nameWidth, lipgloss.Width(names[i]))
		outcome = max(outcome, len(d.Outcome))
		most = max(most, d.plus+d.minus)
		plus, minus = plus+d.plus, minus+d.minus
	}
	number := len(fmt.Sprint(most))
	fixed := outcome + 1 + len(" | ") + number + 1
	if cut {
		nameWidth = min(nameWidth, max(minBar, width-fixed-2*minBar))
	}
	bar := max(minBar, width-fixed-nameWidth)
	var out []string
	for i, d := range all {
		name := names[i]
		if cut {
			name = cutFront(name, nameWidth)
		}
		p, m := scaled(d.plus, d.minus, most, bar)
		out = append(out, strings.TrimRight(fmt.Sprintf("%-*s %s%s | %*d %s%s", outcome, d.Outcome,
			name, strings.Repeat(" ", max(0, nameWidth-lipgloss.Width(name))), number, d.plus+d.minus,
			strings.Repeat("+", p), strings.Repeat("-", m)), " "))
	}
	return append(out, fmt.Sprintf("%s: +%s -%s", Count(len(all), "note"), Commas(plus), Commas(minus)))
}

// scaled gives the lengths of two bars that have room for so many signs when the
// longest stand for most lines. What is not nothing is at least one sign.
func scaled(plus, minus, most, room int) (p, m int) {
	if most <= room {
		return plus, minus
	}
	one := func(n int) int {
		if n == 0 {
			return 0
		}
		return max(1, n*room/most)
	}
	return one(plus), one(minus)
}

// cutFront shortens a name at its beginning, where its folders stand.
func cutFront(name string, width int) string {
	if lipgloss.Width(name) <= width {
		return name
	}
	runes := []rune(name)
	for len(runes) > 0 && lipgloss.Width(string(runes))+1 > width {
		runes = runes[1:]
	}
	return "…" + string(runes)
}

// CutBack shortens a line at its end.
func CutBack(line string, width int) string {
	if lipgloss.Width(line) <= width {
		return line
	}
	at, room := 0, width-1
	for i, r := range line {
		w := lipgloss.Width(string(r))
		if r == '\t' {
			w = 8
		}
		if room -= w; room < 0 {
			break
		}
		at = i + len(string(r))
	}
	return line[:at] + "…"
}
