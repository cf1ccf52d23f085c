package codexcli

import "strings"

// handlers take in the types of records that a note is made of, named as by leading.
var handlers = map[string]func(*parser, *record){
	"session_meta":       (*parser).startedBy,
	"turn_context":       (*parser).context,
	"compacted":          (*parser).compacted,
	"token_usage_record": (*parser).used,

	"response_item/message":                 (*parser).bareMessage,
	"response_item/function_call":           (*parser).called,
	"response_item/custom_tool_call":        (*parser).called,
	"response_item/local_shell_call":        (*parser).called,
	"response_item/tool_search_call":        (*parser).called,
	"response_item/web_search_call":         (*parser).called,
	"response_item/function_call_output":    (*parser).gave,
	"response_item/local_shell_call_output": (*parser).gave,
	"response_item/custom_tool_call_output": (*parser).gave,
	"response_item/agent_message":           (*parser).agentMessage,

	"event_msg/user_message":        (*parser).userMessage,
	"event_msg/agent_message":       func(p *parser, r *record) { p.say(r.Payload.Message, r.Payload.Phase) },
	"event_msg/task_started":        (*parser).taskStarted,
	"event_msg/task_complete":       (*parser).taskComplete,
	"event_msg/turn_started":        (*parser).taskStarted,
	"event_msg/turn_complete":       (*parser).taskComplete,
	"event_msg/turn_aborted":        (*parser).aborted,
	"event_msg/error":               (*parser).failed,
	"event_msg/token_count":         (*parser).counted,
	"event_msg/thread_rolled_back":  func(p *parser, r *record) { p.rollBack(int(min(r.Payload.NumTurns, 1<<20))) },
	"event_msg/thread_name_updated": (*parser).named,
	"event_msg/thread_goal_updated": (*parser).goalUpdated,
	"event_msg/thread_goal_cleared": func(p *parser, _ *record) { p.goal = nil },
	"event_msg/exec_command_end":    func(p *parser, r *record) { p.ran(&r.Payload.body) },
	"event_msg/patch_apply_end":     func(p *parser, r *record) { p.changed(&r.Payload.body) },
	"event_msg/mcp_tool_call_end":   (*parser).mcpEnded,
	"event_msg/web_search_end":      func(p *parser, r *record) { p.searched(&r.Payload.body) },
	"event_msg/entered_review_mode": func(p *parser, r *record) { p.enteredReview(&r.Payload.body) },
	"event_msg/exited_review_mode":  func(p *parser, r *record) { p.exitedReview(&r.Payload.body) },

	"item/UserMessage":         (*parser).userItem,
	"item/AgentMessage":        func(p *parser, r *record) { p.say(textOf(r.Payload.Item.Content), r.Payload.Item.Phase) },
	"item/CommandExecution":    func(p *parser, r *record) { p.ran(&r.Payload.Item) },
	"item/FileChange":          func(p *parser, r *record) { p.changed(&r.Payload.Item) },
	"item/ImageView":           func(p *parser, r *record) { p.viewed(&r.Payload.Item) },
	"item/McpToolCall":         (*parser).mcpEnded,
	"item/DynamicToolCall":     (*parser).mcpEnded,
	"item/WebSearch":           func(p *parser, r *record) { p.searched(&r.Payload.Item) },
	"item/Plan":                (*parser).planned,
	"item/CollabAgentToolCall": (*parser).collaborated,
	"item/SubAgentActivity":    (*parser).agentActivity,
	"item/EnteredReviewMode":   func(p *parser, r *record) { p.enteredReview(&r.Payload.Item) },
	"item/ExitedReviewMode":    func(p *parser, r *record) { p.exitedReview(&r.Payload.Item) },
}

// passed are the other types there are, which no note shows. What is an item is told as an
// event of older versions too.
var passed = func() map[string]bool {
	out := map[string]bool{}
	for group, names := range map[string]string{
		"": `world_state inter_agent_communication_metadata inter_agent_communication dynamic_tools_updated realtime_item
			security_risk_score state ghost_snapshot`,
		"response_item/": `message reasoning additional_tools tool_search_output web_search_call_output ghost_snapshot
			compaction compaction_summary context_compaction image_generation_call other`,
		"event_msg/": `agent_reasoning agent_reasoning_raw_content agent_reasoning_section_break thread_settings_applied context_compacted
			item_started view_image_tool_call collab_agent_spawn_end collab_agent_interaction_end collab_waiting_end collab_close_end
			collab_resume_end session_configured background_event warning deprecation_notice stream_error plan_update turn_diff
			exec_command_begin patch_apply_begin mcp_tool_call_begin web_search_begin image_generation_end undo_started undo_completed
			dynamic_tool_call_request hook_started hook_completed model_reroute shutdown_complete guardian_assessment sub_agent_activity`,
		"item/": "Reasoning ContextCompaction HookPrompt Sleep ImageGeneration",
	} {
		for name := range strings.FieldsSeq(names) {
			out[group+name] = true
		}
	}
	return out
}()
