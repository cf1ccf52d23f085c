package present

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract/catalog"
)

// MissingLines count the sessions without a note by reason, but for those that were deleted or
// forgotten: these have a place of their own. told names them.
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
		return "nobody typed a prompt in it (with the setting automatic: write it gets a note)"
	case catalog.Deleted:
		return "you deleted its note"
	case catalog.Forgotten:
		return "you had it forgotten"
	}
	return "outside of the filters, or not written yet"
}
