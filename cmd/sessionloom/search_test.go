package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/cmd/sessionloom/internal/present"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

// searches are questions to the sample, each with how many answer it and which first.
func searches(t *testing.T) (all [][2]string) {
	t.Helper()
	text := expect.Value(os.ReadFile("testdata/searches.list"))(t)
	for line := range strings.Lines(string(text)) {
		if query, want, ok := strings.Cut(strings.TrimSpace(line), " => "); ok {
			all = append(all, [2]string{query, want})
		}
	}
	return all
}

// firstHit is what a search of the vault in a folder finds.
func firstHit(t *testing.T, dir, query string) (found present.Hits, line string) {
	t.Helper()
	stdout := succeeds(t, "", "search", "--vault", filepath.Join(dir, "v"), "--state", filepath.Join(dir, "s"), "--json", "--limit", "1", "--", query)
	expect.OK(t, json.Unmarshal([]byte(stdout), &found))
	line = strconv.Itoa(found.Count)
	for _, h := range found.Hits {
		id := h.ID
		if strings.HasPrefix(id, "session:") {
			id = id[:len("session:")+8]
		}
		line += " " + id + " " + string(h.Excerpt.Field)
	}
	return found, line
}

// count is how many there are where none is shown.
func count(t *testing.T, dir, query string) int {
	t.Helper()
	stdout, stderr, _ := runProgram(t, "", "search", "--vault", filepath.Join(dir, "v"), "--state", filepath.Join(dir, "s"), "--count", "--", query)
	n, err := strconv.Atoi(strings.TrimSpace(stdout))
	if err != nil {
		t.Fatalf("%s: %v: %s", query, err, stderr)
	}
	return n
}

func TestSearchesFindWhatWasMeant(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sync := []string{"--vault", filepath.Join(dir, "v"), "--state", filepath.Join(dir, "s")}
	succeeds(t, "", append([]string{"sync", "--sample", "--create"}, sync...)...)
	all := searches(t)
	if len(all) < 60 {
		t.Errorf("%d questions", len(all))
	}
	for _, q := range all {
		found, line := firstHit(t, dir, q[0])
		expect.Is(t, line, q[1], q[0], "=>")
		expect.Is(t, count(t, dir, q[0]), found.Count, q[0], "beside one hit", "without")
		for _, h := range found.Hits {
			if len(h.Excerpt.Marks) == 0 || len(h.Excerpt.Text) > 300 {
				t.Errorf("%s: %q with the marks %v", q[0], h.Excerpt.Text, h.Excerpt.Marks)
			}
		}
	}

	// The state is lost, and with it every source: the notes are found.
	expect.OK(t, os.RemoveAll(filepath.Join(dir, "s")))
	succeeds(t, "", append([]string{"sync", "--no-defaults", "--force"}, sync...)...)
	for query, note := range map[string]string{`"without logging everyone out"`: "session:7524f8de", "レイテンシ": "session:f2d13b7c", "curl-examples": "memory:238830e1"} {
		if found, line := firstHit(t, dir, query); found.Count == 0 || !strings.Contains(line, note) {
			t.Errorf("of notes alone, %s => %s, want %s", query, line, note)
		}
	}
}
