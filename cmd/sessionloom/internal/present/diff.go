package present

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/aymanbagabas/go-udiff"

	"github.com/sessionloom/sessionloom/extract"
)

// Diff is what happens to one note: diff, sync --dry-run and apply show it
// alike.
type Diff struct {
	Note    string // path from the vault's root
	From    string // where it lay before it is moved; empty: it stays
	ID      string
	Outcome string
	Reason  string // why something of ours was refused
	Hunks   string // unified, without a header
	plus    int
	minus   int
	created bool
	removed bool
	Wanted  string // hunks of what was refused, on top of the rest
}

// Diffs brings together what a report says of each note.
func Diffs(r *extract.Report) []Diff {
	reasons := map[string]string{}
	for _, k := range r.Kept {
		reasons[k.Note] = k.Reason
	}
	var out []Diff
	for rest := r.Changed; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Note == rest[0].Note {
			n++
		}
		d := joinChanges(rest[:n])
		d.Reason = reasons[d.Note]
		if d.Hunks != "" || d.Wanted != "" || d.From != "" {
			out = append(out, d)
		}
		rest = rest[n:]
	}
	return out
}

// joinChanges makes one of the steps in which a note came to its new text.
func joinChanges(steps []extract.Change) Diff {
	d := Diff{Note: steps[0].Note}
	var old, now, wanted []byte
	seen := false
	for _, c := range steps {
		d.ID, d.From = cmp.Or(d.ID, c.ID), cmp.Or(d.From, c.From)
		if c.Outcome != "moved" || d.Outcome == "" {
			d.Outcome = c.Outcome
		}
		if c.Old == nil && c.New == nil {
			continue
		}
		if !seen {
			old, seen = c.Old, true
		}
		now, wanted = c.New, c.Wanted
	}
	if seen {
		d.created, d.removed = len(old) == 0, len(now) == 0
		d.Hunks = hunksOf(old, now)
		d.plus, d.minus = lines(d.Hunks)
	}
	if d.created {
		d.Outcome = "created"
	}
	if wanted != nil {
		d.Wanted = hunksOf(now, wanted)
	}
	return d
}

// hunksOf is a unified diff without its header; empty where nothing differs.
func hunksOf(old, now []byte) string {
	if bytes.Equal(old, now) {
		return ""
	}
	u, err := udiff.ToUnifiedDiff("a", "b", string(old), udiff.Lines(string(old), string(now)), udiff.DefaultContextLines)
	if err != nil { // its own edits always fit
		return ""
	}
	// The library counts the lines of the new text wrong behind a hunk that holds
	// several changes.
	shift := 0
	for _, h := range u.Hunks {
		h.ToLine = h.FromLine + shift
		for _, l := range h.Lines {
			switch l.Kind {
			case udiff.Insert:
				shift++
			case udiff.Delete:
				shift--
			}
		}
	}
	_, text, _ := strings.Cut(u.String(), "\n")
	_, text, _ = strings.Cut(text, "\n")
	return text
}

// lines counts the added and removed lines of hunks.
func lines(hunks string) (plus, minus int) {
	for line := range strings.Lines(hunks) {
		switch line[0] {
		case '+':
			plus++
		case '-':
			minus++
		}
	}
	return plus, minus
}

// Title says what happens to the note, in one line.
func (d Diff) Title() string {
	text := d.Outcome + " " + d.Note
	if d.From != "" {
		text += " (from " + d.From + ")"
	}
	if d.Reason != "" {
		text += ": " + d.Reason
	}
	return text
}

// Header is what git and patch need before the hunks, nothing where the file
// stays as it is.
func (d Diff) Header() string {
	if d.Hunks == "" && d.From == "" {
		return ""
	}
	before := cmp.Or(d.From, d.Note)
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git %s %s\n", quoted("a/"+before), quoted("b/"+d.Note))
	from, to := "a/"+before, "b/"+d.Note
	switch {
	case d.created:
		b.WriteString("new file mode 100644\n")
		from = "/dev/null"
	case d.removed:
		b.WriteString("deleted file mode 100644\n")
		to = "/dev/null"
	case d.From != "":
		fmt.Fprintf(&b, "rename from %s\nrename to %s\n", quoted(d.From), quoted(d.Note))
	}
	if d.Hunks != "" {
		fmt.Fprintf(&b, "--- %s\n+++ %s\n", ended(from), ended(to))
	}
	return b.String()
}

// quoted is a name as git writes it: one with signs that a line cannot hold stands
// in quotes.
func quoted(name string) string {
	plain := func(r rune) bool { return r >= ' ' && r != 0x7f && r != '"' && r != '\\' }
	if strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return `"` + b.String() + `"`
}

// ended is a name as it stands in a header: behind one with a blank in it there
// is a tab, by which patch knows its end.
func ended(name string) string {
	if q := quoted(name); q != name {
		return q
	}
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}

// IsNamed tells whether an argument of the user means the note at a path, with an
// id: by its path from the vault's root or the managed folder, by its file name,
// its id, or the id of a session for all of its notes.
func IsNamed(arg, note, id string) bool {
	trim := func(p string) string { return strings.TrimSuffix(p, ".md") }
	_, inside, _ := strings.Cut(note, "/")
	for _, name := range []string{note, inside, path.Base(note)} {
		if trim(name) == trim(arg) {
			return true
		}
	}
	return id != "" && arg != "" && strings.Contains(":"+id+":", ":"+arg+":")
}

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
