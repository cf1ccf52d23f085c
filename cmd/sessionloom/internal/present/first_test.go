package present

import (
	"slices"
	"testing"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// The first sync names each reason for which a session has no note.
func TestFirstSync(t *testing.T) {
	var missing []catalog.Missing
	for why, n := range map[catalog.Why]int{catalog.Empty: 1, catalog.Ignored: 4, catalog.Copied: 2, catalog.RowsOnly: 1, catalog.Deleted: 3} {
		missing = append(missing, slices.Repeat([]catalog.Missing{{Why: why}}, n)...)
	}
	r := &extract.Report{}
	r.Notes.Created, r.Sessions.Excluded, r.Sessions.Failed = 1086, 9, 6
	f := FirstSync{Sessions: 328, Missing: missing, Home: "/home/ada/Vault/Agents/Home.md", Link: "obsidian://open?path=x", Limits: []string{"since"}}
	want := []string{
		"328 sessions in 1,086 notes. Open: obsidian://open?path=x (~/Vault/Agents/Home.md)",
		"left out: 1 session without content, 5 left out by a filter, 4 in folders with a file .sessionloomignore, " +
			"2 contained in another session, 1 known only from a database or typed prompts, 6 not readable now, all outside of since",
	}
	expect.List(t, f.Words(r, "/home/ada"), want)
	expect.List(t, (FirstSync{Sessions: 1}).Words(&extract.Report{}, ""), []string{"1 session in 0 notes."})
}
