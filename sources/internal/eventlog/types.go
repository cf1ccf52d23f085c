package eventlog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// callStart is the type of event that most often repeats an answer.
const callStart = "tool.execution_start"

// handlers handle the types that notes need. Events of a sub-agent go to [parser.helped].
var handlers = map[string]func(*parser, *event){
	"session.start":                  (*parser).started,
	"session.resume":                 (*parser).started,
	"session.import_legacy":          func(p *parser, e *event) { p.legacy(cmp.Or(e.Data.LegacySession, &legacySession{})) },
	"session.error":                  (*parser).failed,
	"session.info":                   (*parser).info,
	"session.model_change":           func(p *parser, e *event) { p.setModel(e.Data.NewModel) },
	"session.mode_changed":           func(p *parser, e *event) { p.mode = idOf(e.Data.NewMode) },
	"session.plan_changed":           func(p *parser, e *event) { p.wrote(e, p.b.Session.ID, "plan.md") },
	"session.workspace_file_changed": (*parser).workspaceFile,
	"session.handoff":                func(p *parser, e *event) { p.summary(e.Data.Summary, sources.TrustDerived) },
	"session.shutdown":               (*parser).shutdown,
	"session.usage_record":           (*parser).usage,
	"session.context_changed":        func(p *parser, e *event) { p.place(&e.Data.workContext) },
	"session.compaction_complete":    (*parser).compaction,
	"session.task_complete":          (*parser).taskDone,
	"user.message":                   (*parser).prompt,
	"assistant.message":              (*parser).answer,
	"assistant.usage":                (*parser).usage,
	"abort":                          (*parser).aborted,
	"tool.user_requested":            (*parser).userRan,
	callStart:                        func(p *parser, e *event) { p.call(&e.Data.toolRequest, e) },
	"tool.execution_complete":        (*parser).ended,
	"tool.execution_end":             (*parser).ended,
	"permission.completed":           (*parser).permitted,
	"exit_plan_mode.requested":       func(p *parser, e *event) { p.asked(e, &e.Data.response, tools.Plans) },
	"exit_plan_mode.completed":       func(p *parser, e *event) { p.responded(e, &e.Data.response) },
	"human_response.recorded":        func(p *parser, e *event) { p.responded(e, &e.Data.Response) },
	"system.notification":            (*parser).noticed,
	"subagent.started":               (*parser).helped,
	"subagent.completed":             (*parser).helped,
	"subagent.selected":              func(p *parser, e *event) { p.agent = idOf(e.Data.AgentName) },
	"subagent.deselected":            func(p *parser, _ *event) { p.agent = "" },
}

// known are prefixes of all other types, the frequent ones first.
var known = strings.Fields(`assistant.turn_ hook. permission. model. system. session.usage_
	assistant.reasoning assistant.fusion_phase_ assistant.intent assistant.idle assistant.message_ assistant.streaming_ assistant.tool_call_
	tool.execution_ tool.shell_output mcp. skill. subagent. tool_search. user_input. elicitation. sampling. command. commands.
	workflow. external_tool. capabilities. auto_mode_switch. ui.
	session.autopilot_objective_changed session.auto_mode_resolved session.background_tasks_changed session.binary_asset session.canvas.
	session.compaction_start session.completion_receipt session.context_cleared session.custom_ session.extensions_loaded session.fusion_
	session.idle session.indexed_search session.managed_ session.mcp_ session.memory_changed session.mode_notice_delivered
	session.model_deselected session.permission_recovery session.permissions_changed session.remote_steerable_changed
	session.request_body_compression_disabled session.schedule_ session.session_limits_changed session.skills_loaded
	session.snapshot_rewind session.title_changed session.todos_changed session.tools_updated session.truncation session.warning
	prompt_cache_break pending_messages.modified agent.interrupted`)

// unknownIn returns an unknown type of event, or "" for a known one.
func unknownIn(kind string) string {
	if slices.ContainsFunc(known, func(begin string) bool { return strings.HasPrefix(kind, begin) }) ||
		strings.HasPrefix(kind, "assistant.") && strings.HasSuffix(kind, "_delta") || strings.HasPrefix(kind, "session.") && strings.HasSuffix(kind, "_ref") {
		return ""
	}
	return kind
}
