package ends

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFind(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"boxes": {"Before the tag:\n\n- ☐ load test with ten keys (issue 45)\n- ☐ decide on replay until `exp` (T4 of the audit)\n- ☑ docs describe rotation\n- [x] changelog\n- [ ] more\n",
			"box load test with ten keys (issue 45)|box decide on replay until `exp` (T4 of the audit)|done docs describe rotation|done changelog|box more"},
		"a lead-in": {"All in.\n\nLeft open: the docs page on signing in still describes cookies (todo `docs`)",
			"led the docs page on signing in still describes cookies (todo `docs`)"},
		"several behind one":      {"**Still open:** the load test; a decision on replay; (3) the docs", "led the load test|led a decision on replay|led the docs"},
		"a heading":               {"## Done\n\n- a page\n\n## Next steps\n\n1. Write the sweep\n   for idle clients\n2. Nothing else\n\n### Later\n\nMeasure it again.\n\n## Notes\n\nNo more.", "led Write the sweep for idle clients|led Measure it again"},
		"a line before a list":    {"What is still open before the tag:\n- x the load test\n- y the docs\n\nThat is all.", "led x the load test|led y the docs"},
		"in passing":              {"The indexer writes `public/search.json`. The box itself is next. I have not measured it under load; that is still open.", "pass The indexer writes `public/search.json`. The box itself is next.|pass I have not measured it under load; that is still open."},
		"not an end":              {"The pull request is open: https://example.com/1\n\nShall I write the docs page next?\n\n> Left open: what somebody else said\n\n```\nTODO: in code\n```\n\nOpen connections: they are counted.\n\nLeft open: nothing.", ""},
		"German":                  {"Fertig.\n\nNoch offen:\n- Lasttest mit zehn Schlüsseln\n- Entscheidung über `exp`\n\nDie Doku habe ich noch nicht angepasst.", "led Lasttest mit zehn Schlüsseln|led Entscheidung über `exp`|pass Die Doku habe ich noch nicht angepasst."},
		"Spanish":                 {"Listo.\n\n**Pendiente:** la prueba de carga con diez claves.\n\nQueda por decidir el límite.", "led la prueba de carga con diez claves|pass Queda por decidir el límite."},
		"Japanese":                {"対応しました。\n\n残タスク:\n- 負荷テスト（キー10個）\n- なし\n\nドキュメントはまだ更新していません。", "led 負荷テスト（キー10個）|pass ドキュメントはまだ更新していません。"},
		"introduced in passing":   {"For the release two things are still missing:\n- the tag\n- the post. Ann has a draft", "led the tag|led the post. Ann has a draft"},
		"more sentences behind":   {"Left open: replay until `exp`; a limit. I noted both; that is a design decision.", "led replay until `exp`|led a limit"},
		"nothing, and a word":     {"It is in. Open: nothing. It should.", "pass It should."},
		"a remark on a lead-in":   {"**Left open** (also in the plan)\n- x the load test", "led x the load test"},
		"a choice":                {"I have not fixed it, there are two ways:\n- a lock\n- a key", "pass I have not fixed it, there are two ways:"},
		"a snippet follows":       {"It stays red until that is in, so here it is:\n\n```\nx\n```\n\nAll else is green.", "pass It stays red until that is in, so here it is:"},
		"planned work":            {"| what | effort |\n|---|---|\n| split the table | 2 h |\n| drop the flag | done |", "led split the table: 2 h"},
		"a place":                 {"`-grace`, next to `-addr`: short, and a duration reads well.", ""},
		"counted":                 {"Two caveats. Archived sales take long. Partial refunds fail. All else is in.", "led Archived sales take long|led Partial refunds fail"},
		"stated before a colon":   {"An alert is missing too: nobody saw it.", "pass An alert is missing too: nobody saw it."},
		"French, an entry's lead": {"- **Reste à faire** : le test de charge\n- fait", "led le test de charge"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range Find(tt.text) {
				how := []string{"box", "led", "pass"}[f.How]
				if f.Done {
					how = "done"
				}
				got = append(got, how+" "+f.Text)
			}
			if s := strings.Join(got, "|"); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
		})
	}
}

