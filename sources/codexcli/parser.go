package codexcli

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

type parser struct {
	thread string // its id
	b      *builder.Builder
	lines  *jsonl.Log[record]

	known  bool   // the record that begins a thread occurred
	meta   meta   // from that record
	root   string // the session that a sub-agent works for, or ""
	worker sources.Delegation
	style  string // source of prompts and answers in this file: events or items
	end    int64  // ordinal from which on a file is dead
	dead   *parser
	model  string
	mode   string

	// For a fork that copies its parent, as in 2025: lines get new times, and the parent's own session_meta
	// is among them.
	origin  string    // the thread that was copied, or ""
	copying bool      // the record is copied
	last    time.Time // time of the record before

	goal     sources.Todo     // set by the user, in its current state; none without a title
	cells    map[string]*cell // scripts that call tools, by the id of their call
	waits    map[string]*cell // scripts that went on, by number
	cell     *cell            // the running script, or nil
	search   *builder.Called  // the newest search of the web
	helpers  map[string]*sources.Delegation
	prompts  map[string]bool // ids that occurred
	repeats  map[string]int  // how often a prompt was met
	lastSum  []byte          // tokens of the thread in the last record that counted them
	recorded *builder.Turn   // turn whose tokens are counted by answer
	unsaid   string          // findings of a review not in an answer yet
	started  bool            // Codex began a turn that has no record yet
	empty    int             // number of such turns aborted since the last prompt or work
}

func newParser(thread string) *parser {
	p := &parser{thread: thread, b: builder.New(), end: math.MaxInt64, cells: map[string]*cell{}, waits: map[string]*cell{}, helpers: map[string]*sources.Delegation{},
		prompts: map[string]bool{}, repeats: map[string]int{}}
	p.lines = p.log()
	return p
}

// handlers handle the types of records that notes need, with keys as in leading. Nil: no note shows them.
var handlers = func() map[string]func(*parser, *payload) {
	all := map[string]func(*parser, *payload){}
	for _, row := range []struct {
		group, names string
		take         func(*parser, *payload)
	}{
		{"", "session_meta", (*parser).begin},
		{"", "turn_context", (*parser).context},
		{"", "compacted", (*parser).compacted},
		{"", "token_usage_record", (*parser).used},
		{"", `world_state inter_agent_communication_metadata inter_agent_communication dynamic_tools_updated realtime_item
			security_risk_score state ghost_snapshot`, nil},

		{"response_item/", "message", (*parser).bareMessage},
		{"response_item/", "function_call custom_tool_call local_shell_call tool_search_call web_search_call", (*parser).called},
		{"response_item/", "function_call_output local_shell_call_output custom_tool_call_output", (*parser).result},
		{"response_item/", "agent_message", (*parser).agentMessage},
		{"response_item/", `reasoning additional_tools tool_search_output web_search_call_output ghost_snapshot compaction
			compaction_summary context_compaction image_generation_call other`, nil},

		{"event_msg/", "user_message", (*parser).userMessage},
		{"event_msg/", "agent_message", func(p *parser, d *payload) { p.say(d.Message, d.Phase) }},
		{"event_msg/", "task_started turn_started", (*parser).taskStarted},
		{"event_msg/", "task_complete turn_complete", (*parser).taskComplete},
		{"event_msg/", "turn_aborted", (*parser).aborted},
		{"event_msg/", "error", (*parser).failed},
		{"event_msg/", "token_count", (*parser).counted},
		{"event_msg/", "thread_rolled_back", (*parser).rolledBack},
		{"event_msg/", "thread_name_updated", func(p *parser, d *payload) { p.b.Entitle(d.Name, sources.TrustDerived) }}, // before 0.169
		{"event_msg/", "thread_goal_updated", (*parser).goalUpdated},
		{"event_msg/", "thread_goal_cleared", func(p *parser, _ *payload) { p.goal = sources.Todo{} }},
		{"event_msg/", "exec_command_end", (*parser).ran},
		{"event_msg/", "patch_apply_end", (*parser).changed},
		{"event_msg/", "mcp_tool_call_end", (*parser).mcpEnded},
		{"event_msg/", "web_search_end", (*parser).searched},
		{"event_msg/", "entered_review_mode", (*parser).enteredReview},
		{"event_msg/", "exited_review_mode", (*parser).exitedReview},
		{"event_msg/", `agent_reasoning agent_reasoning_raw_content agent_reasoning_section_break thread_settings_applied
			context_compacted item_started view_image_tool_call collab_agent_spawn_end collab_agent_interaction_end
			collab_waiting_end collab_close_end collab_resume_end session_configured background_event warning deprecation_notice
			stream_error plan_update turn_diff exec_command_begin patch_apply_begin mcp_tool_call_begin web_search_begin
			image_generation_end undo_started undo_completed dynamic_tool_call_request hook_started hook_completed model_reroute
			shutdown_complete guardian_assessment sub_agent_activity`, nil}, // some of these are items in newer versions

		{"item/", "UserMessage", (*parser).userItem},
		{"item/", "AgentMessage", func(p *parser, d *payload) { p.say(d.Item.Content.String(), d.Item.Phase) }},
		{"item/", "CommandExecution", (*parser).ran},
		{"item/", "FileChange", (*parser).changed},
		{"item/", "ImageView", (*parser).viewed},
		{"item/", "McpToolCall DynamicToolCall", (*parser).mcpEnded},
		{"item/", "WebSearch", (*parser).searched},
		{"item/", "Plan", (*parser).planned},
		{"item/", "CollabAgentToolCall", (*parser).collaborated},
		{"item/", "SubAgentActivity", (*parser).agentActivity},
		{"item/", "EnteredReviewMode", (*parser).enteredReview},
		{"item/", "ExitedReviewMode", (*parser).exitedReview},
		{"item/", "Reasoning ContextCompaction HookPrompt Sleep ImageGeneration", nil},
	} {
		for name := range strings.FieldsSeq(row.names) {
			all[row.group+name] = row.take
		}
	}
	return all
}()

