package cursor_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/cursor"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func shortID(id string) string { return id[:2] + "/" + id[len(id)-1:] }

// Where that is wished, prompts of which nothing else is left are a session.
func TestPromptsAlone(t *testing.T) {
	user, _ := fixture(t)
	s := cursor.New(cursor.Config{Config: homes.Config{PromptOnly: true}, Users: cursor.Users{Dirs: []string{user}}})
	all, _ := readAll(t, s)
	got := all["cursor:prompts:0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f04"]["prompts"]
	if got == nil || len(got.Turns) != 2 || got.Turns[1].User != "And util?" || got.Turns[1].At.IsZero() || got.Place.Cwd != "/home/dev/src/older" {
		t.Errorf("%+v", got)
	}
}

// What Cursor keeps beside conversations is in no reading: tokens of the account, keys of chats,
// copies of files. A mark is planted in each other key and member.
func TestNoOtherKeyIsRead(t *testing.T) {
	const secret = "SYNTHETIC-planted"
	user, home := fixture(t)
	items := []string{"cursorAuth/accessToken", "cursorAuth/refreshToken", "cursorAuth/cachedEmail", "cursorAuth/stripeMembershipType", "secret://cursor", "glass.localAgentProjects.v1",
		"composer.planRegistry", "composer.composerHeaders.version", "workbench.panel.composerChatViewPane", "aiService.prompts", "aiService.generations", "COMPOSER.COMPOSERHEADERS"}
	rows := []string{"agentKv:blob:00", "agentKv:checkpoint:a1c00001-0000-4000-8000-000000000001", "checkpointId:a1c00001-0000-4000-8000-000000000001:x",
		"messageRequestContext:a1c00001-0000-4000-8000-000000000001:b1-01", "inlineDiff:x", "inlineDiffs-x", "codeBlockDiff:a1c00001-0000-4000-8000-000000000001:x", "ofsContent:x",
		"composer.content.x", "composerVirtualRowHeights:x", "composerData", "composerDataX:a1c00001-0000-4000-8000-000000000001", "bubbleId", "bubbleIdX:y", "composerData;", "bubbleId;"}
	change(t, stateOf(user), func(db *sql.DB) {
		for _, key := range items {
			exec(t, db, "INSERT INTO ItemTable VALUES (?, ?)", key, `{"allComposers":[{"composerId":"a1c00001-0000-4000-8000-000000000001","name":"`+secret+`"}],"text":"`+secret+`"}`)
		}
		for _, key := range rows {
			exec(t, db, "INSERT INTO cursorDiskKV VALUES (?, ?)", key, `{"composerId":"a1c00001-0000-4000-8000-000000000001","text":"`+secret+`","name":"`+secret+`","type":1}`)
		}
		exec(t, db, `UPDATE cursorDiskKV SET value = json_set(value, '$.blobEncryptionKey', ?1, '$.speculativeSummarizationEncryptionKey', ?1, '$.context', ?1, '$.conversationState', ?1,
			'$.originalFileStates', ?1) WHERE key > 'composerData:' AND key < 'composerData;'`, secret)
		exec(t, db, `UPDATE cursorDiskKV SET value = json_set(value, '$.context', ?1, '$.thinking', ?1, '$.attachedCodeChunks', ?1, '$.toolFormerData.additionalData.token', ?1,
			'$.toolFormerData.toolCallBinary', ?1) WHERE key > 'bubbleId:' AND key < 'bubbleId;' AND json_valid(value)`, secret)
	})
	workspace := filepath.Join(user, "workspaceStorage", "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f01", "state.vscdb")
	change(t, workspace, func(db *sql.DB) {
		for _, key := range append(items, "notepadData", "memento/x") {
			exec(t, db, "INSERT INTO ItemTable VALUES (?, ?)", key, `[{"text":"`+secret+`","textDescription":"`+secret+`"}]`)
		}
		for _, key := range append(rows, "composerData:a1c00001-0000-4000-8000-000000000001") {
			exec(t, db, "INSERT INTO cursorDiskKV VALUES (?, ?)", key, `{"name":"`+secret+`","text":"`+secret+`"}`)
		}
	})
	for _, name := range []string{"cli-config.json", "mcp.json", "prompt_history.json", "projects/home-dev-src-widget/mcp-auth.json", "projects/home-dev-src-widget/agent-tools/x.txt",
		"projects/home-dev-src-widget/terminals/1.txt", "chats/x.json"} {
		write(t, filepath.Join(home, filepath.FromSlash(name)), []byte(`{"token":"`+secret+`","title":"`+secret+`"}`))
	}
	_, readings := readAll(t, cursor.New(cursor.Config{Config: homes.Config{Homes: []string{home}, PromptOnly: true}, Users: cursor.Users{Dirs: []string{user}}}))
	for _, r := range readings {
		body := expect.Value(json.Marshal(r))(t)
		if strings.Contains(string(body), "SYNTHETIC") {
			t.Errorf("a reading tells it: %.2000s", body)
		}
	}
}