func TestFold(t *testing.T) {
	pairs := map[string]bool{
		"Load test with 10 keys|Load test with ten keys, note the cost per request":                     true,
		"Load test with ten keys, note the cost per request|load test with ten keys (issue 45)":         true,
		"replay until `exp` (T4 in `files/threats.csv`)|decide on replay until `exp` (T4 of the audit)": true,
		"Docs page on rotating keys|Docs page: how to rotate (docs-site)":                               true,
		"Announce the end of cookies in the docs site|Tell the docs site":                               true,
		"Write a test for the parser|Write a test for the renderer":                                     false,
		"Docs page on signing in|Docs page on rotating keys":                                            false,
		"Run the tests|Fix the flaky TestExpiry":                                                        false,
		"Lasttest mit zehn Schlüsseln|Lasttests mit 10 Schlüsseln fahren":                               true,
		"Migration der Tabelle `users` schreiben|die Migration für `users`":                             true,
		"prueba de carga con diez claves|hacer las pruebas de carga (10 claves)":                        true,
		"負荷テスト（キー10個）を実行する|キー10個の負荷テスト":                                                                 true,
		"認証のドキュメントを更新する|負荷テストを実行する":                                                                     false,
	}
	for pair, want := range pairs {
		a, b, _ := strings.Cut(pair, "|")
		at := time.Date(2026, 11, 3, 8, 0, 0, 0, time.UTC)
		threads := Fold([]Mention{{Text: a, Session: "1", At: at}, {Text: b, Session: "2", At: at.Add(time.Hour)}}, "widget")
		if (len(threads) == 1) != want {
			t.Errorf("%q: %d threads, words %s, %s", pair, len(threads), WordsOf(a), WordsOf(b))
		}
	}
}

func TestSameTextCloses(t *testing.T) {
	at := func(n int) time.Time { return time.Date(2026, 11, n, 8, 0, 0, 0, time.UTC) }
	open := Mention{Text: "Load test with ten keys", Session: "1", At: at(1)}
	for text, want := range map[string]bool{"load **test** with ten keys.": true, "Load test with 10 keys": false} {
		threads := Fold([]Mention{open, {Text: text, Session: "2", At: at(2), State: Done}}, "widget")
		if len(threads) != 1 || threads[0].IsClosed() != want {
			t.Errorf("%q: %+v", text, threads)
		}
	}
	again := Fold([]Mention{open, {Text: open.Text, Session: "2", At: at(2), State: Done}, {Text: open.Text, Session: "3", At: at(3)}}, "widget")
	if len(again) != 1 || again[0].IsClosed() {
		t.Errorf("open again: %+v", again)
	}
}

func TestEvidence(t *testing.T) {
	at := func(n int) time.Time { return time.Date(2026, 11, n, 8, 0, 0, 0, time.UTC) }
	thread := Fold([]Mention{{Text: "Docs page: how to rotate (docs site)", Session: "1", At: at(3)}}, "widget")[0]
	events := []Event{
		{Kind: OfCommit, Text: "docs: page on rotating keys", Session: "2", Project: "d", At: at(13)},
		{Kind: OfCommit, Text: "docs: how to rotate pages", Session: "0", Project: "d", At: at(1)},
		{Kind: OfBox, Text: "Load test", Session: "3", Project: "w", At: at(14)},
	}
	if named := Named(thread, "w", []Project{ProjectOf("d", "docs-site"), ProjectOf("o", "other"), ProjectOf("w", "rotate")}); !slices.Equal(named, []string{"d"}) {
		t.Errorf("named %q", named)
	}
	got := fmt.Sprint(Evidence(thread, WordsOf("widget"), NewEvents(events)))
	if !strings.Contains(got, "rotating keys") || strings.Contains(got, "Load") || strings.Contains(got, "how to") {
		t.Error(got)
	}
}
