package brief_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/extract/brief"
	"github.com/sessionloom/sessionloom/extract/catalog"
	"github.com/sessionloom/sessionloom/extract/internal/facts"
	"github.com/sessionloom/sessionloom/extract/internal/names"
	"github.com/sessionloom/sessionloom/extract/ledger"
	"github.com/sessionloom/sessionloom/testdata"
	"github.com/sessionloom/sessionloom/testdata/expect"
	"github.com/sessionloom/sessionloom/vault/inert"
)

const key = "github.com/octo-org/widget"

// history makes a state with the sessions of a project, and reads it up to a time.
func history(t *testing.T, sessions []facts.Facts, o brief.Options) *brief.History {
	t.Helper()
	l := expect.Value(ledger.Open(t.TempDir(), ledger.Options{}))(t)
	t.Cleanup(func() { _ = l.Close() })
	for _, f := range sessions {
		packed := expect.Value(f.Encode())(t)
		row := ledger.NoteRow{ID: f.ID, Path: f.ID + ".md", Type: f.Type, Session: f.Session(), Project: f.Project, State: ledger.Present,
			Created: f.Created.Format(time.RFC3339), Updated: f.Updated.Format(time.RFC3339), Facts: packed}
		for _, r := range f.Of(facts.RowDay) {
			row.Keys = append(row.Keys, "day:"+r.What)
		}
		l.PutNote(row, false)
	}
	expect.OK(t, l.Failed())
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	o.HotFiles = facts.HotFiles{MinSessions: 2, HalfLife: 30, Listed: 15}
	return brief.From(l, catalog.New(l, "Agents"), o)
}

// begin is when the first session of the tests began.
var begin = time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)

// session is one on a day of its own, all of whose texts are made of one.
func session(i int, text string) facts.Facts {
	at := begin.AddDate(0, 0, i)
	id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", i+1)
	row := func(k, what, text string) facts.Row {
		return facts.Row{Key: k, At: at.Add(time.Hour), From: "t-0a0b0c0d", What: what, Text: text}
	}
	f := facts.Facts{
		ID: names.SessionID(id), Type: names.TypeSession, Project: key, Agent: "copilot-cli", Branch: text, Created: at, Updated: at.Add(2 * time.Hour),
		Title: text, Summary: fmt.Sprintf("came of %d: %s", i, text),
	}
	f.Rows = []facts.Row{
		row(facts.RowDay, at.Format(time.DateOnly), "day: "+text), row(facts.RowFile, "", "cmd/"+text), row(facts.RowFile, "", "main.go"),
		row(facts.RowRef, fmt.Sprintf("commit:%07x", i+1), text), row(facts.RowRef, fmt.Sprintf("pr:%d", i+1), text),
		act(row(facts.RowOpen, fmt.Sprintf("open-%08x", i), fmt.Sprintf("alpha%d beta%d gamma%d %s", i, i, i, text)), "list"),
		act(row(facts.RowDecision, "", fmt.Sprintf("Decision %d: %s", i, text)), "plan"), row(facts.RowCommand, "test", fmt.Sprintf("go test -count=%d %s", i, text)),
		row(facts.RowFix, "", text+facts.FixArrow+text), row(facts.RowPrompt, "", text), row(facts.RowCwd, "", "~/src/"+text),
	}
	return f
}

// act is a row that rests on an act.
func act(r facts.Row, kind string) facts.Row {
	r.From = facts.FromAct(kind, r.From)
	return r
}

func some(n int, text string) (out []facts.Facts) {
	for i := range n {
		out = append(out, session(i, text))
	}
	return out
}

// all is a period that holds all sessions of the tests.
var all = brief.Options{Since: begin.AddDate(0, 0, 20), Until: begin.AddDate(1, 0, 0)}

// What a larger budget gives holds all that a smaller one gives, and none is exceeded.
func TestLinesKeepToTheBudget(t *testing.T) {
	for _, text := range []string{"refuse empty keys", "レイテンシ計測のまとめ 📈", testdata.HostileLine()[:900]} {
		h := history(t, some(40, text), all)
		b, s := h.Project(key), h.Standup()
		for name, lines := range map[string]func(int) []string{"brief": b.Lines, "standup": s.Lines} {
			var before []string
			for budget := 50; budget <= 4000; budget += 101 {
				now := lines(budget)
				if n := brief.Tokens(strings.Join(now, "\n") + "\n"); n > budget {
					t.Fatalf("%s of %.20q has %d tokens, %d may be", name, text, n, budget)
				}
				if !isWithin(before, now) {
					t.Fatalf("%s of %.20q loses lines with a budget of %d", name, text, budget)
				}
				before = now
			}
			if whole := lines(0); !isWithin(before, whole) || len(whole) < 40 {
				t.Errorf("%s of %.20q has %d lines without a budget", name, text, len(whole))
			}
		}
		last := b.Lines(400)
		if !strings.HasPrefix(last[len(last)-1], "Go on: ") {
			t.Errorf("the last line is %q", last[len(last)-1])
		}
	}
}

