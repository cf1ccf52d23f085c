package present

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract"
)

// DaysLeft tells how many days are left, the first to go first.
func DaysLeft(all []extract.Expiring, now time.Time) []Expiring {
	out := make([]Expiring, 0, len(all))
	for _, e := range all {
		x := Expiring{Expiring: e}
		if !e.At.IsZero() {
			days := int(math.Floor(e.At.Sub(now).Hours() / 24))
			x.DaysLeft = &days
		}
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b Expiring) int {
		if c := a.Used.Compare(b.Used); c != 0 {
			return c
		}
		return strings.Compare(a.Path, b.Path)
	})
	return out
}

// expiringWords tells what expires: that which no pass has read yet by name, the
// rest by number; told names all.
func expiringWords(all []Expiring, home string, width int, told bool) []string {
	var open, safe []Expiring
	for _, x := range all {
		if x.Archived {
			safe = append(safe, x)
		} else {
			open = append(open, x)
		}
	}
	name := func(lines []string, some []Expiring, told bool) []string {
		for _, x := range Head(some, told) {
			lines = append(lines, listEntry(homepath.Tilde(x.Path, home), x.words(), width)...)
		}
		return more(lines, len(some), told)
	}
	var lines []string
	if len(open) > 0 {
		lines = append(lines, LeadExpiring+": "+Commas(len(open)))
		lines = name(lines, open, told)
	}
	if len(safe) > 0 {
		lines = append(lines, fmt.Sprintf("expiring, and safe in what passes read: %s", Commas(len(safe))))
		if told {
			lines = name(lines, safe, told)
		}
	}
	return lines
}

// words say when it goes.
func (x Expiring) words() string {
	switch {
	case x.DaysLeft != nil && *x.DaysLeft < 0:
		return x.What + ", may go at any time"
	case x.DaysLeft != nil && *x.DaysLeft == 0:
		return x.What + ", less than a day left"
	case x.DaysLeft != nil:
		return fmt.Sprintf("%s, %s left", x.What, Count(*x.DaysLeft, "day"))
	case x.After == nil || *x.After == 0:
		return x.What + ", may go at any time"
	case *x.After == 1:
		return x.What + ", goes with the next new one"
	}
	return fmt.Sprintf("%s, goes after %s newer ones", x.What, Commas(*x.After))
}
