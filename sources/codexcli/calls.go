package codexcli

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// called takes in a call as the model made it.
func (p *parser) called(r *record) {
	d := &r.Payload
	name := cmp.Or(d.Tool, strings.TrimSuffix(d.Type, "_call"))
	args := cmp.Or(d.Arguments, &tools.Arguments{})
	if d.Input != "" {
		if name == "exec" && p.scripted(d.id(), d.Input) {
			return
		}
		args.Input.Files, args.Text = tools.PatchFiles(d.Input), d.Input
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

// begun returns the call that an item or event is the outcome of. A script of the newest models
// calls tools itself: its calls are known by what they do, and those that it does not show by
// their item alone.
func (p *parser) begun(b *body, call builder.Call, does tools.Does) *builder.Called {
	if c := p.b.Called(b.id()); c != nil && (!c.Ended() || c.Turn() == p.b.Turn()) {
		return c
	}
	if p.cell != nil {
		if c := p.cell.next(does); c != nil {
			return c
		}
	}
	if c := p.search; call.Name == "web_search" && c != nil && !c.Ended() && c.Turn() == p.b.Turn() { // neither has an id
		return c
	}
	call.ID = b.id()
	return p.work().Call(call)
}

// ran takes in a command that ended. One that the user typed is no work of the agent.
func (p *parser) ran(b *body) {
	run := b.Command.Line()
	if b.Source.Word == "user_shell" {
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

// changed takes in a patch that was applied, or was not. Some versions do not list what it changed.
func (p *parser) changed(b *body) {
	var all []tools.File
	for path, did := range b.Changes.All() {
		if did.Move != "" { // it takes one file away and makes another
			all = append(all, tools.File{Path: path, Kind: sources.Deleted}, tools.File{Path: did.Move, Kind: sources.Renamed})
			continue
		}
		all = append(all, tools.File{Path: path, Kind: tools.ChangeKind(did.Type)})
	}
	c := p.begun(b, builder.Call{Name: "apply_patch", Args: &tools.Arguments{Input: tools.Patch{Files: all}}}, tools.Edits)
	result := builder.Result{OK: b.ok(), Files: all}
	if result.OK == nil {
		result.OK = new(true)
	}
	c.End(result)
}

// result takes in what a call gave as the model got it, where no item or event had it.
func (p *parser) result(r *record) {
	d := &r.Payload
	text := d.Output.String()
	if p.cell != nil && p.cell.id == d.id() {
		p.cell = nil
	}
	if one := p.cells[d.id()]; one != nil {
		one.end(text)
		return
	}
	c := p.b.Called(d.id())
	if c == nil || c.Ended() {
		return
	}
	failed := d.Output.Success != nil && !*d.Output.Success || strings.HasPrefix(text, "unsupported call") || strings.HasPrefix(text, "aborted by user")
	result := builder.Result{Text: text}
	switch out := tools.Unwrap(text); {
	case failed:
		result.OK = new(false)
	case c.Does() == tools.Edits:
		result.OK = new(strings.Contains(out.Text, "Success. Updated the following files") || out.Exit != nil && *out.Exit == 0)
	case c.Does() == tools.Lists:
		result.OK = new(true)
	case c.Does() == tools.Asks:
		result.Answers = answersIn(out.Text)
	case c.Does() == tools.Delegates:
		p.spawned(c, text)
		return
	}
	c.End(result)
	if g := p.goal(); tools.Plain(c.Name) == "update_goal" && !failed && g != nil {
		now := *g
		now.Raw, now.At, c.OK = cmp.Or(c.Args().Status, now.Raw), p.b.Now(), new(true)
		p.setGoal(now)
	}
}

// viewed takes in a picture that the agent looked at.
func (p *parser) viewed(b *body) {
	if b.Path != "" {
		c := p.begun(b, builder.Call{Name: "view_image", Args: &tools.Arguments{NamedFile: tools.NamedFile{Path: b.Path}}}, tools.Reads)
		c.End(builder.Result{OK: new(true), Files: []tools.File{{Path: b.Path, Kind: sources.Viewed}}})
	}
}

// mcpEnded takes in a call of a tool that is not Codex's own.
func (p *parser) mcpEnded(r *record) {
	b, server, name := &r.Payload.body, r.Payload.Invocation.Server, r.Payload.Invocation.Tool
	if b.Type == "item_completed" {
		b, server, name = &r.Payload.Item, r.Payload.Item.Server, r.Payload.Item.Called
	}
	c := p.begun(b, builder.Call{Name: name, Server: cmp.Or(server, "mcp"), Detail: server}, tools.Nothing)
	c.Kind = sources.ToolMCP
	c.End(builder.Result{OK: b.ok()})
}

// searched takes in a search of the web, whose event may stand before the call or behind it.
func (p *parser) searched(b *body) {
	p.search = p.begun(b, builder.Call{Name: "web_search", Args: &tools.Arguments{Query: b.Query}}, tools.Nothing)
	p.search.End(builder.Result{OK: b.ok()})
}