// isWithin reports whether all lines stand among others, in their order.
func isWithin(lines, among []string) bool {
	for _, line := range among {
		if len(lines) > 0 && lines[0] == line {
			lines = lines[1:]
		}
	}
	return len(lines) == 0
}

// Nothing that a session says acts in markdown, or shows a secret.
func TestHostileTextIsInert(t *testing.T) {
	for i, text := range testdata.HostileSeeds() {
		text = strings.Join(strings.Fields(text), " ")
		h := history(t, some(3, text), all)
		for _, lines := range [][]string{h.Project(key).Lines(0), h.Standup().Lines(0)} {
			page := strings.Join(lines, "\n") + "\n"
			for _, f := range inert.Find(page) {
				t.Errorf("text %d, %.60q: %v", i, text, f)
			}
			if strings.ContainsAny(page, "\ue000\ue001\x1b\x00\u202e") {
				t.Errorf("text %d has a raw mask or a control character", i)
			}
		}
	}
}

// One secret has one number, wherever it stands.
func TestMasksAreNumbered(t *testing.T) {
	const mask = "\ue000github-token~0123456789ab\ue001"
	b := history(t, some(2, "with "+mask), all).Project(key)
	page := strings.Join(b.Lines(0), "\n")
	if !strings.Contains(page, "with [redacted:github-token#1]") || strings.Contains(page, "#2]") {
		t.Errorf("masks are not numbered:\n%s", page)
	}
}

// What came later is not known.
func TestUntil(t *testing.T) {
	sessions := some(9, "x y z")
	now := brief.Options{Since: begin, Until: begin.AddDate(0, 0, 4).Add(90 * time.Minute)}
	then := history(t, sessions[:5], now).Project(key)
	later := history(t, sessions, now).Project(key)
	if got, want := fmt.Sprint(later.Lines(0)), fmt.Sprint(then.Lines(0)); got != want {
		t.Errorf("later sessions show:\n%s\nwant\n%s", got, want)
	}
	if later.Sessions != 5 || later.Now[0].Outcome != "day: x y z" {
		t.Errorf("%d sessions, the last one with %q", later.Sessions, later.Now[0].Outcome)
	}
	early := history(t, sessions, brief.Options{Since: begin, Until: begin.AddDate(-1, 0, 0)}).Project(key)
	if lines := early.Lines(0); early.Sessions != 0 || len(lines) != 3 {
		t.Errorf("before the first session: %q", lines)
	}
}

// Days are those of the zone, and nothing is counted twice.
func TestStandupHasTheDaysOfTheZone(t *testing.T) {
	zone := time.FixedZone("", 10*60*60) // 9:00 in UTC is 19:00, and 10:00 still the same day
	o := brief.Options{Since: begin.AddDate(0, 0, 2).In(zone), Until: begin.AddDate(0, 0, 3).In(zone).Add(4 * time.Hour), Zone: zone}
	s := history(t, some(9, "zebra"), o).Standup()
	if len(s.Projects) != 1 || len(s.Projects[0].Outcomes) != 2 || len(s.Projects[0].Refs) != 4 || len(s.Projects[0].OpenEnds) != 1 {
		t.Errorf("%+v", s)
	}
	if lines := s.Lines(0); lines[0] != "# Done from 2026-11-03 to 2026-11-04" {
		t.Errorf("%q", lines[0])
	}
	o.Since, o.Until = begin.AddDate(0, 0, -9), begin.AddDate(0, 0, -8)
	if lines := history(t, some(9, "x y z"), o).Standup().Lines(0); !slices.Contains(lines, "Nothing.") {
		t.Errorf("%q", lines)
	}
}

// What the filter leaves out is not known.
func TestFilter(t *testing.T) {
	o := all
	o.Filter.Excluded = []string{"widget"}
	h := history(t, some(3, "x y z"), o)
	if b := h.Project(key); b.Sessions != 0 || b.Open != 0 {
		t.Errorf("%+v", b)
	}
	if s := h.Standup(); len(s.Projects) != 0 {
		t.Errorf("%+v", s)
	}
	o = all
	o.Filter.Sources = []string{"vscode"} // no session has a layer
	if b := history(t, some(3, "x y z"), o).Project(key); b.Sessions != 0 {
		t.Errorf("%+v", b)
	}
}

func TestTokens(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "abc": 1, "abcd": 2, "2026-11-03": 7, "日本": 2, "📈": 2, "a b": 1, "aé": 2} {
		expect.Is(t, brief.Tokens(text), want, text, "tokens")
	}
}
