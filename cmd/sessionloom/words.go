package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/extract"
)

// listed is how many notes of a kind a summary names before it counts the rest.
const listed = 20

// summary puts a report into a few lines. told adds what -v asks for; home is
// the folder to be shortened in paths.
func summary(r *extract.Report, told bool, home string) []string {
	lines := []string{headline(r)}
	for _, k := range head(r.Kept, told) {
		lines = append(lines, "kept "+keptWords(k))
	}
	lines = more(lines, len(r.Kept), told)
	for _, s := range head(r.Partial, told) {
		lines = append(lines, "partly read "+partWords(s))
	}
	lines = more(lines, len(r.Partial), told)
	if n := r.Notes.Tombstoned; n > 0 {
		lines = append(lines, count(n, "note")+" you deleted will not come back, unless by sessionloom restore")
	}
	if masked := tally(r.Redactions); masked != "" {
		lines = append(lines, "masked secrets: "+masked)
	}
	if told {
		lines = append(lines, particulars(r, home)...)
	}
	return lines
}

func keptWords(k extract.KeptNote) string { return k.Note + ": " + k.Reason }

func partWords(s extract.PartialSession) string {
	return s.Session + ": " + strings.Join(s.Damage, ", ")
}

// headline is the one line that says what a run did.
func headline(r *extract.Report) string {
	var parts []string
	if read := r.Sessions.New + r.Sessions.Changed; read > 0 {
		parts = append(parts, fmt.Sprintf("%s read (%s new)", count(read, "session"), commas(r.Sessions.New)))
	}
	noun := func(n int) string { return count(n, "note") }
	for _, f := range []struct {
		n    int
		what string
	}{
		{r.Notes.Created, "created"}, {r.Notes.Updated, "updated"}, {r.Notes.Merged, "merged"},
		{r.Notes.Moved, "moved"}, {r.Notes.Removed, "removed"}, {r.Notes.Kept, "kept"}, {r.Notes.Failed, "failed"},
	} {
		if f.n > 0 {
			parts = append(parts, noun(f.n)+" "+f.what)
			noun = commas // only the first count names its noun
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("Nothing new: %s up to date.", count(r.Sessions.Listed-r.Sessions.Failed, "session"))
	}
	line := strings.Join(parts, ", ")
	if r.DryRun {
		line += " (dry run: nothing was written)"
	}
	return line
}

// particulars are the lines of -v: every change, and what is good to know but
// asks for nothing.
func particulars(r *extract.Report, home string) []string {
	var lines []string
	for _, c := range r.Changed {
		if c.Outcome != "kept" {
			lines = append(lines, c.Outcome+" "+c.Note)
		}
	}
	for _, f := range []struct {
		n    int
		what string
	}{
		{r.Sessions.Vanished, "no longer on this machine; the notes stay"},
		{r.Sessions.Empty, "without content, no note"},
		{r.Sessions.Excluded, "outside of what this run looked at"},
		{r.StoreOnly, "known only from rows of a session-store.db (setting store_only of the source)"},
	} {
		if f.n > 0 {
			lines = append(lines, count(f.n, "session")+" "+f.what)
		}
	}
	for _, l := range r.LeftTo {
		lines = append(lines, "session "+l.Session+" told whole by "+l.To+", no note")
	}
	for _, f := range r.Ignored {
		lines = append(lines, leftOutBy(f, home))
	}
	for _, s := range r.Sources {
		if s.Items == 0 {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s %s: %s, %d read (%s)", s.Name, tilde(s.Root, home), count(s.Items, "item"), s.Read, bytesize(s.BytesRead)))
		if unknown := tally(s.Unknown); unknown != "" {
			lines = append(lines, "  unknown kinds: "+unknown)
		}
	}
	return append(lines, fmt.Sprintf("took %.1f s", float64(r.ElapsedMS)/1000))
}

// failures words the problems of a run as pairs of error and hint.
func failures(problems []extract.Problem, home string) []*failure {
	var out []*failure
	for _, p := range problems {
		what := p.Path
		if what == "" {
			what = p.Item
		}
		f := &failure{code: exitPartial, hint: p.Hint, err: fmt.Errorf("%s", p.Error)}
		if what != "" && !strings.Contains(p.Error, what) {
			f.err = fmt.Errorf("%s: %s", tilde(what, home), p.Error)
		}
		out = append(out, f)
	}
	return out
}

// head cuts a list to what a summary names.
func head[T any](all []T, told bool) []T {
	if !told && len(all) > listed {
		return all[:listed]
	}
	return all
}

// more says how many of a list of n were not named.
func more(lines []string, n int, told bool) []string {
	if rest := n - listed; !told && rest > 0 {
		return append(lines, fmt.Sprintf("  … and %s more (-v names all)", commas(rest)))
	}
	return lines
}

// tally words counts by name, in the order of the names.
func tally(counts map[string]int) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, fmt.Sprintf("%s %s", k, commas(counts[k])))
	}
	return strings.Join(out, ", ")
}

// count is a number with its noun: "1 note", "2,310 notes".
func count(n int, noun string) string { return commas(n) + " " + plural(n, noun) }

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// commas writes a number with commas between the thousands.
func commas(n int) string {
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

// tilde writes the home folder in its short form.
func tilde(path, home string) string {
	if path == home {
		return "~"
	}
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		return filepath.Join("~", rest)
	}
	return path
}
