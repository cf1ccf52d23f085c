package present

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Count is a number with its noun: "1 note", "2,310 notes".
func Count(n int, noun string) string { return Commas(n) + " " + plural(n, noun) }

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// Commas writes a number with commas between the thousands.
func Commas(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// bytesize rounds to three digits: "12 B", "1.2 MB".
func bytesize(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	f, unit := float64(n)/1000, 0
	for f >= 999.5 && unit < 3 {
		f, unit = f/1000, unit+1
	}
	if f < 9.95 {
		return fmt.Sprintf("%.1f %cB", f, "kMGT"[unit])
	}
	return fmt.Sprintf("%.0f %cB", f, "kMGT"[unit])
}

// tally words counts by name, in the order of the names.
func tally(counts map[string]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, fmt.Sprintf("%s %s", k, Commas(counts[k])))
	}
	return strings.Join(out, ", ")
}

// seconds writes milliseconds as "1.2 s".
func seconds(ms int64) string { return fmt.Sprintf("%.1f s", float64(ms)/1000) }
