package extract

import (
	"database/sql"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// words is what the index of a state has: the words of each session or note that is found, with
// where they stand.
type words struct {
	docs   map[string]string
	layers map[string]string // what is kept of a session, by its id
}

func wordsIn(t *testing.T, state string) words {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(state, "ledger.db"))+"?mode=ro")
	must(t, err)
	defer func() { must(t, db.Close()) }()
	db.SetMaxOpenConns(1)
	pairs := func(query string) map[string]string {
		out := map[string][]string{}
		rows, err := db.Query(query)
		must(t, err)
		defer func() { must(t, rows.Close()) }()
		for rows.Next() {
			var key, value string
			must(t, rows.Scan(&key, &value))
			out[key] = append(out[key], value)
		}
		must(t, rows.Err())
		joined := map[string]string{}
		for key, values := range out {
			joined[key] = strings.Join(slices.Sorted(slices.Values(values)), "\n")
		}
		return joined
	}
	_, err = db.Exec("CREATE VIRTUAL TABLE temp.w USING fts5vocab(main, search_words, 'instance')")
	must(t, err)
	docs := pairs("SELECT session, 'is_note ' || is_note || names || paths FROM search_docs")
	for key, text := range pairs("SELECT d.session, w.col || ' ' || w.offset || ' ' || w.term FROM w JOIN search_docs d ON d.id=w.doc") {
		docs[key] += "\n" + text
	}
	if n := pairs("SELECT 'doc', doc FROM w WHERE doc NOT IN (SELECT id FROM search_docs)"); len(n) > 0 {
		t.Errorf("words of no session: %v", n)
	}
	layers := pairs("SELECT coalesce(a.session, l.session), l.source || l.item || l.name || hex(l.hash) || l.rank FROM layers l LEFT JOIN session_aliases a ON a.id=l.session")
	return words{docs, layers}
}

// sameWords compares what is found in two states of which the second was made at once: whatever
// both keep alike is found by the same words.
func sameWords(t *testing.T, grown, fresh string) {
	t.Helper()
	a, b := wordsIn(t, grown), wordsIn(t, fresh)
	for _, key := range slices.Sorted(maps.Keys(b.docs)) {
		if strings.HasPrefix(b.docs[key], "is_note 1") || a.layers[key] != b.layers[key] {
			continue
		}
		if a.docs[key] != b.docs[key] {
			t.Fatalf("other words are found in %q:\n%s\nin a fresh state\n%s", key, fmt.Sprintf("%.600s", a.docs[key]), fmt.Sprintf("%.600s", b.docs[key]))
		}
	}
	for key := range a.docs {
		if a.layers[key] == "" && !strings.HasPrefix(a.docs[key], "is_note 1") {
			t.Fatalf("%q is found, of which nothing is kept", key)
		}
	}
}
