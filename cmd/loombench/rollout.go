package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// rolloutWriter writes a rollout of Codex 0.169: items for the reader, and beside each the model's messages.
type rolloutWriter struct {
	homeLog
	ordinal int
	turnID  string
}

// writeRollouts writes a home of Codex.
func writeRollouts(ctx context.Context, home string, all []*session, lex *lexicon) error {
	place := func(s *session) string {
		return s.start.Format("sessions/2006/01/02/rollout-2006-01-02T15-04-05-") + s.id + ".jsonl"
	}
	return writeHome(ctx, home, all, place, func(s *session, out io.Writer) (time.Time, error) {
		l := newRollout(s, lex, out)
		return l.now, l.converse(l)
	})
}

func newRollout(s *session, lex *lexicon, out io.Writer) *rolloutWriter {
	return &rolloutWriter{homeLog: homeLog{logWriter{words: s.words(lex), s: s, out: out, now: s.start}}}
}

func (l *rolloutWriter) record(kind string, payload object) {
	l.put(object{"timestamp", stamp(l.now), "ordinal", l.ordinal, "type", kind, "payload", payload})
	l.ordinal++
}

// item writes what a person sees.
func (l *rolloutWriter) item(kind, id string, fields ...any) {
	l.record("event_msg", object{"type", "item_completed", "thread_id", l.s.id, "turn_id", l.turnID,
		"item", append(object{"type", kind, "id", id}, fields...), "completed_at_ms", l.now.UnixMilli()})
}

// sent writes a message to or from the model.
func (l *rolloutWriter) sent(kind, id string, fields ...any) {
	l.record("response_item", append(append(object{"type", kind, "id", id}, fields...),
		"internal_chat_message_metadata_passthrough", object{"turn_id", l.turnID, "create_time", l.now.Unix()}))
}

func (l *rolloutWriter) begin() {
	p := l.s.project
	meta := object{"session_id", l.s.id, "id", l.s.id, "timestamp", stamp(l.now), "cwd", p.folder, "originator", "codex-tui", "cli_version", "0.169.0",
		"source", "cli", "thread_source", "user", "base_instructions", object{"text", l.paragraph(int(max(10, min(20<<10, l.s.size/20)/90)))}, "history_mode", "paginated"}
	if p.git {
		git := object{"commit_hash", l.letters(40), "branch", l.s.branch}
		if p.repository != "" {
			git = append(git, "repository_url", "https://github.com/"+p.repository+".git")
		}
		meta = append(meta, "git", git)
	}
	l.record("session_meta", meta)
}

func (l *rolloutWriter) ask(prompt string) {
	l.turnID = l.uuid()
	l.record("event_msg", object{"type", "task_started", "turn_id", l.turnID, "started_at", l.now.Unix(), "model_context_window", 258400})
	l.record("turn_context", object{"turn_id", l.turnID, "cwd", l.s.project.folder, "approval_policy", "never", "model", "gpt-5.5", "summary", "detailed"})
	id := l.uuid()
	l.sent("message", "msg_"+id, "role", "user", "content", []object{{"type", "input_text", "text", prompt}})
	l.item("UserMessage", id, "content", []object{{"type", "text", "text", prompt, "text_elements", []string{}}})
}

func (l *rolloutWriter) step(text string, calls []call) {
	for _, k := range calls {
		l.call(k)
	}
	l.tokens()
	if text == "" {
		return
	}
	id := "msg_" + l.letters(24)
	l.item("AgentMessage", id, "content", []object{{"type", "Text", "text", text}}, "phase", "final_answer")
	l.sent("message", id, "status", "completed", "role", "assistant", "content", []object{{"type", "output_text", "text", text, "annotations", []string{}}}, "phase", "final_answer")
	l.record("event_msg", object{"type", "task_complete", "turn_id", l.turnID, "last_agent_message", text, "completed_at", l.now.Unix(), "duration_ms", l.IntN(90000)})
}

// tokens writes the tokens of an answer of the model, twice.
func (l *rolloutWriter) tokens() {
	used := object{"input_tokens", l.between(9000, 99000), "cached_input_tokens", 4932, "output_tokens", l.between(20, 920), "total_tokens", l.between(9000, 99999)}
	l.record("token_usage_record", object{"thread_id", l.s.id, "turn_id", l.turnID, "session_id", l.s.id, "response_id", "resp_" + l.letters(32), "usage", used, "turn_token_usage", used, "thread_token_usage", used})
	l.record("event_msg", object{"type", "token_count", "info", object{"total_token_usage", used, "last_token_usage", used, "model_context_window", 258400}})
}

// call writes a call of a tool with its output.
func (l *rolloutWriter) call(k call) {
	out, failed := l.gave(k), l.chance(25)
	l.wait(10*time.Millisecond, 4*time.Second)
	if k.edits != "" && !failed {
		patch := fmt.Sprintf("*** Begin Patch\n*** Update File: %s\n@@\n-%s\n+%s\n*** End Patch", k.edits, k.arg("old_str"), k.arg("new_str"))
		l.sent("custom_tool_call", "ctc_"+l.letters(24), "status", "completed", "call_id", k.id, "name", "apply_patch", "input", patch)
		l.item("FileChange", k.id, "changes", object{k.edits, object{"type", "update", "unified_diff", "@@ -1,2 +1,2 @@\n-" + k.arg("old_str") + "\n+" + k.arg("new_str") + "\n", "move_path", nil}}, "status", "completed")
		l.sent("custom_tool_call_output", "ctco_"+l.letters(24), "call_id", k.id, "output", "Exit code: 0\nOutput:\nSuccess. Updated the following files:\nM "+k.edits+"\n"+out)
		l.changed(k.edits)
		return
	}
	command, code := l.command(k), 0
	if failed {
		code = 1
	}
	args, err := json.Marshal(object{"cmd", command})
	if l.err == nil {
		l.err = err
	}
	l.sent("function_call", "fc_"+l.letters(24), "status", "completed", "name", "exec_command", "arguments", string(args), "call_id", k.id)
	l.item("CommandExecution", k.id, "command", []string{"/bin/bash", "-lc", command}, "cwd", "file://"+l.s.project.folder, "source", "unified_exec_startup",
		"status", map[bool]string{false: "completed", true: "failed"}[failed], "exit_code", code, "aggregated_output", out)
	l.sent("function_call_output", "fco_"+l.letters(24), "call_id", k.id, "output", fmt.Sprintf("Wall time: 0.1 seconds\nProcess exited with code %d\nOutput:\n%s", code, out))
	if k.commits != "" && !failed {
		l.told.commits = append(l.told.commits, touch{k.commits, len(l.told.turns), l.now})
	}
}

// command returns a planned call as a shell command: Codex has no other tool to look at files.
func (l *rolloutWriter) command(k call) string {
	switch k.tool {
	case "view", "edit":
		return "sed -n 1,200p " + strings.TrimPrefix(k.arg("path"), l.s.project.folder+"/")
	case "grep":
		return "rg -n " + k.arg("pattern")
	}
	return k.arg("command")
}
