package present

import (
	"testing"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestSummaryIsWordedForAPerson(t *testing.T) {
	quiet := extract.Report{Sessions: extract.SessionCounts{Listed: 21, Unchanged: 21}}
	one := extract.Report{
		Sessions: extract.SessionCounts{Listed: 21, Changed: 1},
		Notes:    extract.NoteCounts{Updated: 1},
	}
	much := extract.Report{
		Sessions:   extract.SessionCounts{Listed: 2310, New: 3, Changed: 9},
		Notes:      extract.NoteCounts{Created: 1800, Updated: 2, Kept: 1, Tombstoned: 2},
		Kept:       []extract.KeptNote{{Note: "Agents/a.md", Reason: "body edited"}},
		Partial:    []extract.PartialSession{{Session: "58b1bdc8", Damage: []string{"1 line could not be read"}}},
		Redactions: map[string]int{"jwt": 1, "github-pat": 3},
	}
	dry := one
	dry.DryRun = true
	for _, test := range []struct {
		name   string
		report extract.Report
		want   []string
	}{
		{"nothing new", quiet, []string{"Nothing new: 21 sessions up to date."}},
		{"one note", one, []string{"1 session read (0 new), 1 note updated"}},
		{"dry run", dry, []string{"1 session read (0 new), 1 note updated (dry run: nothing was written)"}},
		{"much", much, []string{
			"12 sessions read (3 new), 1,800 notes created, 2 updated, 1 kept",
			"kept Agents/a.md: body edited",
			"partly read 58b1bdc8: 1 line could not be read",
			"2 notes you deleted will not come back, unless by sessionloom restore",
			"masked secrets: github-pat 3, jwt 1",
		}},
	} {
		expect.List(t, Summary(&test.report, false, "/home/dev"), test.want, test.name)
	}
}

func TestLongListsAreCounted(t *testing.T) {
	var r extract.Report
	for range Listed + 2 {
		r.Kept = append(r.Kept, extract.KeptNote{Note: "n.md", Reason: "body edited"})
	}
	got := Summary(&r, false, "/home/dev")
	if len(got) != 1+Listed+1 || got[len(got)-1] != "  … and 2 more (-v names all)" {
		t.Errorf("%d lines, the last %q", len(got), got[len(got)-1])
	}
}

func TestNumbersReadWell(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1000: "-1,000", -100: "-100", 1234567: "1,234,567"} {
		expect.Is(t, Commas(n), want, "commas", n, "=")
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 9949: "9.9 kB", 12_345: "12 kB", 3e9: "3.0 GB"} {
		expect.Is(t, bytesize(n), want, "bytesize", n, "=")
	}
}
