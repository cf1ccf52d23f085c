package present

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/sessionloom/sessionloom/extract"
)

// Diff is the change of one note.
type Diff struct {
	Note     string // relative to the vault's root
	From     string // former path of a moved note, or ""
	ID       string
	Outcome  string
	Reason   string // why text was refused
	Hunks    string // unified, without a header
	created  bool
	removed  bool
	Unmerged string // hunks of refused text, on top of the rest
}

// Diffs collects the diffs of a report, by note.
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
		if d.Hunks != "" || d.Unmerged != "" || d.From != "" {
			out = append(out, d)
		}
		rest = rest[n:]
	}
	return out
}

// joinChanges combines the steps by which a note got its new text.
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
		now, wanted = c.New, c.Unmerged
	}
	if seen {
		d.created, d.removed = len(old) == 0, len(now) == 0
		d.Hunks = hunksOf(old, now)
	}
	if d.created {
		d.Outcome = "created"
	}
	if wanted != nil {
		d.Unmerged = hunksOf(now, wanted)
	}
	return d
}

// hunksOf returns a unified diff without its header, or "".
func hunksOf(old, now []byte) string {
	if bytes.Equal(old, now) {
		return ""
	}
	u, err := udiff.ToUnifiedDiff("a", "b", string(old), udiff.Lines(string(old), string(now)), udiff.DefaultContextLines)
	if err != nil { // its own edits always fit
		return ""
	}
	// The library miscounts the lines of the new text after a hunk with several changes.
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

// Title says in one line what happens to the note.
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

// Header returns the header that git and patch need before the hunks.
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

// quoted returns a name as git writes it.
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

// ended returns a name for a header: a tab ends one with a blank.
func ended(name string) string {
	if q := quoted(name); q != name {
		return q
	}
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}

// IsNamed reports whether an argument means a note: by path, file name, id, or the id of its session.
func IsNamed(arg, note, id string) bool {
	trim := func(p string) string { return strings.TrimSuffix(p, ".md") }
	_, inside, _ := strings.Cut(note, "/")
	named := slices.ContainsFunc([]string{note, inside, path.Base(note)}, func(name string) bool { return trim(name) == trim(arg) })
	return named || id != "" && arg != "" && strings.Contains(":"+id+":", ":"+arg+":")
}
