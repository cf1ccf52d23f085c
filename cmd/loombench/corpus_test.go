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

	"github.com/sessionloom/sessionloom/testdata/expect"
)

func newCorpus(t *testing.T, p params) string {
	t.Helper()
	home := t.TempDir()
	must(t, p.generate(context.Background(), home))
	return home
}

// treeHash covers names, bytes and times of all files, but those of the store:
// its -wal is salted.
func treeHash(t *testing.T, root string) string {
	t.Helper()
	h := sha256.New()
	err := eachFile(root, func(name string, info fs.FileInfo) error {
		if strings.HasPrefix(name, storeName) {
			return nil
		}
		b, err := os.ReadFile(filepath.Join(root, name))
		fmt.Fprintf(h, "%s %s %x\n", name, info.ModTime().UTC(), sha256.Sum256(b))
		return err
	})
	must(t, err)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// storeRows are the turns of a store, which is opened as a copy: opening it in its
// place would change it.
func storeRows(t *testing.T, home string) (rows []string) {
	t.Helper()
	dir := t.TempDir()
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(filepath.Join(home, storeName+suffix))
		if err != nil || len(b) == 0 {
			t.Fatalf("no rows in %s%s: %v", storeName, suffix, err)
		}
		must(t, os.WriteFile(filepath.Join(dir, storeName+suffix), b, 0o600))
	}
	db := expect.Value(sql.Open("sqlite", filepath.Join(dir, storeName)))(t)
	defer db.Close()
	all := expect.Value(db.Query("SELECT session_id || user_message FROM turns ORDER BY id"))(t)
	defer all.Close()
	for all.Next() {
		var text string
		must(t, all.Scan(&text))
		rows = append(rows, text)
	}
	must(t, all.Err())
	return rows
}

func TestSameSeedSameCorpus(t *testing.T) {
	for _, kind := range kinds() {
		p := params{Kind: kind, Sessions: 12, MB: 1, Seed: 7}
		a, b := newCorpus(t, p), newCorpus(t, p)
		expect.Is(t, treeHash(t, a), treeHash(t, b), kind, "two corpora of one seed differ")
		if (kind == logs || kind == long) && strings.Join(storeRows(t, a), "\n") != strings.Join(storeRows(t, b), "\n") {
			t.Errorf("%s: two stores of one seed differ", kind)
		}
		p.Seed = 8
		if treeHash(t, a) == treeHash(t, newCorpus(t, p)) {
			t.Errorf("%s: another seed makes the same corpus", kind)
		}
	}
}

type line struct {
	Type      string  `json:"type"`
	ID        string  `json:"id"`
	Timestamp string  `json:"timestamp"`
	Parent    *string `json:"parentId"`
	Agent     string  `json:"agentId"`
	Data      struct {
		Content string `json:"content"`
		Result  struct {
			Content  string `json:"content"`
			Detailed string `json:"detailedContent"`
		} `json:"result"`
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	} `json:"data"`
}

// readLog decodes a log and looks whether each event names the one before it.
func readLog(t *testing.T, path string) (all []line) {
	t.Helper()
	b := expect.Value(os.ReadFile(path))(t)
	for raw := range bytes.Lines(b) {
		var l line
		if err := json.Unmarshal(raw, &l); err != nil {
			t.Fatalf("%s:%d: %v", path, len(all)+1, err)
		}
		if n := len(all); n > 0 && (l.Parent == nil || *l.Parent != all[n-1].ID || l.Timestamp < all[n-1].Timestamp) {
			t.Fatalf("%s:%d does not follow the line before", path, n+1)
		}
		all = append(all, l)
	}
	return all
}

// prompts are those of the person.
func prompts(all []line) (texts []string) {
	for _, l := range all {
		if l.Type == "user.message" && l.Agent == "" {
			texts = append(texts, l.Data.Content)
		}
	}
	return texts
}

func glob(t *testing.T, pattern ...string) []string {
	t.Helper()
	paths := expect.Value(filepath.Glob(filepath.Join(pattern...)))(t)
	return paths
}

// within fails unless got is in the bounds.
func within(t *testing.T, what string, got, low, high float64) {
	t.Helper()
	if got < low || got > high {
		t.Errorf("%s: %.3f, want %.2f to %.2f", what, got, low, high)
	}
}

