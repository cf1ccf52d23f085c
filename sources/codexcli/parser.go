package codexcli

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/jsonl"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// parser translates the records of a thread into acts.
type parser struct {
	thread string // its id
	b      *builder.Builder
	lines  *jsonl.Log[record]
	meta   meta // of the first record
	worker *worker

	started bool   // the record that begins a thread was seen
	style   string // what has the prompts and answers of this file: its events, or its items

	end   int64 // ordinal from which on a file is dead, -1: none is
	dead  *parser
	model string
	mode  string

	fork
	goals    []goal
	cells    map[string]*cell // scripts that call tools, by the id of their call
	cell     *cell            // the one at work, nil: none is
	search   *builder.Called  // the newest search of the web
	helpers  map[string]*sources.Delegation
	prompts  map[string]bool // ids of those that were met
	repeats  map[string]int  // how often a prompt was met
	lastSum  []byte          // tokens of the thread, as the last record that counted them has it
	recorded *builder.Turn   // turn whose tokens are counted by answer
	// passedCount says that sums of the thread were passed over since.
	passedCount bool
	unsaid      string // findings of a review that no answer had yet
}

func newParser(thread string) *parser {
	p := &parser{thread: thread, b: builder.New(), end: -1, cells: map[string]*cell{}, helpers: map[string]*sources.Delegation{}, prompts: map[string]bool{}, repeats: map[string]int{}}
	p.lines = p.log()
	return p
}

