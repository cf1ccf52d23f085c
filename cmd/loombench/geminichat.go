package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"time"
)

// geminiWriter writes a chat of Gemini CLI 0.61: each message with calls twice, the output of a tool in its
// call, as displayed, and as a message, and the time after each message.
type geminiWriter struct{ homeLog }

// writeGeminiChats writes a home of Gemini CLI.
func writeGeminiChats(ctx context.Context, home string, all []*session, lex *lexicon) error {
	folder := func(s *session) string { return "tmp/" + path.Base(s.project.folder) }
	place := func(s *session) string {
		return folder(s) + s.start.Format("/chats/session-2006-01-02T15-04-") + s.id[:8] + ".jsonl"
	}
	err := writeHome(ctx, home, all, place, func(s *session, out io.Writer) (time.Time, error) {
		l := &geminiWriter{homeLog{logWriter{words: s.words(lex), s: s, out: out, now: s.start}}}
		err := l.converse(l)
		if s.title != "" {
			l.put(object{"$set", object{"summary", s.title}})
		}
		return l.now, err
	})
	for _, s := range all {
		name := filepath.Join(home, filepath.FromSlash(folder(s)), ".project_root")
		at := all[0].start
		err = errors.Join(err, os.WriteFile(name, []byte(s.project.folder), 0o600), os.Chtimes(name, at, at))
	}
	return err
}

// message writes a message and its time.
func (l *geminiWriter) message(id, kind string, fields ...any) {
	l.put(append(object{"id", id, "timestamp", stamp(l.now), "type", kind}, fields...))
	l.put(object{"$set", object{"lastUpdated", stamp(l.now)}})
}

func (l *geminiWriter) begin() {
	l.put(object{"sessionId", l.s.id, "projectHash", l.letters(64), "startTime", stamp(l.now), "lastUpdated", stamp(l.now), "kind", "main"})
	l.put(object{"$set", object{"messages", []object{{"id", l.letters(32), "timestamp", stamp(l.now), "type", "user",
		"content", []object{{"text", "<session_context>\nThis is the Gemini CLI. " + l.paragraph(12) + "\n</session_context>"}}}}}})
}

func (l *geminiWriter) ask(prompt string) {
	l.message(l.uuid(), "user", "content", []object{{"text", prompt}})
}

func (l *geminiWriter) step(text string, calls []call) {
	id, in, out := l.uuid(), l.between(9000, 99000), l.between(20, 920)
	fields := object{"content", text, "thoughts", []object{{"subject", l.sentence(), "description", l.sentence(), "timestamp", stamp(l.now)}},
		"tokens", object{"input", in, "output", out, "cached", in / 2, "thoughts", 0, "tool", 0, "total", in + out}, "model", "gemini-2.5-pro"}
	l.message(id, "gemini", fields...)
	if len(calls) == 0 {
		return
	}
	var made, results []object
	for _, k := range calls {
		l.wait(10*time.Millisecond, 4*time.Second)
		call, result := l.call(k)
		made, results = append(made, call), append(results, result)
	}
	l.message(id, "gemini", append(fields, "toolCalls", made)...)
	l.message(l.uuid(), "user", "content", results)
}

// call returns a call of a tool, and its output.
func (l *geminiWriter) call(k call) (made, result object) {
	gave, failed := l.gave(k), l.chance(25)
	name, args := "read_file", object{"file_path", k.arg("path")}
	var shown any = ""
	switch k.tool {
	case "bash":
		name, args, shown = "run_shell_command", k.args, gave
		code := ""
		if failed {
			code = "Exit Code: 1\n"
		}
		gave = "<untrusted_context>\nOutput: " + gave + "\n" + code + "Process Group PGID: 7\n</untrusted_context>"
	case "grep":
		name, args = "grep_search", object{"pattern", k.arg("pattern")}
	case "edit":
		name, args = "replace", object{"file_path", k.edits, "instruction", "change it", "old_string", k.arg("old_str"), "new_string", k.arg("new_str")}
		shown = object{"fileDiff", fmt.Sprintf("-%s\n+%s\n", k.arg("old_str"), k.arg("new_str")), "filePath", k.edits, "isNewFile", false}
	}
	status, kind := "success", "output"
	if failed && k.tool != "bash" {
		status, kind, shown = "error", "error", "Error"
	}
	if !failed && k.edits != "" {
		l.changed(k.edits)
	}
	if !failed && k.commits != "" {
		l.told.commits = append(l.told.commits, touch{k.commits, len(l.told.turns), l.now})
	}
	result = object{"functionResponse", object{"id", k.id, "name", name, "response", object{kind, gave}}}
	return object{"id", k.id, "name", name, "args", args, "result", []object{result}, "status", status, "timestamp", stamp(l.now),
		"resultDisplay", shown, "description", k.title, "displayName", k.title, "renderOutputAsMarkdown", false}, result
}
