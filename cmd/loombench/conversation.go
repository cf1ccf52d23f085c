package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"
)

// stateSchema has the tables of Cursor's database that are written here.
const stateSchema = `CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);`

// sparse is the size of a mostly empty database, as a multiple of its rows.
const sparse = 21

// conversationWriter writes a conversation of Cursor 3.12: a row for each message and call, and as many bytes
// that nobody sees.
type conversationWriter struct {
	homeLog
	inserts *inserts
	refs    []object
}

// writeConversations writes a user folder of Cursor with all sessions in one database, followed by that many
// empty bytes.
func writeConversations(ctx context.Context, home string, all []*session, lex *lexicon, empty int64) error {
	path := filepath.Join(home, "globalStorage", "state.vscdb")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", path+"?_pragma=journal_mode(OFF)&_pragma=synchronous(0)")
	if err != nil {
		return fmt.Errorf("create database: %w", err)
	}
	db.SetMaxOpenConns(1)
	err = fillState(ctx, db, all, lex)
	if err == nil { // as the editor leaves it
		_, err = db.ExecContext(ctx, "PRAGMA journal_mode = WAL")
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("write database: %w", err)
	}
	info, err := os.Stat(path)
	if err == nil && empty > 0 {
		err = os.Truncate(path, (info.Size()+empty)>>12<<12)
	}
	end := all[len(all)-1].start
	return errors.Join(err, os.Chtimes(path, end, end))
}

func fillState(ctx context.Context, db *sql.DB, all []*session, lex *lexicon) error {
	if _, err := db.ExecContext(ctx, stateSchema); err != nil {
		return err
	}
	for _, s := range all {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		l := &conversationWriter{homeLog: homeLog{logWriter{words: s.words(lex), s: s, now: s.start}}, inserts: &inserts{ctx: ctx, db: tx}}
		err = errors.Join(l.converse(l), l.end(), l.inserts.err, tx.Commit())
		if err != nil {
			return fmt.Errorf("write conversation %s: %w", s.id, err)
		}
	}
	return nil
}

// row writes a value.
func (l *conversationWriter) row(key string, value object) {
	text, err := json.Marshal(value)
	if l.err == nil {
		l.err = err
	}
	l.inserts.exec("INSERT INTO cursorDiskKV VALUES (?, ?)", key, text)
	l.size += int64(len(text))
}

// bubble writes a message, among members that are mostly empty.
func (l *conversationWriter) bubble(kind int, text string, fields ...any) {
	id := l.uuid()
	l.refs = append(l.refs, object{"bubbleId", id, "type", kind})
	l.row("bubbleId:"+l.s.id+":"+id, append(object{"_v", 3, "type", kind, "bubbleId", id, "text", text, "createdAt", stamp(l.now), "unifiedMode", 2, "isAgentic", true,
		"context", object{"fileSelections", []string{}, "mentions", object{}, "cursorRules", []string{}}, "codeBlocks", []string{}, "toolResults", []string{}, "attachedCodeChunks", []string{},
		"modelInfo", object{"modelName", model}, "tokenCount", object{"inputTokens", l.between(900, 9000), "outputTokens", l.between(20, 920)}}, fields...))
}

func (l *conversationWriter) begin() {}

func (l *conversationWriter) ask(prompt string) {
	l.bubble(1, prompt, "richText", `{"root":{"children":[]}}`)
	l.row("messageRequestContext:"+l.s.id+":"+l.uuid(), object{"projectLayouts", []string{l.paragraph(20)}, "cursorRules", []string{}})
}

func (l *conversationWriter) step(text string, calls []call) {
	for _, k := range calls {
		l.wait(10*time.Millisecond, 4*time.Second)
		l.call(k)
	}
	if text != "" {
		l.bubble(2, text)
	}
}

// call writes a call of a tool with its output. Written files are repeated.
func (l *conversationWriter) call(k call) {
	out, failed := l.gave(k), l.chance(25)
	name, params := "run_terminal_command_v2", object{"command", k.arg("command")}
	switch k.tool {
	case "view":
		name, params = "read_file_v2", object{"targetFile", k.arg("path")}
	case "edit":
		name, params = "edit_file_v2", object{"relativeWorkspacePath", k.arg("path"), "newText", k.arg("new_str")}
	case "grep":
		name, params = "grep", object{"pattern", k.arg("pattern")}
	}
	status := "completed"
	if failed {
		status = "error"
	}
	given, err := json.Marshal(params)
	result, err2 := json.Marshal(object{"output", out, "exitCode", map[bool]int{true: 1}[failed]})
	if l.err == nil {
		l.err = errors.Join(err, err2)
	}
	l.bubble(2, "", "capabilityType", 15, "toolFormerData", object{"tool", 15, "name", name, "toolCallId", k.id, "status", status, "params", string(given), "rawArgs", string(given), "result", string(result)})
	l.row("agentKv:blob:"+l.letters(64), object{"role", "tool", "content", out})
	switch {
	case failed:
	case k.edits != "":
		l.changed(k.edits)
	case k.commits != "":
		l.told.commits = append(l.told.commits, touch{k.commits, len(l.told.turns), l.now})
	}
}

// end writes the row that lists the messages.
func (l *conversationWriter) end() error {
	p := l.s.project
	l.row("composerData:"+l.s.id, object{"_v", 16, "composerId", l.s.id, "name", l.s.title, "createdAt", l.s.start.UnixMilli(), "lastUpdatedAt", l.now.UnixMilli(), "status", "completed",
		"unifiedMode", "agent", "modelConfig", object{"modelName", model}, "fullConversationHeadersOnly", l.refs, "subagentComposerIds", []string{}, "todos", []string{},
		"workspaceIdentifier", object{"id", "0f", "uri", object{"fsPath", p.folder, "path", p.folder, "scheme", "file"}}, "context", object{"mentions", object{}}})
	return l.err
}