// take passes a record to its handler. Records after the target of a rewind go to another parser; records
// that a sub-agent copied from its parent are skipped.
func (p *parser) take(r *record) (unknown string, ok bool) {
	d, key := r.open()
	if handlers[key] == nil {
		return unknownIn(key), key != ""
	}
	ordinal, to := int64(p.lines.Line), p
	if r.Ordinal != nil {
		ordinal = int64(*r.Ordinal)
	}
	switch {
	case key == "session_meta":
		p.b.Session.Complete = p.b.Session.Complete || !p.lines.Begun
	case ordinal >= p.end:
		if p.dead == nil {
			p.dead = newParser(p.thread)
			p.dead.model = p.model
		}
		to = p.dead
	case p.root != "" && ordinal < int64(p.meta.Start):
		return "", true
	}
	isOthers := d.ThreadID != "" && sources.FoldUUID(d.ThreadID) != p.thread // the parent of a review has items of its reviewer
	if !isOthers && p.isOfStyle(key, d.Kind) {
		if !d.bare {
			to.b.At(words.Time(r.Began))
		}
		to.goOn()
		handlers[key](to, d)
	}
	return "", true
}

// isOfStyle prevents counting words twice, as an event and as an item. A thread may continue in a file of the other
// style.
func (p *parser) isOfStyle(key, source string) bool {
	group, kind, _ := strings.Cut(key, "/")
	switch kind {
	case "user_message", "agent_message", "UserMessage", "AgentMessage":
		if group == "response_item" {
			return true
		}
		if kind == "user_message" && source != "" && source != "plain" {
			return false // some versions mark their own texts
		}
		p.style = cmp.Or(p.style, group)
		return group == p.style
	}
	return true
}

// begin records session_meta; the first one counts.
func (p *parser) begin(d *payload) {
	id := sources.FoldUUID(d.ID)
	if p.known {
		p.copiedFrom(id)
		return
	}
	p.known, p.meta = true, d.meta
	s := p.b.Session
	s.Created = cmp.Or(words.Time(d.Began), p.b.Now())
	s.Place = sources.Place{Cwd: tools.PlainPath(d.Cwd), Repository: d.Git.Repository, Branch: d.Git.Branch}
	if p.root = rootOf(d, id); p.root != "" {
		p.worker = sources.Delegation{ID: p.thread, Name: workerName(d)}
		return
	}
	s.Parent = sources.FoldUUID(d.ForkedFrom)
	s.Class, s.Headless = classOf(d)
}

