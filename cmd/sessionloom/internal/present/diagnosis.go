package present

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
)

// Diagnosis is what `doctor --json` prints (schema 1).
type Diagnosis struct {
	Schema int      `json:"schema"`
	Checks []Health `json:"checks"`
}

// Health is the result of one check.
type Health struct {
	What string `json:"what"` // such as "vault"
	OK   bool   `json:"ok"`
	Text string `json:"text"`
	Mend string `json:"mend,omitempty"` // the command that fixes it, or what to do
}

// Good records a passed check.
func (d *Diagnosis) Good(what, format string, args ...any) {
	d.Checks = append(d.Checks, Health{What: what, OK: true, Text: fmt.Sprintf(format, args...)})
}

// Bad records a failed check, and how to fix it.
func (d *Diagnosis) Bad(what, mend, format string, args ...any) {
	d.Checks = append(d.Checks, Health{What: what, Text: fmt.Sprintf(format, args...), Mend: mend})
}

// Clock compares the clock with the last run.
func (d *Diagnosis) Clock(last, now time.Time) {
	if last.After(now.Add(time.Minute)) {
		d.Bad("clock", "set the clock of this machine", "it says %s, and the last run was at %s", now.UTC().Format(time.RFC3339), last.UTC().Format(time.RFC3339))
		return
	}
	d.Good("clock", "%s", now.Format("2006-01-02 15:04 MST"))
}

// Wrong counts the failed checks.
func (d *Diagnosis) Wrong() (n int) {
	for _, c := range d.Checks {
		if !c.OK {
			n++
		}
	}
	return n
}

// Lines returns a line for each check, and one more if something is to be done.
func (d *Diagnosis) Lines(width int) []string {
	column := 0
	for _, c := range d.Checks {
		column = max(column, lipgloss.Width(c.What))
	}
	var lines []string
	for _, c := range d.Checks {
		mark := "ok   "
		if !c.OK {
			mark = LeadLook + " "
		}
		head := fmt.Sprintf("%s%-*s  ", mark, column, c.What)
		text := WrapTo(c.Text, len(head), width)
		text[0] = head + strings.TrimLeft(text[0], " ")
		lines = append(lines, text...)
		if c.Mend != "" {
			lines = append(lines, WrapTo(c.Mend, column+len(mark)+2, width)...)
		}
	}
	if n := d.Wrong(); n > 0 {
		return append(lines, "", Count(n, "thing")+" to look at")
	}
	return append(lines, "", "all is well")
}
