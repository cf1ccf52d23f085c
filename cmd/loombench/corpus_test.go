package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func newCorpus(t *testing.T, p params) corpus {
	t.Helper()
	c := corpus{home: filepath.Join(t.TempDir(), "home")}
	m, err := generate(context.Background(), c.home, p, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	c.manifest = m
	return c
}

// treeHash covers names, bytes and times of the files, but for the salted -wal
// and -shm.
func treeHash(t *testing.T, root string) string {
	t.Helper()
	h := sha256.New()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(d.Name(), "-wal") || strings.Contains(d.Name(), "-shm") {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		stamp := ""
		if strings.Contains(path, "session-state") {
			info, err := d.Info()
			if err != nil {
				return err
			}
			stamp = info.ModTime().UTC().String()
		}
		name, _ := filepath.Rel(root, path)
		fmt.Fprintf(h, "%s %s %x\n", name, stamp, sha256.Sum256(b))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

func TestSameSeedSameCorpus(t *testing.T) {
	p := params{Sessions: 60, MB: 5, Seed: 7}
	a, b := newCorpus(t, p), newCorpus(t, p)
	if treeHash(t, a.home) != treeHash(t, b.home) {
		t.Error("two corpora of one seed differ")
	}
	if storeHash(t, a.home) != storeHash(t, b.home) {
		t.Error("two stores of one seed differ")
	}
	p.Seed = 8
	if treeHash(t, a.home) == treeHash(t, newCorpus(t, p).home) {
		t.Error("another seed makes the same corpus")
	}
}

// openCopy opens a copy of the home's store, the -wal included.
func openCopy(t *testing.T, home string) *sql.DB {
	t.Helper()
	dir := t.TempDir()
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(filepath.Join(dir, storeName+suffix), filepath.Join(home, storeName+suffix)); err != nil {
			t.Fatal(err)
		}
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, storeName))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func storeHash(t *testing.T, home string) string {
	t.Helper()
	db := openCopy(t, home)
	h := sha256.New()
	for _, query := range []string{
		"SELECT session_id, turn_index, user_message, coalesce(assistant_response,''), timestamp FROM turns ORDER BY id",
		"SELECT id, cwd, coalesce(repository,''), summary, updated_at FROM sessions ORDER BY id",
		"SELECT session_id, checkpoint_number, title, next_steps, created_at FROM checkpoints ORDER BY id",
		"SELECT session_id, file_path, tool_name, turn_index, first_seen_at FROM session_files ORDER BY id",
		"SELECT session_id, ref_type, ref_value, turn_index, created_at FROM session_refs ORDER BY id",
	} {
		rows, err := db.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var a, b, c, d, e string
			if err := rows.Scan(&a, &b, &c, &d, &e); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(h, a, b, c, d, e)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

type line struct {
	Type      string  `json:"type"`
	ID        string  `json:"id"`
	Timestamp string  `json:"timestamp"`
	Parent    *string `json:"parentId"`
	Agent     string  `json:"agentId"`
	Data      struct {
		SessionID string `json:"sessionId"`
		Version   string `json:"copilotVersion"`
		Content   string `json:"content"`
		Source    string `json:"source"`
		Result    struct {
			Content  string `json:"content"`
			Detailed string `json:"detailedContent"`
		} `json:"result"`
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
		Input struct {
			ToolResult struct {
				Text string `json:"textResultForLlm"`
			} `json:"toolResult"`
		} `json:"input"`
	} `json:"data"`
}

// readLog decodes a log; tail is what no newline ends.
func readLog(t *testing.T, path string) (lines []line, size int64, tail []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	raw := bytes.Split(b, []byte("\n"))
	for i, r := range raw[:len(raw)-1] {
		var l line
		if err := json.Unmarshal(r, &l); err != nil {
			t.Fatalf("%s:%d: %v", path, i+1, err)
		}
		lines = append(lines, l)
	}
	return lines, int64(len(b)), raw[len(raw)-1]
}

func logs(t *testing.T, home string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(home, "session-state", "*", "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestLogsAreChainsOfJSONLines(t *testing.T) {
	c := newCorpus(t, params{Sessions: 200, MB: 10, Seed: 1})
	torn := 0
	for _, path := range logs(t, c.home) {
		lines, _, tail := readLog(t, path)
		if len(tail) > 0 {
			torn++
		}
		if len(lines) == 0 || lines[0].Type != "session.start" {
			t.Fatalf("%s does not begin with session.start", path)
		}
		if id := filepath.Base(filepath.Dir(path)); lines[0].Data.SessionID != id {
			t.Errorf("%s starts session %s", path, lines[0].Data.SessionID)
		}
		for i, l := range lines[1:] {
			if l.Parent == nil || *l.Parent != lines[i].ID {
				t.Errorf("%s:%d: parent is not the line before", path, i+2)
			}
			if l.Timestamp < lines[i].Timestamp {
				t.Errorf("%s:%d: time runs backwards", path, i+2)
			}
		}
	}
	if torn == 0 {
		t.Error("no log has a damaged tail")
	}
}

// share fails unless got is within the bounds.
func share(t *testing.T, what string, got, low, high float64) {
	t.Helper()
	if got < low || got > high {
		t.Errorf("%s: %.3f, want %.2f to %.2f", what, got, low, high)
	}
}

func TestProportionsOfTheCorpus(t *testing.T) {
	p := params{Sessions: 400, MB: 40, Seed: 1}
	c := newCorpus(t, p)
	var size, tool, longest int64
	versions, has := map[string]int{}, map[string]int{}
	for _, path := range logs(t, c.home) {
		lines, n, _ := readLog(t, path)
		size += n
		versions[lines[0].Data.Version]++
		for _, l := range lines {
			has[l.Type]++
			out := len(l.Data.Result.Content) + len(l.Data.Result.Detailed) + len(l.Data.Error.Message) + len(l.Data.Input.ToolResult.Text)
			if l.Type == "tool.execution_complete" || l.Type == "hook.start" {
				tool += int64(out)
				longest = max(longest, int64(out))
			}
		}
		for _, name := range []string{"plan.md", "session.db", "checkpoints/001-*", "files", "research"} {
			if found, _ := filepath.Glob(filepath.Join(filepath.Dir(path), name)); len(found) > 0 {
				has[name]++
			}
		}
	}
	n := float64(p.Sessions)
	share(t, "size of the logs", float64(size)/float64(p.MB<<20), 0.93, 1.07)
	share(t, "tool output", float64(tool)/float64(size), 0.60, 0.70)
	share(t, "longest output", float64(longest), 200_000, 1_100_000)
	share(t, "sessions of 1.0.102", float64(versions[v102])/n, 0.65, 0.85)
	share(t, "sessions with checkpoints", float64(has["checkpoints/001-*"])/n, 0.26, 0.40)
	share(t, "sessions with a plan", float64(has["plan.md"])/n, 0.19, 0.31)
	share(t, "sessions with todos", float64(has["session.db"])/n, 0.15, 0.25)
	share(t, "manifest's log bytes", float64(c.LogBytes), float64(size), float64(size))
	share(t, "folders without a log", float64(c.Folders-p.Sessions)/n, 0.07, 0.09)
	for _, kind := range []string{"session.compaction_complete", "session.info", "session.resume", "abort", "subagent.started",
		"session.task_complete", "model.messages_snapshot", "hook.start", "files", "research"} {
		if has[kind] == 0 {
			t.Errorf("the corpus has no %s", kind)
		}
	}
}

func TestStoreAgreesWithTheLogs(t *testing.T) {
	c := newCorpus(t, params{Sessions: 80, MB: 6, Seed: 3})
	info, err := os.Stat(filepath.Join(c.home, storeName+"-wal"))
	if err != nil || info.Size() == 0 {
		t.Fatalf("no rows were left in the -wal: %v", err)
	}
	db := openCopy(t, c.home)
	prompts := map[string]bool{}
	for _, path := range logs(t, c.home) {
		lines, _, _ := readLog(t, path)
		for _, l := range lines {
			if l.Type == "user.message" && l.Agent == "" && l.Data.Source == "" {
				prompts[filepath.Base(filepath.Dir(path))+l.Data.Content] = true
			}
		}
	}
	rows, err := db.Query("SELECT session_id, user_message FROM turns")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all, dead := 0, 0
	for rows.Next() {
		var id, text string
		if err := rows.Scan(&id, &text); err != nil {
			t.Fatal(err)
		}
		if all++; !prompts[id+text] {
			dead++
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if all != c.StoreTurns || dead*10 > all {
		t.Errorf("%d rows, %d of them not in a log, want %d rows and few dead", all, dead, c.StoreTurns)
	}
}
