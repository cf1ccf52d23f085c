package codexcli

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
)

// call is a call of a tool, and what its arguments say it does if it succeeds.
type call struct {
	turn, tool int // -1: none
	name       string
	command    string
	patch      []words.PatchFile
	plan       []step // nil: it is no plan
	goal       string // the state that it gives to the goal
	told       bool   // its outcome is known
}

// detailSize bounds the one line of a call, in bytes.
const detailSize = 200

// kinds are those of Codex's tools that its names do not tell.
var kinds = map[string]string{
	"write_stdin": sources.ToolRun, "unified_exec": sources.ToolRun,
	"spawn_agent": sources.ToolTask, // what else is done with a sub-agent begins none
	"wait_agent":  sources.ToolOther, "wait": sources.ToolOther, "close_agent": sources.ToolOther, "send_input": sources.ToolOther,
	"list_agents": sources.ToolOther, "resume_agent": sources.ToolOther, "send_message": sources.ToolOther, "followup_task": sources.ToolOther,
	"create_goal": sources.ToolPlan, "update_goal": sources.ToolPlan, "get_goal": sources.ToolPlan, "request_user_input": sources.ToolPlan,
}

// called takes in a call as the model made it.
func (p *parser) called(r *record) {
	d := &r.Payload
	id, name := d.id(), cmp.Or(d.Tool, strings.TrimSuffix(d.Type, "_call"))
	if known := p.calls[id]; known != nil && id != "" && !p.isOver(known) {
		return
	}
	a := &d.Arguments
	c := &call{name: name, plan: a.Plan}
	run := cmp.Or(a.Cmd, script(a.Command), script(d.Action.Command))
	c.patch = words.PatchFiles(cmp.Or(d.Input, run))
	kind := cmp.Or(kinds[name], words.ToolKind(name, "", ""))
	if strings.HasPrefix(d.Namespace, "mcp__") {
		kind = sources.ToolMCP
	}
	about := cmp.Or(run, a.Path, a.Query, d.Action.Query, a.TaskName)
	switch {
	case len(c.patch) > 0 && (kind == sources.ToolEdit || isPatch(a.Command)):
		kind, run, about = sources.ToolEdit, "", pathsOf(c.patch)
	case name == "spawn_agent":
		p.spawns[id] = *a
		about = cmp.Or(a.TaskName, readable(a.Message))
	case name == "update_goal":
		c.goal = a.Status
	case name == "wait_agent", name == "close_agent": // their ids tell nothing
	case len(a.Questions) > 0:
		about = a.Questions[0].Question
	case kind != sources.ToolRun:
		about = cmp.Or(about, a.First, d.Input)
	}
	if kind == sources.ToolRun {
		c.command = words.CommandLine(run)
	}
	p.open(id, c, sources.Tool{Name: words.OneLine(cmp.Or(name, kind), detailSize), Kind: kind, Detail: oneLine(about), Command: c.command})
}

// open adds a call to the turn.
func (p *parser) open(id string, c *call, tool sources.Tool) {
	t := p.worked()
	c.turn, c.tool = t.Index, len(t.Tools)
	p.opened = append(p.opened, c)
	tool.After = len(p.pieces)
	t.Tools = append(t.Tools, tool)
	if id != "" {
		p.calls[id] = c
	}
}

// isOver tells whether a call is of a turn before the open one: some providers use ids again.
func (p *parser) isOver(c *call) bool {
	t := p.turn()
	return t != nil && c.turn >= 0 && c.turn != t.Index
}

// oneLine describes a call.
func oneLine(text string) string {
	return words.OneLine(sources.Tilde(text[:min(len(text), 16*detailSize)]), detailSize) // it may be a whole script
}

// script is what a shell was given to run, without the words that start the shell.
func script(c words.Command) string {
	if n := len(c.Words); n > 2 && slices.Contains([]string{"-lc", "-c", "-command", "/c"}, strings.ToLower(c.Words[n-2])) {
		return c.Words[n-1]
	}
	return cmp.Or(c.Text, strings.Join(c.Words, " "))
}

