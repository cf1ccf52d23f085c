package main

import (
	"fmt"
	"strings"
	"testing"
)

// A store with a view in place of a table is named, and hides nothing else.
func TestStoreWithAView(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.keepsStore()
	s.begins(alpha, widget).asks("Write a parser").says("Written.").leaves()
	s.rows.exec("INSERT INTO dynamic_context_items (repository, branch, src, name, content) VALUES ('octo-org/widget', 'main', 'agent', 'build', 'Run make all.')")
	s.rows.exec("PRAGMA foreign_keys = off")
	s.rows.exec("ALTER TABLE sessions RENAME TO hidden")
	s.rows.exec("CREATE VIEW sessions AS SELECT * FROM hidden")
	r, _, code := s.pass(s.vault)
	if code != exitPartial || len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Error, "view") || !strings.Contains(r.Problems[0].Error, "sessions") {
		t.Errorf("exit code %d, problems %+v", code, r.Problems)
	}
	s.shows(alpha, "Written.")
	if !strings.Contains(fmt.Sprint(walk(t, s.vault)), "Run make all.") {
		t.Error("the memory is not in the vault")
	}
}