// Only what moved is read: a digest changes with the conversation and with nothing else.
func TestDigestsTellConversationsApart(t *testing.T) {
	user, _ := fixture(t)
	digests := func() map[string]string {
		s := open(user, "")
		defer s.Close()
		l := expect.Value(s.List(context.Background()))(t)
		all := map[string]string{}
		for _, it := range l.Items {
			if it.Kind == sources.KindSession {
				all[shortID(it.Session)] = expect.Value(s.Digest(context.Background(), it, it.Parts[0].Name))(t)
			}
		}
		return all
	}
	one := "a1c00001-0000-4000-8000-000000000001"
	for _, step := range []struct {
		what, query string
		moved       string // sessions
	}{
		{"nothing", "SELECT 1", ""},
		{"another key", "INSERT INTO cursorDiskKV VALUES ('checkpointId:" + one + ":y', 'x')", ""},
		{"another item", "INSERT INTO ItemTable VALUES ('x', 'y')", ""},
		{"a bubble is written anew, alike", "INSERT INTO cursorDiskKV SELECT key, value FROM cursorDiskKV WHERE key = 'bubbleId:" + one + ":b1-03'", "a1/1"},
		{"the newest bubble grows in its row", "UPDATE cursorDiskKV SET value = json_set(value, '$.text', 'longer than it was before') WHERE key = 'bubbleId:" + one + ":left-over'", "a1/1"},
		{"a title changes by a letter", "UPDATE cursorDiskKV SET value = replace(value, 'Rate limit', 'Late limit') WHERE key = 'composerData:" + one + "'", "a1/1"},
		{"the table of headers", "UPDATE composerHeaders SET isArchived = 0, value = '{}'", "a1/7"},
		{"the list of headers", "UPDATE ItemTable SET value = replace(value, 'Remote', 'Distant') WHERE key = 'composer.composerHeaders'", "a1/9"},
		{"a conversation is found to be a sub-agent", "UPDATE cursorDiskKV SET value = json_set(value, '$.subagentComposerIds', json_array('a1c00001-0000-4000-8000-000000000005')) WHERE key = 'composerData:a1c00001-0000-4000-8000-000000000004'", "a1/4 a1/5"},
	} {
		before := digests()
		change(t, stateOf(user), func(db *sql.DB) { exec(t, db, step.query) })
		var moved []string
		for id, digest := range digests() {
			if before[id] != digest {
				moved = append(moved, id)
			}
		}
		slices.Sort(moved)
		expect.Is(t, strings.Join(moved, " "), step.moved, step.what, "moved")
	}
}

// A session may lie in two projects, the same with its sub-agents, and in the older form too: each
// file is an item of its own, and keys are told apart.
func TestOneSessionInTwoProjects(t *testing.T) {
	dir := t.TempDir()
	id := conversationID(1)
	for _, name := range []string{"home-dev/agent-transcripts/" + id + "/" + id + ".jsonl", "empty-window/agent-transcripts/" + id + "/" + id + ".jsonl", "home-dev/agent-transcripts/" + id + ".jsonl"} {
		write(t, filepath.Join(dir, "projects", filepath.FromSlash(name)), linesOf(t, time.Now(), 0, []sourcetest.Turn{{User: name, Answer: "a"}}))
	}
	write(t, filepath.Join(dir, "projects", "home-dev", "agent-transcripts", id+".txt"), []byte("user:\nthe oldest\n\nassistant:\nno end"))
	for _, project := range []string{"home-dev", "empty-window"} {
		write(t, filepath.Join(dir, "projects", project, "agent-transcripts", id, "subagents", conversationID(2)+".jsonl"), linesOf(t, time.Now(), 0, []sourcetest.Turn{{User: "x", Answer: "y"}}))
	}
	s := open("", dir)
	l := expect.Value(s.List(context.Background()))(t)
	keys := map[string]bool{}
	var prompts []string
	for _, it := range l.Items {
		keys[it.Key] = true
		r := expect.Value(s.Read(context.Background(), it))(t)
		for _, la := range r.Layers {
			prompts = append(prompts, la.Session.Turns[0].User+" "+la.Session.Turns[0].Assistant)
		}
	}
	slices.Sort(prompts)
	if len(keys) != 5 || len(l.Items) != 5 || len(prompts) != 4 || prompts[3] != "the oldest no end" {
		t.Errorf("%d keys of %d items; %q", len(keys), len(l.Items), prompts)
	}
	if it := l.Items[1]; it.Key[len(it.Key)-36:] != id || !strings.Contains(it.Path, filepath.Join("home-dev", "agent-transcripts", id, id)) {
		t.Errorf("the first is %q of %q", it.Key, it.Path)
	}
}

// All that is read of the fixtures.
func TestSample(t *testing.T) {
	user, home := fixture(t)
	sourcetest.Golden(t, open(user, home), filepath.Dir(user), "testdata/read.golden")
}
