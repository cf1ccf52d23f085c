package codexcli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/codexcli/internal/script"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

func (p *parser) called(d *payload) {
	name := cmp.Or(d.Tool, strings.TrimSuffix(d.Type, "_call"))
	args := cmp.Or(d.Arguments, &tools.Arguments{})
	if d.Input != "" {
		if name == "exec" && p.scripted(d.id(), d.Input) {
			return
		}
		args.Patch.Files, args.Text = tools.PatchFiles(d.Input), d.Input
	}
	args.Query = cmp.Or(args.Query, d.Action.Query)
	if d.Action.Command.Line() != "" {
		args.Command = d.Action.Command
	}
	call := builder.Call{ID: d.id(), Name: name, Args: args}
	if strings.HasPrefix(d.Namespace, "mcp__") {
		call.Server = d.Namespace
	}
	c := p.work().Call(call)
	if name == "web_search" {
		p.search = c
	}
}

// cell is a script in JavaScript that calls tools (code mode of the newest models).
type cell struct {
	id    string
	calls []*builder.Called
}

// scripted records a script as its calls, or as a call itself if none is found; shown reports which.
func (p *parser) scripted(id, text string) (shown bool) {
	p.cell = &cell{id: id}
	for i, one := range script.Calls(text) {
		call := builder.Call{ID: id, Name: one.Name, Args: one.Args}
		if i > 0 {
			call.ID = fmt.Sprint(id, "#", i)
		}
		p.cell.calls = append(p.cell.calls, p.work().Call(call))
		p.cells[id] = p.cell
	}
	return p.cells[id] == p.cell
}

// resultHead matches the beginning of a command's result that a script printed unchanged.
var resultHead = pattern.Lazy(`^Exit code: -?\d{1,9}\nWall time: .*\n(?:Total output lines: .*\n)?Output:(?:\n|$)`)

// resultsIn returns the results of commands that a script printed, each from its head on.
func resultsIn(text string) (all []string) {
	const begin, edge = "Exit code: ", 1 << 10
	from := len(text)
	for at := len(text); at >= 0; at = strings.LastIndex(text[:at], begin) {
		if (at == 0 || text[at-1] == '\n') && resultHead().MatchString(text[at:min(len(text), at+edge)]) {
			all, from = append(all, text[at:from]), at
		}
	}
	slices.Reverse(all)
	return all
}

// end gives the output of the script to its calls. Their ends are known only for a single call, or if each command has
// a result.
func (c *cell) end(text string) {
	var commands []*builder.Called
	for _, call := range c.calls {
		if call.Does() == tools.Runs {
			commands = append(commands, call)
		}
	}
	if len(commands) > 1 {
		if all := resultsIn(text); len(all) == len(commands) {
			for i, call := range commands {
				call.End(builder.Result{Text: all[i]})
			}
		}
	}
	for _, call := range c.calls {
		if call.Ended() {
			continue
		}
		result := builder.Result{Text: text, Shared: len(c.calls) > 1}
		failed := strings.HasPrefix(text, "Script failed")
		if failed && !result.Shared || strings.HasPrefix(text, "Script completed") && call.Does() != tools.Runs {
			result.OK = new(!failed)
		}
		call.End(result)
	}
}

// begun returns the call whose outcome an item or event is. A script of the newest models calls tools
// itself: its calls are matched by what they do, and those that it does not show have only their item.
func (p *parser) begun(b *body, call builder.Call, does tools.Does) *builder.Called {
	if c := p.b.Called(b.id()); c != nil && (!c.Ended() || c.Turn() == p.b.Turn()) {
		return c
	}
	if p.cell != nil {
		for _, c := range p.cell.calls {
			if !c.Ended() && c.Does() == does {
				return c
			}
		}
	}
	if c := p.search; call.Name == "web_search" && c != nil && !c.Ended() && c.Turn() == p.b.Turn() { // neither has an id
		return c
	}
	call.ID = b.id()
	return p.work().Call(call)
}

// ran records a command that ended. A command typed by the user is not the agent's work.
func (p *parser) ran(d *payload) {
	b := d.item()
	run := b.Command.Line()
	if b.Source.Word == "user_shell" {
		p.started = false
		p.b.Act(sources.ActionShell, "!"+run)
		return
	}
	c := p.begun(b, builder.Call{Name: "exec_command", Args: &tools.Arguments{Command: b.Command}}, tools.Runs)
	if c.Does() == tools.Runs && c.Command == "" {
		c.Command = run
	}
	result := builder.Result{OK: b.ok(), Text: cmp.Or(string(b.Gave), string(b.Stdout))}
	if b.ExitCode != nil {
		result.Exit = new(int(*b.ExitCode))
	}
	c.End(result)
	for _, f := range b.Parsed {
		if f.Type == "read" {
			c.Turn().Touch(f.Path, sources.Viewed, c.Name)
		}
	}
}