// isPatch says that a command is nothing but a patch (seen in files of 0.8).
func isPatch(c words.Command) bool {
	return len(c.Words) > 0 && (c.Words[0] == "apply_patch" || c.Words[0] == "applypatch")
}

func pathsOf(patch []words.PatchFile) string {
	var paths []string
	for _, f := range patch {
		if len(paths) < 3 {
			paths = append(paths, f.Path)
		}
	}
	return strings.Join(paths, ", ")
}

// outcome finds the call that an item or event is the outcome of. A script of the newest models
// calls tools itself: of these there is nothing but the item.
func (p *parser) outcome(b *body, name, kind, about string) (*call, *sources.Tool) {
	c := p.calls[b.id()]
	if c == nil || c.told && p.isOver(c) {
		c = &call{name: name}
		p.open(b.id(), c, sources.Tool{Name: words.OneLine(cmp.Or(name, kind), detailSize), Kind: kind, Detail: oneLine(about)})
	}
	c.told = true
	if c.turn < 0 {
		return c, &sources.Tool{} // it was taken back
	}
	t := &p.session.Turns[c.turn]
	if p.now.After(t.End) {
		t.End = p.now
	}
	tool := &t.Tools[c.tool]
	tool.Detail = cmp.Or(tool.Detail, oneLine(about))
	if ok := b.ok(); ok != nil {
		tool.OK = ok
	}
	return c, tool
}

// ran takes in a command that ended. One that the user typed is no work of the agent.
func (p *parser) ran(b *body) {
	run := words.CommandLine(script(b.Command))
	if b.Source.Word == "user_shell" {
		p.act(sources.ActionShell, "!"+run, p.now)
		return
	}
	c, tool := p.outcome(b, "exec_command", sources.ToolRun, run)
	if tool.Kind == sources.ToolRun && tool.Command == "" {
		tool.Command = run
	}
	if b.ExitCode != nil {
		p.exited(tool, int(*b.ExitCode))
	}
	for _, f := range b.Parsed {
		if f.Type == "read" && f.Path != "" {
			p.touched(words.PatchFile{Path: plainPath(f.Path), Kind: sources.Viewed}, c.name, c.turn)
		}
	}
	p.refer(run, string(b.Gave), c.turn)
}

// exited notes how a command ended. -1 is that of one that was killed.
func (p *parser) exited(tool *sources.Tool, code int) {
	tool.OK = new(code == 0)
	if code >= 0 && tool.Command != "" {
		tool.Exit = &code
	}
}

// exitMark is how the text of an outcome tells the exit code: in JSON up to 0.55, in words since.
var exitMark = pattern.Lazy(`(?m)^(?:Process exited with code|Exit code:) (-?\d{1,9})$|"exit_code":(-?\d{1,9})`)

// Sizes of what is looked at of an outcome, in bytes. Words stand before what a command gave,
// JSON says the code behind it.
const outcomeEdge = 512

// gave takes in the outcome of a call as the model got it, where no item or event told it.
func (p *parser) gave(r *record) {
	d := &r.Payload
	c := p.calls[d.id()]
	if c == nil || c.told {
		return
	}
	text := d.Output.String()
	edges := text
	if len(text) > 2*outcomeEdge {
		edges = text[:outcomeEdge] + "\n" + text[len(text)-outcomeEdge:]
	}
	failed := d.Output.Success != nil && !*d.Output.Success || strings.HasPrefix(text, "unsupported call") || strings.HasPrefix(text, "aborted by user")
	t, done := &p.session.Turns[c.turn], true
	tool := &t.Tools[c.tool]
	if p.now.After(t.End) {
		t.End = p.now
	}
	if m := exitMark().FindStringSubmatch(edges); m != nil {
		code, _ := strconv.Atoi(cmp.Or(m[1], m[2])) // nine digits fit
		p.exited(tool, code)
		failed, c.told = failed || code != 0, true
	} else if failed {
		tool.OK = new(bool)
	}
	switch {
	case len(c.patch) > 0 && strings.Contains(edges, "Success. Updated the following files"):
		c.told = true
		p.edited(c, c.patch)
	case len(c.patch) > 0 && tool.Kind == sources.ToolEdit:
		tool.OK = new(bool)
	case failed:
	case c.plan != nil:
		if tool.OK = &done; !p.copying {
			p.plans = append(p.plans, plan{c.plan, p.now})
		}
	case c.goal != "" && p.goal != nil:
		tool.OK = &done
		goal := *p.goal
		goal.Raw, goal.Status, goal.At = c.goal, goalStatus(c.goal), p.now
		p.goal = &goal
	case c.name == "spawn_agent":
		p.spawned(d.id(), text)
	}
	p.refer(c.command, text, c.turn)
}