// terminals are the programs of Codex, by the prefix of their names; older files have none. They may
// run without a person; what an editor or another program runs so is automatic.
var terminals = []string{"codex_cli_rs", "codex-tui", "codex_exec", ""}

// classOf returns the class of a thread by its origin.
func classOf(d *payload) (class sources.Class, headless bool) {
	isExec := d.Source.Word == "exec"
	switch {
	case d.Source.Agent != nil, d.ThreadSource != "" && d.ThreadSource != "user": // a helper of an unknown thread
		return sources.Automatic, false
	case d.Source.Word == "mcp", isExec && !slices.Contains(terminals, d.Originator):
		return sources.Automatic, false
	}
	return "", isExec
}

// context records turn_context: the model and the mode of the turn. Versions before 0.128 write it after the prompt.
func (p *parser) context(d *payload) {
	p.stillCopied(d.TurnID)
	p.model = d.Model
	if p.mode = ""; d.Collaboration.Mode == "plan" {
		p.mode = "plan"
	}
	if t := p.b.Turn(); t != nil && t.Status == sources.Pending && !t.Worked() {
		t.By(p.model)
		t.Mode = cmp.Or(p.mode, t.Mode)
	}
	place := &p.b.Session.Place
	place.Cwd = cmp.Or(place.Cwd, tools.PlainPath(d.Cwd))
}

// compacted records the agent's summary of the thread so far. It has no text if the provider encrypted it.
func (p *parser) compacted(d *payload) {
	text := strings.TrimSpace(d.Message)
	if strings.HasPrefix(text, "Another language model started to solve this problem") { // 0.169: a preamble in one line
		_, text, _ = strings.Cut(text, "\n")
		text = strings.TrimSpace(text)
	}
	p.b.Checkpoint(sources.Checkpoint{Raw: text, Title: cmp.Or(builder.TitleOf(text), "Context compacted"), Inherited: p.copying})
}

// goalUpdated records a goal: the user's setting it is an action, its open rest a task.
func (p *parser) goalUpdated(d *payload) {
	text := d.Goal.Objective
	if strings.TrimSpace(text) == "" {
		return
	}
	if p.goal.Description != text {
		p.b.Act(sources.ActionGoal, "/goal "+text)
	}
	p.goal = sources.Todo{ID: "goal", Title: words.OneLine(text, 500), Description: text, Origin: "goal"}
	p.setGoal(d.Goal.Status)
}

func (p *parser) setGoal(status string) {
	g := &p.goal
	g.Raw, g.Status, g.At = status, tools.Status(status), p.b.Now()
	switch status {
	case "active":
		g.Status = sources.TodoInProgress
	case "usage_limited", "budget_limited":
		g.Status = sources.TodoBlocked
	}
}

func (p *parser) planned(d *payload) {
	if text := strings.TrimSpace(d.Item.Text); text != "" {
		p.b.Artifact(sources.Artifact{Kind: sources.Plan, Name: "plan.md", Text: text})
		p.b.Tell(sources.Act{Kind: sources.ActPlanned, Text: builder.TitleOf(text)})
	}
}

func (p *parser) finish() *sources.Session {
	p.tellReview()
	if p.dead != nil {
		p.b.AddTakenBack(p.dead.b, p.dead.b.Turns())
	}
	class := p.b.Session.Class
	s := p.b.Finish()
	if s.Class = class; len(s.Models) == 0 && p.model != "" && !p.copying {
		s.Models = []string{p.model[strings.LastIndexByte(p.model, '/')+1:]}
	}
	if g := p.goal; g.Title != "" {
		s.Todos = append(s.Todos, g)
		if s.Updated.Before(g.At) {
			s.Updated = g.At
		}
	}
	s.Damage = append(s.Damage, p.lines.Damage()...)
	return s
}
