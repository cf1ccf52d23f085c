package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract"
)

// leftOf tells how many days are left, the first to go first.
func leftOf(all []extract.Expiring, now time.Time) []expiring {
	out := make([]expiring, 0, len(all))
	for _, e := range all {
		x := expiring{Expiring: e}
		if !e.At.IsZero() {
			days := int(math.Floor(e.At.Sub(now).Hours() / 24))
			x.DaysLeft = &days
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b expiring) int {
		if c := a.Used.Compare(b.Used); c != 0 {
			return c
		}
		return strings.Compare(a.Path, b.Path)
	})
	return out
}

// expiringWords tells what expires: that which no pass has read yet by name, the
// rest by number; told names all.
func expiringWords(all []expiring, home string, width int, told bool) []string {
	var open, safe []expiring
	for _, x := range all {
		if x.Archived {
			safe = append(safe, x)
		} else {
			open = append(open, x)
		}
	}
	name := func(lines []string, some []expiring, told bool) []string {
		for _, x := range head(some, told) {
			lines = append(lines, listEntry(tilde(x.Path, home), x.words(), width)...)
		}
		return more(lines, len(some), told)
	}
	var lines []string
	if len(open) > 0 {
		lines = append(lines, leadExpiring+": "+commas(len(open)))
		lines = name(lines, open, told)
	}
	if len(safe) > 0 {
		lines = append(lines, fmt.Sprintf("expiring, and safe in what passes read: %s", commas(len(safe))))
		if told {
			lines = name(lines, safe, told)
		}
	}
	return lines
}

// words say when it goes.
func (x expiring) words() string {
	switch {
	case x.DaysLeft != nil && *x.DaysLeft < 0:
		return x.What + ", may go at any time"
	case x.DaysLeft != nil && *x.DaysLeft == 0:
		return x.What + ", less than a day left"
	case x.DaysLeft != nil:
		return fmt.Sprintf("%s, %s left", x.What, count(*x.DaysLeft, "day"))
	case x.After == nil || *x.After == 0:
		return x.What + ", may go at any time"
	case *x.After == 1:
		return x.What + ", goes with the next new one"
	}
	return fmt.Sprintf("%s, goes after %s newer ones", x.What, commas(*x.After))
}