// changed takes in a patch that was applied, or was not.
func (p *parser) changed(b *body) {
	var all []words.PatchFile
	for path, did := range b.Changes.All() {
		all = append(all, filesOf(plainPath(path), did)...)
	}
	c, _ := p.outcome(b, "apply_patch", sources.ToolEdit, pathsOf(all))
	if ok := b.ok(); ok == nil || *ok {
		p.edited(c, all)
	}
}

// filesOf is what a change does to files: a move takes one away and makes another.
func filesOf(path string, did change) []words.PatchFile {
	switch {
	case did.Move != "":
		return []words.PatchFile{{Path: path, Kind: sources.Deleted}, {Path: plainPath(did.Move), Kind: sources.Renamed}}
	case did.Type == "add":
		return []words.PatchFile{{Path: path, Kind: sources.Created}}
	case did.Type == "delete":
		return []words.PatchFile{{Path: path, Kind: sources.Deleted}}
	}
	return []words.PatchFile{{Path: path, Kind: sources.Edited}}
}

func (p *parser) edited(c *call, all []words.PatchFile) {
	if c.turn >= 0 {
		p.session.Turns[c.turn].Tools[c.tool].OK = new(true)
	}
	for _, f := range all {
		p.touched(f, c.name, c.turn)
	}
}

// viewed takes in a picture that the agent looked at.
func (p *parser) viewed(b *body) {
	if path := plainPath(b.Path); path != "" {
		c, tool := p.outcome(b, "view_image", sources.ToolRead, path)
		tool.OK = new(true)
		p.touched(words.PatchFile{Path: path, Kind: sources.Viewed}, c.name, c.turn)
	}
}

// mcpEnded takes in a call of a tool that is not Codex's own.
func (p *parser) mcpEnded(r *record) {
	b, server, name := &r.Payload.body, r.Payload.Invocation.Server, r.Payload.Invocation.Tool
	if b.Type == "item_completed" {
		b, server, name = &r.Payload.Item, r.Payload.Item.Server, r.Payload.Item.Called
	}
	_, tool := p.outcome(b, name, sources.ToolMCP, server)
	tool.Kind = sources.ToolMCP
}

func (p *parser) searched(b *body) { p.outcome(b, "web_search", sources.ToolWeb, b.Query) }

// touched notes a touch once for each path, kind and turn.
func (p *parser) touched(f words.PatchFile, tool string, turn int) {
	if turn >= 0 {
		p.session.Files = refs.Touch(p.session.Files, sources.FileTouch{Path: f.Path, Kind: f.Kind, Tool: tool, Turn: turn, At: p.now})
	}
}

// refer notes the commits, pull requests and issues that a command tells of, each once.
func (p *parser) refer(command, result string, turn int) {
	if command == "" || result == "" || turn < 0 {
		return
	}
	for _, ref := range refs.OldOf(command, result) {
		if repo := strings.TrimSuffix(p.session.Place.Repository, ".git"); ref.Repo != "" && strings.HasSuffix(strings.ToLower(repo), strings.ToLower(ref.Repo)) {
			ref.Repo = ""
		}
		ref.Turn, ref.At = turn, p.session.Turns[turn].At
		p.session.Refs = refs.Add(p.session.Refs, ref)
	}
}
