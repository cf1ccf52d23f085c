package main

import (
	"context"
	"io"
	"regexp"
	"time"
)

// transcriptWriter writes a transcript of Claude Code 2.1: a line for each block of a message, the output of
// a tool twice, and hidden requests.
type transcriptWriter struct {
	homeLog
	leaf, promptID string
}

// writeTranscripts writes a home of Claude Code.
func writeTranscripts(ctx context.Context, home string, all []*session, lex *lexicon) error {
	plain := regexp.MustCompile(`[^A-Za-z0-9]`)
	place := func(s *session) string {
		return "projects/" + plain.ReplaceAllString(s.project.folder, "-") + "/" + s.id + ".jsonl"
	}
	return writeHome(ctx, home, all, place, func(s *session, out io.Writer) (time.Time, error) {
		l := newTranscript(s, lex, out)
		err := l.converse(l)
		if s.title != "" {
			l.put(object{"type", "custom-title", "customTitle", s.title, "sessionId", s.id})
		}
		return l.now, err
	})
}

func newTranscript(s *session, lex *lexicon, out io.Writer) *transcriptWriter {
	return &transcriptWriter{homeLog: homeLog{logWriter{words: s.words(lex), s: s, out: out, now: s.start}}}
}

// entry writes a line of the tree after the newest one.
func (l *transcriptWriter) entry(fields object) {
	var parent any
	if l.leaf != "" {
		parent = l.leaf
	}
	l.leaf = l.uuid()
	line := append(object{"parentUuid", parent, "isSidechain", false}, fields...)
	l.put(append(line, "uuid", l.leaf, "timestamp", stamp(l.now), "userType", "external", "entrypoint", "cli", "cwd", l.s.project.folder,
		"sessionId", l.s.id, "version", "2.1.330", "gitBranch", l.s.branch))
}

func (l *transcriptWriter) begin() {
	l.put(object{"type", "mode", "mode", "normal", "sessionId", l.s.id})
}

func (l *transcriptWriter) ask(prompt string) {
	l.promptID = l.uuid()
	l.entry(object{"promptId", l.promptID, "type", "user", "message", object{"role", "user", "content", prompt},
		"origin", object{"kind", "human"}, "promptSource", "typed"})
	l.entry(object{"attachment", object{"type", "environment", "snapshot", object{"workingDirectory", l.s.project.folder, "platform", "linux"}}, "type", "attachment",
		"rendered", []object{{"content", l.paragraph(4)}}})
	l.request(prompt)
}

// request writes a call of the model, whole.
func (l *transcriptWriter) request(text string) {
	l.put(object{"type", "api-request-blob", "sessionId", l.s.id, "hash", l.letters(64), "message", object{"role", "user", "content", []object{{"type", "text", "text", text}}}})
	l.put(object{"type", "api-request", "sessionId", l.s.id, "id", l.uuid(), "timestamp", stamp(l.now), "version", "2.1.330", "querySource", "repl_main_thread",
		"shapeHash", l.letters(64), "params", object{"model", model, "betas", []string{l.letters(200), l.letters(200)}, "messages", l.letters(600)}})
}

func (l *transcriptWriter) step(text string, calls []call) {
	id := "msg_" + l.letters(24)
	if text != "" {
		l.block(id, object{"type", "text", "text", text})
	}
	for _, k := range calls {
		l.block(id, object{"type", "tool_use", "id", k.id, "name", claudeTool(k), "input", l.input(k)})
	}
	for _, k := range calls {
		l.wait(10*time.Millisecond, 4*time.Second)
		l.result(k)
	}
	if len(calls) == 0 {
		l.entry(object{"type", "system", "subtype", "turn_duration", "durationMs", l.IntN(90000), "messageCount", 12})
		l.put(object{"type", "last-prompt", "lastPrompt", l.sentence(), "leafUuid", l.leaf, "sessionId", l.s.id})
	}
}

// block is one block of a message.
func (l *transcriptWriter) block(message string, content object) {
	l.entry(object{"message", object{"id", message, "type", "message", "role", "assistant", "model", model, "content", []object{content},
		"stop_reason", "end_turn", "usage", object{"input_tokens", l.between(3, 900), "cache_creation_input_tokens", l.IntN(9000),
			"cache_read_input_tokens", l.IntN(90000), "output_tokens", l.between(20, 920), "service_tier", "standard"}}, "type", "assistant", "requestId", "req_" + l.letters(20)})
}

// claudeTool returns Claude Code's name for the tool of a planned call.
func claudeTool(k call) string {
	return map[string]string{"bash": "Bash", "view": "Read", "edit": "Edit", "grep": "Grep"}[k.tool]
}

func (l *transcriptWriter) input(k call) object {
	switch k.tool {
	case "bash":
		return k.args
	case "grep":
		return object{"pattern", k.arg("pattern"), "path", k.arg("path")}
	case "edit":
		return object{"file_path", k.arg("path"), "old_string", k.arg("old_str"), "new_string", k.arg("new_str"), "replace_all", false}
	}
	return object{"file_path", k.arg("path")}
}

// result writes the output of a call, once for the model and once for the reader.
func (l *transcriptWriter) result(k call) {
	out := l.gave(k)
	block := object{"tool_use_id", k.id, "type", "tool_result", "content", out}
	var told any = object{"stdout", out, "stderr", "", "interrupted", false}
	switch failed := l.chance(25); {
	case failed:
		block, told = append(block, "is_error", true), "Error: "+out
	case k.edits != "":
		told = object{"filePath", k.edits, "oldString", k.arg("old_str"), "newString", k.arg("new_str"), "originalFile", out, "structuredPatch", []object{{"oldStart", 1, "lines", []string{l.codeLine()}}}}
		l.changed(k.edits)
	case k.commits != "":
		l.told.commits = append(l.told.commits, touch{k.commits, len(l.told.turns), l.now})
	}
	l.entry(object{"promptId", l.promptID, "type", "user", "message", object{"role", "user", "content", []object{block}}, "toolUseResult", told})
}