// changed records a patch that was applied, or was not. Some versions do not list the changed files.
func (p *parser) changed(d *payload) {
	b, all := d.item(), []tools.File(nil)
	for path, did := range b.Changes.All() {
		if did.Move != "" { // it removes one file and makes another
			all = append(all, tools.File{Path: path, Kind: sources.Deleted}, tools.File{Path: did.Move, Kind: sources.Renamed})
			continue
		}
		all = append(all, tools.File{Path: path, Kind: tools.ChangeKind(did.Type)})
	}
	c := p.begun(b, builder.Call{Name: "apply_patch", Args: &tools.Arguments{Patch: tools.Patch{Files: all}}}, tools.Edits)
	c.End(builder.Result{OK: cmp.Or(b.ok(), new(true)), Files: all})
}

func (p *parser) viewed(d *payload) {
	if b := d.item(); b.Path != "" {
		c := p.begun(b, builder.Call{Name: "view_image", Args: &tools.Arguments{Path: b.Path}}, tools.Reads)
		c.End(builder.Result{OK: new(true), Files: []tools.File{{Path: b.Path, Kind: sources.Viewed}}})
	}
}

func (p *parser) mcpEnded(d *payload) {
	b, of := d.item(), d.Invocation
	if b == &d.Item {
		of = b.offer
	}
	c := p.begun(b, builder.Call{Name: of.Called, Server: cmp.Or(of.Server, "mcp"), Detail: of.Server}, tools.Nothing)
	c.Kind = sources.ToolMCP
	c.End(builder.Result{OK: b.ok()})
}

// searched records a web search, whose event may come before the call or after it.
func (p *parser) searched(d *payload) {
	b := d.item()
	p.search = p.begun(b, builder.Call{Name: "web_search", Args: &tools.Arguments{Query: b.Query}}, tools.Nothing)
	p.search.End(builder.Result{OK: b.ok()})
}

// result records the output of a call for the model, if no item or event had it.
func (p *parser) result(d *payload) {
	text, id := d.Output.String(), d.id()
	rest, goesOn := strings.CutPrefix(text, "Script running with cell ID ")
	number, _, _ := strings.Cut(rest, "\n")
	if p.cell != nil && p.cell.id == id && !goesOn {
		p.cell = nil
	}
	switch one := p.cells[id]; {
	case one != nil && goesOn: // a later call waits for it
		p.waits[number] = one
		return
	case one != nil:
		one.end(text)
		return
	}
	c := p.b.Called(id)
	if c == nil || c.Ended() {
		return
	}
	if one := p.waits[c.Args().First]; one != nil && c.Name == "wait" && !goesOn {
		one.end(text)
	}
	result := builder.Result{Text: text}
	failed := d.Output.Success != nil && !*d.Output.Success || strings.HasPrefix(text, "unsupported call") || strings.HasPrefix(text, "aborted by user")
	switch out := tools.Unwrap(text); {
	case failed:
		result.OK = new(false)
	case c.Does() == tools.Edits:
		result.OK = new(strings.Contains(out.Text, "Success. Updated the following files") || out.Exit != nil && *out.Exit == 0)
	case c.Does() == tools.Lists:
		result.OK = new(true)
	case c.Does() == tools.Asks:
		result.Answers = answersIn(out.Text, c.Args().Asked())
	case c.Does() == tools.Delegates:
		result = p.spawned(c, text)
	case tools.Plain(c.Name) == "update_goal" && p.goal.Title != "":
		p.setGoal(cmp.Or(c.Args().Status, p.goal.Raw))
		result.OK = new(true)
	}
	c.End(result)
}

// answersIn reads the answers to questions from the text for the model: {"answers":{"id":{"answers":[…]}}}.
func answersIn(text string, asked []tools.Question) (all []builder.Reply) {
	var given struct {
		Answers decode.Table[struct {
			Answers []string `json:"answers" as:"list"`
			Text    string   `as:"text"`
		}] `json:"answers"`
	}
	if decode.Text(text, &given) != nil {
		return nil
	}
	for question, a := range given.Answers.All() {
		if i := slices.IndexFunc(asked, func(q tools.Question) bool { return q.ID == question }); i >= 0 {
			question = asked[i].Words()
		}
		said := strings.TrimPrefix(strings.Join(a.Answers, ", "), "None of the above, user_note: ") // the user typed it
		said = strings.ReplaceAll(said, "user_note: ", "")
		all = append(all, builder.Reply{Question: question, Answer: cmp.Or(said, a.Text)})
	}
	return all
}