func TestProportionsOfTheLogs(t *testing.T) {
	p := params{Kind: logs, Sessions: 150, MB: 15, Seed: 1}
	home := newCorpus(t, p)
	var size, printed int
	has, inLogs := map[string]int{}, []string{}
	for _, path := range glob(t, home, "session-state", "*", "events.jsonl") {
		all := readLog(t, path)
		for _, l := range all {
			has[l.Type]++
			printed += len(l.Data.Result.Content) + len(l.Data.Result.Detailed) + len(l.Data.Error.Message)
		}
		for _, text := range prompts(all) {
			inLogs = append(inLogs, filepath.Base(filepath.Dir(path))+text)
		}
		info := expect.Value(os.Stat(path))(t)
		size += int(info.Size())
	}
	within(t, "size of the logs", float64(size)/float64(p.MB<<20), 0.93, 1.07)
	within(t, "what tools printed", float64(printed)/float64(size), 0.57, 0.70)
	for name, low := range map[string]float64{"checkpoints/001-*": 0.25, "plan.md": 0.15, "session.db": 0.12, "rewind-file-snapshots/index.json": 0.55} {
		within(t, "sessions with "+name, float64(len(glob(t, home, "session-state", "*", name)))/float64(p.Sessions), low, low+0.25)
	}
	for _, kind := range []string{"session.resume", "session.compaction_complete", "subagent.started", "tool.execution_complete"} {
		if has[kind] == 0 {
			t.Errorf("the corpus has no %s", kind)
		}
	}
	rows := storeRows(t, home)
	expect.Is(t, len(rows), len(inLogs), "the store", "turns, the logs")
	known := strings.Join(inLogs, "\n")
	for _, r := range rows {
		if !strings.Contains(known, r) {
			t.Fatalf("only the store knows %q", r)
		}
	}
}

func TestProportionsOfTheChats(t *testing.T) {
	p := params{Kind: chats, Sessions: 60, MB: 6, Seed: 1}
	home := newCorpus(t, p)
	objects, mutations := glob(t, home, "workspaceStorage", "*", "chatSessions", "*.json"), glob(t, home, "workspaceStorage", "*", "chatSessions", "*.jsonl")
	if len(objects) != 30 || len(mutations) != 30 {
		t.Errorf("%d objects and %d logs, want 30 of each", len(objects), len(mutations))
	}
	size, whole, hidden := 0, 0, 0
	for _, path := range append(objects, mutations...) {
		b := expect.Value(os.ReadFile(path))(t)
		size += len(b)
		if filepath.Ext(path) == ".jsonl" {
			continue
		}
		var chat struct {
			Requests []struct {
				Result struct{ Metadata json.RawMessage }
			}
		}
		if err := json.Unmarshal(b, &chat); err != nil || len(chat.Requests) == 0 {
			t.Fatalf("%s: %d requests, %v", path, len(chat.Requests), err)
		}
		whole += len(b)
		for _, r := range chat.Requests {
			hidden += len(r.Result.Metadata)
		}
	}
	within(t, "size of the chats", float64(size)/float64(p.MB<<20), 0.85, 1.15)
	within(t, "what nobody is shown", float64(hidden)/float64(whole), 0.5, 0.75)
}

func TestGrowAddsOneTurn(t *testing.T) {
	p := params{Kind: logs, Sessions: 12, MB: 1, Seed: 1}
	a, b := newCorpus(t, p), newCorpus(t, p)
	pattern := []string{a, "session-state", "*", "events.jsonl"}
	before := map[string]int{}
	for _, path := range glob(t, pattern...) {
		before[path] = len(prompts(readLog(t, path)))
	}
	for _, home := range []string{a, b} {
		must(t, p.grow(home, 0))
	}
	grown := 0
	for _, path := range glob(t, pattern...) {
		more := len(prompts(readLog(t, path))) - before[path]
		grown += more
		if more == 0 {
			continue
		}
		copied := filepath.Join(b, strings.TrimPrefix(path, a))
		one, err1 := os.ReadFile(path)
		other, err2 := os.ReadFile(copied)
		if err1 != nil || err2 != nil || !bytes.Equal(one, other) {
			t.Errorf("the same turn on the same log has other bytes: %v, %v", err1, err2)
		}
	}
	expect.Is(t, grown, 1, "turns more")
}
