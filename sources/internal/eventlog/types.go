package eventlog

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sessionloom/sessionloom/sources"
)

// callStart is the type of the event that most often tells what an answer told before.
const callStart = "tool.execution_start"

// handlers take in the types of events that a note is made of.
var handlers = map[string]func(*parser, *event){
	"session.start":                  (*parser).started,
	"session.resume":                 (*parser).resumed,
	"session.import_legacy":          (*parser).importLegacy,
	"session.error":                  (*parser).failure,
	"session.info":                   (*parser).info,
	"session.model_change":           func(p *parser, e *event) { p.setModel(e.Data.NewModel) },
	"session.mode_changed":           func(p *parser, e *event) { p.mode = idOf(e.Data.NewMode) },
	"session.plan_changed":           func(p *parser, e *event) { p.planChanged(e) },
	"session.workspace_file_changed": (*parser).workspaceFile,
	"session.handoff":                func(p *parser, e *event) { p.summary(e.Data.Summary, sources.TrustDerived, e) },
	"session.shutdown":               (*parser).shutdown,
	"session.usage_record":           (*parser).usage,
	"session.context_changed":        func(p *parser, e *event) { p.place(&e.Data.workContext) },
	"session.compaction_complete":    (*parser).compaction,
	"session.task_complete":          func(p *parser, e *event) { p.summary(e.Data.Summary, sources.TrustNamed, e) },
	"user.message":                   (*parser).prompt,
	"assistant.message":              (*parser).answer,
	"assistant.usage":                (*parser).usage,
	"abort":                          (*parser).abort,
	"human_response.recorded":        (*parser).responded,
	"tool.user_requested":            (*parser).callStarted,
	callStart:                        (*parser).callStarted,
	"tool.execution_complete":        (*parser).callEnded,
	"tool.execution_end":             (*parser).callEnded,
	"subagent.selected":              func(p *parser, e *event) { p.agent = idOf(e.Data.AgentName) },
	"subagent.deselected":            func(p *parser, _ *event) { p.agent = "" },
}

// known are the beginnings of the other types there are, the frequent ones first.
var known = strings.Fields(`assistant.turn_ hook. permission. model. system. session.usage_
	assistant.reasoning assistant.fusion_phase_ assistant.intent assistant.idle assistant.message_ assistant.streaming_ assistant.tool_call_
	tool.execution_ tool.shell_output mcp. skill. subagent. tool_search. user_input. elicitation. sampling. command. commands.
	exit_plan_mode. workflow. human_response. external_tool. capabilities. auto_mode_switch. ui.
	session.autopilot_objective_changed session.auto_mode_resolved session.background_tasks_changed session.binary_asset session.canvas.
	session.compaction_start session.completion_receipt session.context_cleared session.custom_ session.extensions_loaded session.fusion_
	session.idle session.indexed_search session.managed_ session.mcp_ session.memory_changed session.mode_notice_delivered
	session.model_deselected session.permission_recovery session.permissions_changed session.remote_steerable_changed
	session.request_body_compression_disabled session.schedule_ session.session_limits_changed session.skills_loaded
	session.snapshot_rewind session.title_changed session.todos_changed session.tools_updated session.truncation session.warning
	prompt_cache_break pending_messages.modified agent.interrupted`)

// isKnown tells whether a type of event without a handler may be passed over.
func isKnown(kind string) bool {
	return slices.ContainsFunc(known, func(begin string) bool { return strings.HasPrefix(kind, begin) }) ||
		strings.HasPrefix(kind, "assistant.") && strings.HasSuffix(kind, "_delta") || strings.HasPrefix(kind, "session.") && strings.HasSuffix(kind, "_ref")
}

// leadingType finds the type where the CLI writes it, first of all and plain; empty
// where it stands further back.
func leadingType(head []byte) []byte {
	rest, ok := bytes.CutPrefix(head, []byte(`{"type":"`))
	kind, _, ended := bytes.Cut(rest, []byte{'"'})
	if !ok || !ended || bytes.IndexByte(kind, '\\') >= 0 || !utf8.Valid(kind) {
		return nil
	}
	return kind
}

// callIn finds the id of the call that a record tells of.
func callIn(line []byte) []byte {
	_, rest, _ := bytes.Cut(line, []byte(`"toolCallId":"`))
	id, _, _ := bytes.Cut(rest, []byte{'"'})
	return id
}
