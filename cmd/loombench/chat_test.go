package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func newChats(t *testing.T, p params) corpus {
	t.Helper()
	c := corpus{home: filepath.Join(t.TempDir(), "home")}
	m, err := generateChats(context.Background(), c.home, p, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	c.manifest = m
	return c
}

func chatFiles(t *testing.T, c corpus, ext string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(userFolder(c.home), "workspaceStorage", "*", "chatSessions", "*"+ext))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func TestSameSeedSameChats(t *testing.T) {
	p := params{Sessions: 30, MB: 2, Chats: true, Seed: 7}
	a, b := newChats(t, p), newChats(t, p)
	if treeHash(t, a.home) != treeHash(t, b.home) {
		t.Error("two corpora of one seed differ")
	}
	p.Seed = 8
	if treeHash(t, a.home) == treeHash(t, newChats(t, p).home) {
		t.Error("another seed makes the same corpus")
	}
}

// Chats are what VS Code would read, and most of them what nobody is shown.
func TestProportionsOfTheChats(t *testing.T) {
	c := newChats(t, params{Sessions: 120, MB: 12, Chats: true, Seed: 1})
	var size int64
	requests, compared := 0, 0
	for _, path := range chatFiles(t, c, ".json") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var object struct {
			SessionID string
			Requests  []struct {
				RequestID string
				Response  []map[string]any
				Result    struct {
					Metadata struct {
						Rounds []struct {
							Calls []struct{ Arguments string } `json:"toolCalls"`
						} `json:"toolCallRounds"`
					}
				}
			}
		}
		if err := json.Unmarshal(text, &object); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if object.SessionID+".json" != filepath.Base(path) {
			t.Errorf("%s holds %q", path, object.SessionID)
		}
		size += int64(len(text))
		requests += len(object.Requests)
		for _, r := range object.Requests {
			for _, call := range r.Result.Metadata.Rounds[0].Calls {
				if !json.Valid([]byte(call.Arguments)) {
					t.Fatalf("%s: arguments are no JSON: %s", path, call.Arguments)
				}
			}
			compared += len(r.Response)
		}
	}
	logs := chatFiles(t, c, ".jsonl")
	for _, path := range logs {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		size += int64(len(text))
		for i, l := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
			var entry struct{ Kind *int }
			if err := json.Unmarshal([]byte(l), &entry); err != nil || entry.Kind == nil || *entry.Kind == 0 != (i == 0) {
				t.Fatalf("%s:%d is no mutation: %v", path, i+1, err)
			}
		}
	}
	share(t, "size of the chats", float64(size)/12/(1<<20), 0.85, 1.1)
	share(t, "manifest's bytes", float64(c.LogBytes), float64(size), float64(size))
	share(t, "what nobody is shown", float64(c.ToolBytes)/float64(size), 0.5, 0.7)
	share(t, "logs", float64(len(logs))/float64(c.Folders), 0.45, 0.55)
	if requests == 0 || compared == 0 {
		t.Errorf("%d requests with %d parts", requests, compared)
	}
}

func TestTheLargeChatHasRequestsOfAMegabyte(t *testing.T) {
	c := newChats(t, params{Sessions: 1, MB: 8, Chats: true, Long: true, Seed: 1})
	paths := chatFiles(t, c, ".json")
	if len(paths) != 1 {
		t.Fatalf("%d objects", len(paths))
	}
	text, err := os.ReadFile(paths[0])
	if err != nil {
		t.Fatal(err)
	}
	share(t, "requests for each MiB", float64(strings.Count(string(text), `"requestId": `))/8, 0.8, 1.3)
	share(t, "size", float64(len(text))/8/(1<<20), 0.85, 1.15)
	share(t, "what nobody is shown", float64(c.ToolBytes)/float64(len(text)), 0.5, 0.7)
}
