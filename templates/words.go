package templates

import (
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// Words only take times and numbers, which need no escaper. Nothing depends on today.

const (
	dayLayout   = "Mon 2 Jan 2006"
	sameYear    = "Mon 2 Jan"
	clockLayout = "15:04"
)

// day prints "Tue 3 Nov 2026".
func day(t time.Time) string { return layout(t, dayLayout) }

func date(t time.Time) string { return layout(t, "2 Jan 2006") }

func clock(t time.Time) string { return layout(t, clockLayout) }

func in(form string) func(time.Time) string {
	return func(t time.Time) string { return layout(t, form) }
}

func layout(t time.Time, layout string) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(layout)
}

// since prints "on 3 Nov 2026", or "from 3 Nov 2026 to 12 Jan 2027".
func since(first, last time.Time) string {
	a, b := date(first), date(last)
	switch {
	case a == "" && b == "":
		return ""
	case a == "" || b == "" || a == b:
		return "on " + a + strings.TrimPrefix(b, a)
	}
	return "from " + a + " to " + b
}

// period prints "2 – 8 Nov 2026".
func period(first, last time.Time) string {
	from := "2 Jan 2006"
	switch {
	case first.Year() == last.Year() && first.Month() == last.Month():
		from = "2"
	case first.Year() == last.Year():
		from = "2 Jan"
	}
	return layout(first, from) + " – " + date(last)
}

// spans prints "Tue 3 Nov 2026, 08:30–09:28, and Wed 4 Nov, 08:03"; of many, three.
func spans(list []Span) string {
	const most = 4
	var parts []string
	var before time.Time
	for i, s := range list {
		if len(list) > most && i >= 2 && i < len(list)-1 {
			if i == 2 {
				parts = append(parts, strconv.Itoa(len(list)-3)+" more times")
			}
			continue
		}
		if !s.Start.IsZero() {
			parts = append(parts, stretch(s, before))
			before = s.Start
			if !s.End.IsZero() {
				before = s.End
			}
		}
	}
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return parts[0]
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + ", and " + parts[last]
}

// stretch prints one span, without repeating the day of before.
func stretch(s Span, before time.Time) string {
	text := nextDay(s.Start, before)
	if text != "" {
		text += ", "
	}
	text += clock(s.Start)
	if s.End.IsZero() || clock(s.End) == clock(s.Start) && day(s.End) == day(s.Start) {
		return text
	}
	if after := nextDay(s.End, s.Start); after != "" {
		return text + " – " + after + ", " + clock(s.End)
	}
	return text + "–" + clock(s.End)
}

// nextDay prints the day of t as needed after a mention of before.
func nextDay(t, before time.Time) string {
	switch {
	case day(t) == day(before):
		return ""
	case t.Year() == before.Year():
		return t.Format(sameYear)
	}
	return day(t)
}

// count prints "1 prompt", "2,400 prompts"; nothing for 0.
func count(n int, one, many string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 " + one
	}
	return number(n) + " " + many
}

func open(n int) string {
	if n == 0 {
		return ""
	}
	return number(n) + " open"
}

// number prints n with commas between thousands.
func number(n int) string {
	return humanize.Comma(int64(n))
}
