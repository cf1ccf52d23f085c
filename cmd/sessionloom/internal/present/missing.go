package present

import (
	"cmp"
	"path/filepath"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/homepath"
	"github.com/sessionloom/sessionloom/extract/catalog"
)

// MissingLines name the sessions without a note, with the reason, but for those that were deleted
// or forgotten: these have a place of their own. told names all.
func MissingLines(all []catalog.Missing, home string, width int, told bool) []string {
	var entries []named
	for _, m := range all {
		if m.Why != catalog.Deleted && m.Why != catalog.Forgotten {
			entries = append(entries, named{m.Session, whyMissing(m, home)})
		}
	}
	if len(entries) == 0 {
		return nil
	}
	lines := []string{Count(len(entries), "session") + " without a note:"}
	return appendList(lines, entries, told, func(e named) []string { return listEntry(e.name, e.why, width) })
}

func whyMissing(m catalog.Missing, home string) string {
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