// handlers are the types of records that a note is made of, named as by leading.
var handlers = map[string]func(*parser, *record){
	"session_meta":       (*parser).begin,
	"turn_context":       (*parser).context,
	"compacted":          (*parser).compacted,
	"token_usage_record": (*parser).used,

	"response_item/message":                 (*parser).bareMessage,
	"response_item/function_call":           (*parser).called,
	"response_item/custom_tool_call":        (*parser).called,
	"response_item/local_shell_call":        (*parser).called,
	"response_item/tool_search_call":        (*parser).called,
	"response_item/web_search_call":         (*parser).called,
	"response_item/function_call_output":    (*parser).result,
	"response_item/local_shell_call_output": (*parser).result,
	"response_item/custom_tool_call_output": (*parser).result,
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
	"event_msg/thread_rolled_back":  (*parser).rolledBack,
	"event_msg/thread_name_updated": (*parser).named,
	"event_msg/thread_goal_updated": (*parser).goalUpdated,
	"event_msg/thread_goal_cleared": func(p *parser, _ *record) { p.goals = append(p.goals, goal{turn: p.b.Turn()}) },
	"event_msg/exec_command_end":    func(p *parser, r *record) { p.ran(&r.Payload.body) },
	"event_msg/patch_apply_end":     func(p *parser, r *record) { p.changed(&r.Payload.body) },
	"event_msg/mcp_tool_call_end":   (*parser).mcpEnded,
	"event_msg/web_search_end":      func(p *parser, r *record) { p.searched(&r.Payload.body) },
	"event_msg/entered_review_mode": func(p *parser, r *record) { p.enteredReview(&r.Payload.body) },
	"event_msg/exited_review_mode":  func(p *parser, r *record) { p.exitedReview(&r.Payload.body) },

	"item/UserMessage":         (*parser).userItem,
	"item/AgentMessage":        func(p *parser, r *record) { p.say(r.Payload.Item.Content.String(), r.Payload.Item.Phase) },
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

// passed are the other types there are, which no note shows. What is an item is an event of
// older versions too.
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

// record gives a record to its handler. What stands behind the place that a rewind went back to
// is for another parser, and what a sub-agent copied from its parent for none.
func (p *parser) record(r *record, key string) {
	ordinal := int64(p.lines.Line)
	if r.Ordinal != nil {
		ordinal = int64(*r.Ordinal)
	}
	to := p
	switch isMeta := key == "session_meta"; {
	case isMeta && !p.lines.Begun:
		p.b.Session.Complete = true
	case isMeta:
	case p.end >= 0 && ordinal >= p.end:
		if p.dead == nil {
			p.dead = newParser(p.thread)
			p.dead.model = p.model
		}
		to = p.dead
	case p.worker != nil && ordinal < int64(p.meta.Start):
		return
	}
	if p.isForeign(r) || !p.isOfStyle(key, r.Payload.Kind) {
		return
	}
	to.b.At(words.Time(r.Timestamp))
	to.goOn()
	handlers[key](to, r)
}

// isForeign tells whether a record is of another thread: the parent of a review has the items
// of its reviewer.
func (p *parser) isForeign(r *record) bool {
	id := r.Payload.ThreadID
	return id != "" && sources.FoldUUID(id) != p.thread
}

// isOfStyle keeps what was said from counting twice, as an event and as an item. A thread may
// go on in a file of the other style.
func (p *parser) isOfStyle(key, source string) bool {
	group, kind, _ := strings.Cut(key, "/")
	if kind == "user_message" && source != "" && source != "plain" {
		return false // some versions mark what they put there themselves
	}
	switch kind {
	case "user_message", "agent_message", "UserMessage", "AgentMessage":
		if group != "response_item" {
			p.style = cmp.Or(p.style, group)
		}
		return group == "response_item" || group == p.style
	}
	return true
}

// begin takes in session_meta, of which the first one counts.
func (p *parser) begin(r *record) {
	d := &r.Payload
	id := sources.FoldUUID(d.ID)
	if p.started {
		p.copiedFrom(id)
		return
	}
	p.started, p.meta = true, d.meta
	s := p.b.Session
	if s.Created = words.Time(d.Began); s.Created.IsZero() {
		s.Created = p.b.Now()
	}
	s.Place = sources.Place{Cwd: tools.PlainPath(d.Cwd), Repository: d.Git.Repository, Branch: d.Git.Branch}
	if p.worker = workerOf(d, id); p.worker != nil {
		return
	}
	s.Parent = sources.FoldUUID(d.ForkedFrom)
	s.Class, s.Headless = classOf(d)
}

// Programs of Codex, by the word with which they begin a thread; older files have none. The
// terminal's may run without a person beside it; what an editor or another program runs so is
// its own.
var terminals = []string{"codex_cli_rs", "codex-tui", "codex_exec", ""}

// classOf returns whose a thread is by where it comes from.
func classOf(d *payload) (class sources.Class, headless bool) {
	isExec := d.Source.Word == "exec"
	switch {
	case d.Source.Agent != nil, d.ThreadSource != "" && d.ThreadSource != "user": // a helper of nobody that is known
		return sources.Automatic, false
	case d.Source.Word == "mcp", isExec && !slices.Contains(terminals, d.Originator):
		return sources.Automatic, false
	}
	return "", isExec
}

// context takes in turn_context: the model, and how the turn is run. Versions before 0.128
// write it behind the prompt.
func (p *parser) context(r *record) {
	d := &r.Payload
	p.stillCopied(d.TurnID)
	p.model = d.Model
	if p.mode = ""; d.Collaboration.Mode == "plan" {
		p.mode = "plan"
	}
	if t := p.b.Turn(); t != nil && t.Status == sources.Pending && !t.Worked() {
		t.By(p.model)
		t.Mode = cmp.Or(p.mode, t.Mode)
	}
	s := p.b.Session
	s.Place.Cwd = cmp.Or(s.Place.Cwd, tools.PlainPath(d.Cwd))
}

// named takes in a name, which versions before 0.169 kept here too.
func (p *parser) named(r *record) {
	if name := strings.TrimSpace(r.Payload.Name); name != "" {
		p.b.Session.Title, p.b.Session.TitleFrom = name, sources.TrustDerived
	}
}

// compacted takes in what the agent summed up of the thread so far. A summary that the
// provider made is encrypted: there is no text then.
func (p *parser) compacted(r *record) {
	text := strings.TrimSpace(r.Payload.Message)
	if strings.HasPrefix(text, "Another language model started to solve this problem") { // 0.169: a preamble in one line
		_, text, _ = strings.Cut(text, "\n")
		text = strings.TrimSpace(text)
	}
	c := sources.Checkpoint{Raw: text, Title: builder.TitleOf(text), Inherited: p.copying}
	if text == "" {
		c.Title, c.Raw = "Context compacted", "The summary is not in the file."
	}
	p.b.Checkpoint(c)
}

// goal is a state of the goal that the user set, of a turn; nil: there is none any more.
type goal struct {
	turn *builder.Turn
	*sources.Todo
}

// goal returns the newest state of the goal that was not taken back, nil where there is none.
func (p *parser) goal() *sources.Todo {
	for _, g := range slices.Backward(p.goals) {
		if g.turn == nil || !g.turn.IsBack() {
			return g.Todo
		}
	}
	return nil
}

// goalUpdated takes in a goal: what its user set is an action, what is left of it is open.
func (p *parser) goalUpdated(r *record) {
	g := r.Payload.Goal
	if g == nil || strings.TrimSpace(g.Objective) == "" {
		return
	}
	if was := p.goal(); was == nil || was.Description != g.Objective {
		p.b.Act(sources.ActionGoal, "/goal "+g.Objective)
	}
	p.setGoal(sources.Todo{ID: "goal", Title: words.OneLine(g.Objective, 500), Description: g.Objective, Raw: g.Status, Origin: "goal", At: p.b.Now()})
}

func (p *parser) setGoal(g sources.Todo) {
	switch g.Raw {
	case "active":
		g.Status = sources.TodoInProgress
	case "usage_limited", "budget_limited":
		g.Status = sources.TodoBlocked
	default:
		g.Status = tools.Status(g.Raw)
	}
	p.goals = append(p.goals, goal{p.b.Turn(), &g})
}

// planned takes in a plan that the agent showed.
func (p *parser) planned(r *record) {
	if text := strings.TrimSpace(r.Payload.Item.Text); text != "" {
		p.b.Artifact(sources.Artifact{Kind: sources.Plan, Name: "plan.md", Text: text})
		p.b.Tell(sources.Act{Kind: sources.ActPlanned, Text: builder.TitleOf(text)})
	}
}

// finish completes what follows from the whole.
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
	if g := p.goal(); g != nil {
		s.Todos = append(s.Todos, *g)
		if s.Updated.Before(g.At) {
			s.Updated = g.At
		}
	}
	s.Damage = append(s.Damage, p.lines.Damage()...)
	return s
}

// fork is what is known of a fork that copies its parent, which versions of 2025 made: their
// lines get new times, and the parent's own session_meta is among them.
type fork struct {
	origin  string // the thread that was copied; empty: none
	copying bool   // the record is one of those
	last    time.Time
}
