package present

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/catalog"
)

// FirstSync is the report about the first notes of a vault.
type FirstSync struct {
	Sessions   int    // number with a note
	Home, Link string // the note to begin with: its path, and a link that opens it
	Missing    []catalog.Missing
	Limits     []string // filters that exclude sessions: project, since, source
	Next       string   // the next command, or ""
}

// Words returns lines in place of the headline.
func (f FirstSync) Words(r *extract.Report, home string) []string {
	line := Count(f.Sessions, "session") + " in " + Count(r.Notes.Created, "note") + "."
	if f.Home != "" {
		line += " Open: " + f.Link + " (" + homepath.Tilde(f.Home, home) + ")"
	}
	lines := []string{line}
	out := leftOut(r, f.Missing)
	if len(f.Limits) > 0 {
		out = append(out, "all outside of "+strings.Join(f.Limits, " and "))
	}
	if len(out) > 0 {
		lines = append(lines, "left out: "+strings.Join(out, ", "))
	}
	return lines
}

// NextLine returns the last line.
func (f FirstSync) NextLine() []string {
	if f.Next == "" {
		return nil
	}
	return []string{"next: " + f.Next}
}

// leftOut counts the sessions without a note by reason; `status` names them.
func leftOut(r *extract.Report, missing []catalog.Missing) (parts []string) {
	count := map[catalog.Why]int{}
	for _, m := range missing {
		count[m.Why]++
	}
	count[catalog.Excluded] = r.Sessions.Excluded - count[catalog.Ignored]
	parts = countedBy(count)
	if n := r.Sessions.Failed; n > 0 {
		parts = append(parts, Commas(n)+" not readable now")
	}
	if len(parts) > 0 { // only the first count has its noun
		n, what, _ := strings.Cut(parts[0], " ")
		parts[0] = n + map[bool]string{true: " session ", false: " sessions "}[n == "1"] + what
	}
	return parts
}

// MissingLines counts the sessions without a note by reason; told names them.
func MissingLines(all []catalog.Missing, home string, width int, told bool) []string {
	var entries []named
	count := map[catalog.Why]int{}
	for _, m := range all {
		if m.Why != catalog.Deleted && m.Why != catalog.Forgotten {
			entries = append(entries, named{m.Session, WhyMissing(m, home)})
			count[m.Why]++
		}
	}
	if len(entries) == 0 {
		return nil
	}
	title := Count(len(entries), "session") + " without a note"
	if !told {
		return hang(title+" (-v names them): "+strings.Join(countedBy(count), ", "), width)
	}
	return appendList([]string{title + ":"}, entries, told, func(e named) []string { return listEntry(e.name, e.why, width) })
}

func countedBy(count map[catalog.Why]int) (parts []string) {
	for _, f := range []struct {
		why  catalog.Why
		what string
	}{
		{catalog.Empty, "without content"},
		{catalog.Excluded, "left out by a filter"},
		{catalog.Ignored, "in folders with a file " + IgnoreFile},
		{catalog.Copied, "contained in another session"},
		{catalog.RowsOnly, "known only from a database or typed prompts"},
		{catalog.Automatic, "in which nobody typed a prompt"},
	} {
		if n := count[f.why]; n > 0 {
			parts = append(parts, Commas(n)+" "+f.what)
		}
	}
	return parts
}

// WhyMissing says why a session has no note.
func WhyMissing(m catalog.Missing, home string) string {
	switch m.Why {
	case catalog.Ignored:
		return "left out, as " + homepath.Tilde(filepath.Join(m.By, IgnoreFile), home) + " says"
	case catalog.Copied:
		return "a copy, all of it stands in " + cmp.Or(m.By, "another session")
	case catalog.Empty:
		return "empty, nothing was said or done in it"
	case catalog.RowsOnly:
		return "only a database entry or typed prompts are left, it may be one you deleted (with the setting store_only or prompt_only: write, sync --full makes a note)"
	case catalog.Automatic:
		return "nobody typed a prompt in it"
	case catalog.Deleted:
		return "you deleted its note"
	case catalog.Forgotten:
		return "you had it forgotten"
	}
	return "outside of the filters, or not written yet"
}
