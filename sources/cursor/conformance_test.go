package cursor_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/sourcetest"
	"github.com/sessionloom/sessionloom/testdata/expect"
)

func TestConformanceOfTheIDE(t *testing.T) {
	sourcetest.Run(t, sourcetest.Suite{Open: func(dir string) sources.Source { return open(dir, "") }, History: ide{}})
}

func TestConformanceOfTranscripts(t *testing.T) {
	sourcetest.Run(t, sourcetest.Suite{Open: func(dir string) sources.Source { return open("", dir) }, History: transcripts{}})
}

// ide writes conversations as the IDE does since 3.12: all in one database.
type ide struct{}

func stateOf(dir string) string { return filepath.Join(dir, "globalStorage", "state.vscdb") }

// conversation is a composer on its way into the database.
type conversation struct {
	t      testing.TB
	db     *sql.DB
	id     string
	fields map[string]any
	refs   []map[string]any
}

func begin(t testing.TB, db *sql.DB, id string, at time.Time) *conversation {
	agents := json.RawMessage("[]") // those it has stay
	err := db.QueryRow("SELECT value -> '$.subagentComposerIds' FROM cursorDiskKV WHERE key = ?", "composerData:"+id).Scan((*[]byte)(&agents))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		t.Fatal(err)
	}
	return &conversation{t: t, db: db, id: id, fields: map[string]any{"_v": 16, "composerId": id, "name": "A name by a model", "createdAt": at.UnixMilli(), "status": "completed",
		"unifiedMode": "agent", "subagentComposerIds": agents, "workspaceIdentifier": map[string]any{"id": "0f", "uri": "file:///home/dev/src/widget"}}}
}

func (c *conversation) put(key string, value any) {
	c.t.Helper()
	body := expect.Value(json.Marshal(value))(c.t)
	exec(c.t, c.db, "INSERT INTO cursorDiskKV VALUES (?, ?)", key, string(body))
}

func (c *conversation) bubble(kind int, name string, at time.Time, fields map[string]any) {
	c.t.Helper()
	fields["_v"], fields["bubbleId"], fields["type"], fields["createdAt"] = 3, name, kind, at.Format(time.RFC3339Nano)
	c.put("bubbleId:"+c.id+":"+name, fields)
	c.refs = append(c.refs, map[string]any{"bubbleId": name, "type": kind})
}

// turns writes prompts and answers from the nth on, a minute apart.
func (c *conversation) turns(at time.Time, n int, turns []sourcetest.Turn) {
	c.t.Helper()
	for i, turn := range turns {
		when := at.Add(time.Duration(n+i) * time.Minute)
		c.bubble(1, fmt.Sprint("prompt-", n+i), when, map[string]any{"text": turn.User})
		c.bubble(2, fmt.Sprint("answer-", n+i), when.Add(time.Second), map[string]any{"text": turn.Answer})
	}
}

func (c *conversation) save() {
	c.t.Helper()
	c.fields["fullConversationHeadersOnly"] = c.refs
	c.put("composerData:"+c.id, c.fields)
}

func (ide) Write(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) {
	change(t, stateOf(dir), func(db *sql.DB) {
		c := begin(t, db, id, at)
		c.turns(at, 0, turns)
		c.save()
	})
}

func (ide) Append(t *testing.T, dir, id string, at time.Time, n int, turns []sourcetest.Turn) {
	change(t, stateOf(dir), func(db *sql.DB) {
		c := begin(t, db, id, at)
		for i := range n {
			c.refs = append(c.refs, map[string]any{"bubbleId": fmt.Sprint("prompt-", i), "type": 1}, map[string]any{"bubbleId": fmt.Sprint("answer-", i), "type": 2})
		}
		c.turns(at, n, turns)
		c.save()
	})
}

// Tear leaves the last answer out of the list, as it is while it is written.
func (ide) Tear(t *testing.T, dir, id string) {
	change(t, stateOf(dir), func(db *sql.DB) {
		exec(t, db, `UPDATE cursorDiskKV SET value = json_remove(value, '$.fullConversationHeadersOnly[#-1]') WHERE key = ?`, "composerData:"+id)
	})
}

func (ide) Break(t *testing.T, dir, id string) {
	change(t, stateOf(dir), func(db *sql.DB) {
		exec(t, db, `UPDATE cursorDiskKV SET value = substr(value, 1, 20) WHERE key = ?`, "bubbleId:"+id+":prompt-1")
	})
}

func (ide) Log(dir, _ string) string { return stateOf(dir) }

// Run writes a bubble for each command, in front of the answer.
func (ide) Run(t *testing.T, dir, id string, at time.Time, turn sourcetest.Turn, runs []sourcetest.Ran) {
	change(t, stateOf(dir), func(db *sql.DB) {
		c := begin(t, db, id, at)
		c.bubble(1, "prompt", at, map[string]any{"text": turn.User})
		for i, run := range runs {
			params := expect.Value(json.Marshal(map[string]any{"command": run.Command}))(t)
			c.bubble(2, fmt.Sprint("run-", i), at, map[string]any{"text": "", "capabilityType": 15, "toolFormerData": map[string]any{"tool": 15, "name": "run_terminal_command_v2",
				"status": "completed", "params": string(params), "result": fmt.Sprintf(`{"output":"x","exitCode":%d}`, run.Exit)}})
		}
		c.bubble(2, "answer", at, map[string]any{"text": turn.Answer})
		c.save()
	})
}

// transcripts writes files as IDE and CLI do since April 2026.
type transcripts struct{}

func (transcripts) Log(dir, id string) string {
	return filepath.Join(dir, "projects", "home-dev-src-widget", "agent-transcripts", id, id+".jsonl")
}

// Lines of a turn.
const turnLines = 3

func linesOf(t *testing.T, at time.Time, n int, turns []sourcetest.Turn) []byte {
	var b bytes.Buffer
	for i, turn := range turns {
		when := at.Add(time.Duration(n+i) * time.Minute).Format("Monday, Jan 2, 2006, 3:04 PM (UTC)")
		for _, line := range []any{
			said("user", fmt.Sprintf("<timestamp>%s</timestamp>\n<user_query>\n%s\n</user_query>", when, turn.User)),
			said("assistant", turn.Answer), map[string]any{"type": "turn_ended", "status": "success"},
		} {
			body := expect.Value(json.Marshal(line))(t)
			b.Write(append(body, '\n'))
		}
	}
	return b.Bytes()
}

func said(role, text string) any {
	return map[string]any{"role": role, "message": map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}}
}

func (h transcripts) Write(t *testing.T, dir, id string, at time.Time, turns []sourcetest.Turn) {
	write(t, h.Log(dir, id), linesOf(t, at, 0, turns))
}

func (h transcripts) Append(t *testing.T, dir, id string, at time.Time, n int, turns []sourcetest.Turn) {
	sourcetest.Append(t, h.Log(dir, id), linesOf(t, at, n, turns))
}

func (h transcripts) Tear(t *testing.T, dir, id string) {
	lines := bytes.SplitAfter(read(t, h.Log(dir, id)), []byte("\n"))
	torn := len(lines) - 1 - 2
	write(t, h.Log(dir, id), append(bytes.Join(lines[:torn], nil), lines[torn][:len(lines[torn])/2]...))
}

func (h transcripts) Break(t *testing.T, dir, id string) {
	lines := bytes.SplitAfter(read(t, h.Log(dir, id)), []byte("\n"))
	lines[turnLines] = []byte(`{"role":"user","message":{` + "\n")
	write(t, h.Log(dir, id), bytes.Join(lines, nil))
}