// rootOf returns the session that the thread of a sub-agent or reviewer works for: the recorded root, else
// the thread that began it. It is "" for a thread that names neither: it is a session of its own.
func rootOf(d *payload, own string) string {
	a, spawner := d.Source.Agent, d.Parent
	if a == nil && d.ThreadSource != "subagent" {
		return ""
	}
	if a != nil {
		spawner = cmp.Or(spawner, a.Spawn.Parent)
	}
	for _, id := range []string{sources.FoldUUID(d.SessionID), sources.FoldUUID(spawner)} {
		if id != "" && id != own {
			return id
		}
	}
	return ""
}

// workerName returns a sub-agent's name in its own thread.
func workerName(d *payload) string {
	name := d.name()
	if a := d.Source.Agent; a != nil {
		name = cmp.Or(name, a.Spawn.name(), a.Kind)
	}
	return name
}

// agentMessage records the task of a sub-agent that has no prompt (version 2 of Codex's sub-agents).
func (p *parser) agentMessage(d *payload) {
	for _, c := range d.Content.all() {
		if p.root != "" {
			p.worker.Task = cmp.Or(p.worker.Task, tools.Readable(c.Encrypted))
		}
	}
}

// workOf returns the work of a sub-agent's thread, for the session that it worked for.
func (p *parser) workOf(s *sources.Session) *sources.Session {
	out := builder.WorkOf(s, p.worker)
	var found review
	if d := &out.Delegated[0]; decode.Text(d.Answer, &found) == nil {
		d.Answer = cmp.Or(found.String(), d.Answer)
	}
	return out
}

// helper returns the delegation of a sub-agent, or the one that began with a call; a new one is added.
func (p *parser) helper(id string, begun *sources.Delegation) *sources.Delegation {
	id = sources.FoldUUID(id)
	switch d := p.helpers[id]; {
	case d != nil:
		return d
	case begun == nil:
		begun = p.b.Delegate(sources.Delegation{})
	}
	begun.ID, p.helpers[id] = id, begun
	return begun
}

// collaborated records a call that began a sub-agent, sent it a message or waited for it.
func (p *parser) collaborated(d *payload) {
	b := &d.Item
	c := p.begun(b, builder.Call{Name: b.Called, Detail: b.Prompt}, tools.Delegates)
	begun := c.Worker()
	if c.Ended() {
		begun = nil
	}
	c.End(builder.Result{OK: b.ok(), Running: true})
	states := maps.Collect(b.States.All())
	for _, a := range b.Agents {
		if a.ThreadID == "" {
			continue
		}
		h := p.helper(a.ThreadID, begun)
		h.Name, h.Task = cmp.Or(a.name(), h.Name), cmp.Or(h.Task, b.Prompt)
		if said := states[a.ThreadID].Completed; said != "" && said != h.Answer {
			h.Answer, h.End = said, p.b.Now()
		}
	}
}

func (p *parser) agentActivity(d *payload) {
	b, begun := &d.Item, (*sources.Delegation)(nil)
	if b.WorkerID == "" {
		return
	}
	if c := p.b.Called(b.id()); c != nil {
		begun = c.Worker()
	}
	h := p.helper(b.WorkerID, begun)
	h.Name = cmp.Or(agent{AgentPath: b.AgentPath}.name(), h.Name)
	if b.Kind == "completed" {
		h.End = p.b.Now()
	}
}

func (p *parser) spawned(c *builder.Called, text string) builder.Result {
	var gave struct {
		ID       string `json:"agent_id"`
		Nickname string `json:"nickname"`
	}
	if decode.Text(text, &gave) != nil || gave.ID == "" {
		return builder.Result{Running: true}
	}
	if c.Worker() != nil {
		p.helper(gave.ID, c.Worker())
	}
	return builder.Result{Worker: &builder.Worker{ID: sources.FoldUUID(gave.ID), Name: gave.Nickname, Running: true}}
}

func (p *parser) enteredReview(d *payload) {
	p.b.Act(sources.ActionReview, strings.TrimSpace("/review "+d.item().Hint))
	p.b.Select(nil)
}

// exitedReview records a reviewer's findings. The agent mostly repeats them: then they are only in the answer.
func (p *parser) exitedReview(d *payload) {
	if found := d.item().Review; found != nil {
		p.work()
		p.unsaid = found.String()
	}
}

// tellReview adds findings of a review that are in no answer, before its turn ends.
func (p *parser) tellReview() {
	if p.unsaid != "" {
		p.say(p.unsaid, "final_answer")
	}
}

func (r review) String() string {
	var out []string
	if text := strings.TrimSpace(r.Explanation); text != "" {
		out = append(out, text)
	}
	for _, f := range r.Findings {
		line := "- " + f.Title
		if f.Place.Path != "" {
			line += fmt.Sprintf(" — %s:%d-%d", f.Place.Path, f.Place.Lines.Start, f.Place.Lines.End)
		}
		if body := strings.TrimSpace(f.Body); body != "" {
			line += "\n  " + strings.ReplaceAll(body, "\n", "\n  ")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n\n")
}
