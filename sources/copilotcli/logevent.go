package copilotcli

import (
	"bytes"
	"errors"
	"strings"
	"time"
	"unicode/utf8"
)

// logEvent is one record of a log.
type logEvent struct {
	kind  string
	id    string
	agent string // of the sub-agent that caused it, empty for the root
	at    time.Time
	data  *eventData
}

// want says what is to be done with a type of event.
type want int

const (
	skipped want = iota // known, of no use to a note
	decoded
	unknown
)

// peekType finds the top-level type in the first bytes of a record, "" where it
// stands further back or the record is no object.
func (p *logParser) peekType(head []byte) string {
	if kind, ok := leadingType(head); ok {
		return kind
	}
	kind := ""
	p.decoder.ResetTo(trimRecord(head))
	_ = p.decoder.Members(func(name string) error { // a cut head is the normal case
		if name != "type" {
			return p.decoder.SkipValue()
		}
		if err := p.decoder.Read(&kind); err != nil {
			return err
		}
		return errFound
	})
	return kind
}

// errFound ends a walk over members.
var errFound = errors.New("found")

// leadingType finds the type where the CLI writes it: first of all, and plain.
func leadingType(head []byte) (kind string, ok bool) {
	rest, ok := bytes.CutPrefix(head, []byte(`{"type":"`))
	end := bytes.IndexByte(rest, '"')
	if !ok || end < 0 || bytes.IndexByte(rest[:end], '\\') >= 0 || !utf8.Valid(rest[:end]) {
		return "", false
	}
	return string(rest[:end]), true
}

// trimRecord takes off what may stand before and after a record: the NUL bytes
// of a power failure, a byte order mark, white space.
func trimRecord(line []byte) []byte {
	line = bytes.Trim(line, "\x00 \t\r")
	return bytes.Trim(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")), "\x00 \t\r")
}

// wanted sorts the types of events: those a note is made of, those that are
// known and passed over, and the rest.
func wanted(kind string) want {
	switch kind {
	case "session.start", "session.resume", "session.import_legacy", "session.error", "session.info",
		"session.model_change", "session.mode_changed", "session.plan_changed", "session.workspace_file_changed",
		"session.handoff", "session.shutdown", "session.usage_record", "session.context_changed",
		"session.compaction_complete", "session.task_complete",
		"user.message", "assistant.message", "assistant.usage", "abort",
		"tool.user_requested", "tool.execution_start", "tool.execution_complete", "tool.execution_end",
		"subagent.selected", "subagent.deselected":
		return decoded
	}
	if i := strings.IndexByte(kind, '.'); i > 0 {
		switch group := kind[:i]; group {
		case "model", "hook", "permission", "mcp", "skill", "subagent", "system", "tool_search", "user_input",
			"elicitation", "sampling", "command", "commands", "exit_plan_mode", "workflow", "human_response", "external_tool",
			"capabilities", "auto_mode_switch", "ui":
			return skipped
		case "session":
			return knownIf(sessionEvent(kind[i+1:]))
		case "assistant":
			return knownIf(assistantEvent(kind[i+1:]))
		case "tool":
			return knownIf(strings.HasPrefix(kind, "tool.execution_") || kind == "tool.shell_output")
		}
	}
	switch kind {
	case "prompt_cache_break", "pending_messages.modified", "agent.interrupted":
		return skipped
	}
	return unknown
}

func knownIf(ok bool) want {
	if ok {
		return skipped
	}
	return unknown
}

func assistantEvent(name string) bool {
	switch name {
	case "turn_start", "turn_end", "turn_retry", "reasoning", "fusion_phase_completed", "fusion_phase_failed",
		"intent", "idle", "message_start", "message_delta", "reasoning_delta", "streaming_delta", "tool_call_delta":
		return true
	}
	return strings.HasSuffix(name, "_delta")
}

func sessionEvent(name string) bool {
	switch name {
	case "remote_steerable_changed", "schedule_created", "schedule_cancelled", "schedule_rearmed",
		"autopilot_objective_changed", "warning", "model_deselected", "mode_notice_delivered", "session_limits_changed",
		"permissions_changed", "truncation", "usage_checkpoint", "fusion_change_checkpoint",
		"request_body_compression_disabled", "context_cleared", "compaction_start", "completion_receipt",
		"fusion_route_failed", "fusion_resolved", "fusion_handoff", "fusion_commit_started", "fusion_completed",
		"permission_recovery", "binary_asset", "auto_mode_resolved",
		"idle", "title_changed", "todos_changed", "memory_changed", "snapshot_rewind", "usage_info",
		"indexed_search", "skills_loaded", "tools_updated", "background_tasks_changed", "custom_notification",
		"custom_agents_updated", "extensions_loaded":
		return true
	}
	return strings.HasPrefix(name, "mcp_") || strings.HasPrefix(name, "managed_") || strings.HasPrefix(name, "canvas.") ||
		strings.HasSuffix(name, "_ref")
}

// typeName makes the name of an unknown type fit for a report.
func typeName(kind string) string {
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, kind)
	return clean[:min(len(clean), 64)]
}
