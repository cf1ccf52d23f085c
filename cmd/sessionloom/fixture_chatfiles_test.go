package main

import (
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// transcribes writes what the transcript lacks: requests that were answered.
func (c *chat) transcribes() *chat {
	c.t.Helper()
	path := c.extension("transcripts/" + c.uuid + ".jsonl")
	line := func(at time.Time, kind string, data fields) {
		c.add(path, encode(c.t, fields{"type": kind, "data": data, "id": c.id(), "timestamp": iso(at), "parentId": nil})+"\n")
	}
	if _, err := os.Stat(path); err != nil {
		line(c.began, "session.start", fields{"sessionId": c.uuid, "version": 1, "producer": "copilot-agent", "copilotVersion": "0.62.0",
			"vscodeVersion": "1.137.0", "startTime": iso(c.began)})
	}
	for ; c.told < len(c.requests); c.told++ {
		r := c.requests[c.told]
		at := time.UnixMilli(r["timestamp"].(int64)).UTC()
		line(at.Add(time.Second), "user.message", fields{"content": r["message"].(fields)["text"], "attachments": []any{}})
		line(at.Add(2*time.Second), "assistant.turn_start", fields{"turnId": "0"})
		calls := []any{}
		for _, p := range r["response"].([]any) {
			if id, ok := p.(fields)["toolCallId"]; ok {
				calls = append(calls, fields{"toolCallId": id, "name": p.(fields)["called"], "arguments": p.(fields)["arguments"], "type": "function"})
			}
		}
		line(at.Add(9*time.Second), "assistant.message", fields{"messageId": c.id(), "content": said(r), "toolRequests": calls, "reasoningText": "Hm."})
		for _, call := range calls {
			f := call.(fields)
			line(at.Add(9*time.Second), "tool.execution_start", fields{"toolCallId": f["toolCallId"], "toolName": f["name"], "arguments": json.RawMessage(f["arguments"].(string))})
			line(at.Add(9*time.Second), "tool.execution_complete", fields{"toolCallId": f["toolCallId"], "success": true})
		}
		line(at.Add(9*time.Second), "assistant.turn_end", fields{"turnId": "0"})
	}
	return c
}

// loses a transcript, as the extension does beyond its newest twenty.
func (c *chat) losesTranscript() *chat {
	c.t.Helper()
	c.check(os.Remove(c.extension("transcripts/" + c.uuid + ".jsonl")))
	return c
}

// memory is the path of a file in the memory of the session.
func (c *chat) memory(name string) string {
	return c.extension("memory-tool/memories/" + base64.RawURLEncoding.EncodeToString([]byte(c.uuid)) + "/" + name)
}

// remembers keeps a text in the memory of the session.
func (c *chat) remembers(name, text string) *chat {
	c.t.Helper()
	c.put(c.memory(name), text)
	return c
}

// forgets is what happens after fourteen days.
func (c *chat) forgets() *chat {
	c.t.Helper()
	c.check(os.RemoveAll(filepath.Dir(c.memory("x"))))
	return c
}

// remembers keeps a text in the memory of the repository.
func (w *window) remembers(name, text string) {
	w.t.Helper()
	w.put(w.extension("memory-tool/memories/repo/"+name), text)
}

// remembers keeps a text in the memory of the user.
func (e *editor) remembers(name, text string) {
	e.t.Helper()
	e.put(filepath.Join(e.user, "globalStorage", "github.copilot-chat", "memory-tool", "memories", name), text)
}

// indexes writes the window's index of its chats.
func (w *window) indexes() {
	w.t.Helper()
	entries := fields{}
	for _, c := range w.chats {
		newest := c.began
		if n := len(c.requests); n > 0 {
			newest = time.UnixMilli(c.requests[n-1]["timestamp"].(int64))
		}
		title := c.title
		if title == "" && len(c.requests) > 0 {
			title = c.requests[0]["message"].(fields)["text"].(string)
		}
		entries[c.uuid] = entry(c.uuid, title, c.began, newest)
	}
	for _, o := range w.others {
		entries[o["sessionId"].(string)] = o
	}
	path := w.path("state.vscdb")
	if w.hash == "" {
		path = filepath.Join(w.user, "globalStorage", "state.vscdb")
	}
	w.database(path, "CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)", func(db *sql.DB) error {
		_, err := db.Exec("INSERT INTO ItemTable VALUES ('chat.ChatSessionStore.index', ?)", encode(w.t, fields{"version": 1, "entries": entries}))
		return err
	})
}

func entry(id, title string, began, newest time.Time) fields {
	return fields{"sessionId": id, "title": title, "lastMessageDate": newest.UnixMilli(), "initialLocation": "panel", "isEmpty": false,
		"timing": fields{"created": began.UnixMilli(), "lastRequestStarted": newest.UnixMilli()}, "lastResponseState": 1}
}

// database writes one again, as a program leaves it that closed it properly.
func (h *history) database(path, schema string, fill func(*sql.DB) error) {
	h.t.Helper()
	temp := filepath.Join(h.t.TempDir(), "new.db")
	db, err := sql.Open("sqlite", temp)
	h.check(err)
	_, err = db.Exec(schema)
	h.check(err)
	h.check(fill(db))
	h.check(db.Close())
	text, err := os.ReadFile(temp)
	h.check(err)
	h.put(path, string(text))
}

// storesRows writes the extension's store with the rows of chats, cut as it
// cuts them.
func (e *editor) storesRows(chats ...*chat) {
	e.t.Helper()
	path := filepath.Join(e.user, "globalStorage", "github.copilot-chat", "session-store.db")
	e.database(path, storeTables, func(db *sql.DB) error {
		for _, c := range chats {
			if _, err := db.Exec(`INSERT INTO sessions (id, cwd, host_type, branch, summary, created_at, updated_at) VALUES (?, ?, 'vscode', 'main', ?, ?, ?)`,
				c.uuid, c.folder, c.title, iso(c.began), iso(c.clock)); err != nil {
				return err
			}
			for i, r := range c.requests {
				prompt, answer := r["message"].(fields)["text"].(string), said(r)
				if _, err := db.Exec(`INSERT INTO turns (session_id, turn_index, user_message, assistant_response, timestamp) VALUES (?, ?, ?, ?, ?)`,
					c.uuid, i, prompt[:min(len(prompt), 100)], answer[:min(len(answer), 1000)], iso(time.UnixMilli(r["timestamp"].(int64)).UTC())); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// settles writes the state of the session's edits: whether its user kept (1) or
// undid (2) what the newest request did to a file.
func (c *chat) settles(path string, verdict int) *chat {
	c.t.Helper()
	r, _ := c.last()
	path = c.folder + "/" + path
	c.operations = append(c.operations, fields{"type": "textEdit", "uri": uriOf(path), "requestId": r["requestId"], "epoch": 2,
		"edits": []any{fields{"range": fields{"startLineNumber": 1}, "text": "package p"}}})
	c.verdicts = append(c.verdicts, fields{"resource": "file://" + path, "languageId": "go", "originalHash": "1a2b3c4",
		"currentHash": "5d6e7f8", "state": verdict, "telemetryInfo": fields{"requestId": r["requestId"]}})
	c.put(c.path("chatEditingSessions/"+c.uuid+"/state.json"), encode(c.t, fields{
		"version": 2, "initialFileContents": []any{}, "recentSnapshot": fields{"entries": c.verdicts},
		"timeline": fields{"checkpoints": []any{}, "fileBaselines": []any{}, "currentEpoch": 3, "epochCounter": 3, "operations": c.operations},
	}))
	return c
}

// exports is "Chat: Export Chat…" into a folder.
func (c *chat) exports(dir, name string) {
	c.t.Helper()
	state := c.state()
	c.put(filepath.Join(dir, name), encode(c.t, fields{"responderUsername": state["responderUsername"], "initialLocation": "panel", "requests": state["requests"]}))
}

// isCopiedTo is what happens to the chats of a window whose folder becomes part
// of a workspace: copied, the originals stay.
func (w *window) isCopiedTo(other *window) {
	w.t.Helper()
	for _, c := range w.chats {
		copied := *c
		copied.window = other
		other.chats = append(other.chats, &copied)
		for _, ext := range []string{".json", ".jsonl"} {
			if text, err := os.ReadFile(c.file(ext)); err == nil {
				w.put(copied.file(ext), string(text))
			}
		}
	}
}

// hosts says in VS Code's own files that a session of the CLI was run from it.
func (e *editor) hosts(uuid, folder, title string) {
	e.t.Helper()
	path := filepath.Join(e.user, "globalStorage", "github.copilot-chat", "copilotcli", "copilotcli.session.metadata.json")
	e.put(path, fmt.Sprintf("{%s:%s}", encode(e.t, uuid), encode(e.t, fields{
		"workspaceFolder": fields{"folderPath": folder, "timestamp": e.clock.UnixMilli()}, "writtenToDisc": true, "customTitle": title,
	})))
}
