package transcript

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/places"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// calls are those of tools, and what came of them.
type calls struct {
	place *places.Place
	open  map[string]*call // that have no result yet

	agents []*agent
	tasks  []noted[sources.Todo] // changes
	plans  []noted[sources.Artifact]
	refs   foundRefs
}

// call is a call that has no result yet.
type call struct {
	turn  *turn
	tool  int // in Turn.Tools
	name  string
	path  string // of the file that it is about
	touch string // what it does to that file if it succeeds; empty: nothing
	agent *agent
	input lines.Input // of the lists and of plans alone
}

// begin takes in a call.
func (all *calls) begin(r *lines.Record, b *lines.Block, owner *turn) {
	if b.ID == "" || b.Name == "" || all.open[b.ID] != nil {
		return
	}
	c := &call{turn: owner, tool: len(owner.Tools), name: plainName(b.Name)}
	kind := words.ToolKind(b.Name, "", "")
	c.path, c.touch = touched(c.name, &b.Input)
	tool := sources.Tool{Name: words.OneLine(b.Name, detailSize), Kind: kind, After: owner.text.Len()}
	if kind == sources.ToolRun {
		tool.Command = b.Input.Command.Line()
	}
	tool.Detail = detail(kind, all.place.InProject(c.path), &b.Input)
	owner.Tools = append(owner.Tools, tool)
	switch c.name {
	case "Task", "Agent":
		c.agent = newAgent(r, b, owner)
		all.agents = append(all.agents, c.agent)
	case "TodoWrite", "TaskCreate", "TaskUpdate", "ExitPlanMode":
		c.input = b.Input
	}
	all.open[b.ID] = c
}

// end takes in the result of a call.
func (all *calls) end(r *lines.Record, b *lines.Block) {
	c := all.open[b.ToolUseID]
	if c == nil {
		return
	}
	delete(all.open, b.ToolUseID)
	t, ok, text := c.turn, !b.IsError, b.Content.String()
	tool := &t.Tools[c.tool]
	tool.OK, t.End = &ok, later(t.End, r.Timestamp.Time)
	if isRefused(r, b, text) {
		tool.Command = ""
		c.refused(text)
		return
	}
	if tool.Command != "" {
		tool.Exit = exitCode(&r.ToolUseResult, ok, text)
		all.refs.scan(tool.Command, text, &r.ToolUseResult, t)
	}
	if c.agent != nil {
		c.agent.returned(r, ok, text)
	}
	if ok { // else it did nothing
		all.done(c, r, text)
	}
}

// refused takes in that a call did not run, and what the user said to it.
func (c *call) refused(text string) {
	if c.name == "ExitPlanMode" {
		c.turn.say(c.input.Plan, "") // it stands nowhere else
		c.turn.say("**Decision:** rejected", "")
	}
	if said := feedback(text); said != "" {
		c.turn.say("**Feedback:** "+said, "")
	}
}

// done takes in what a call did.
func (all *calls) done(c *call, r *lines.Record, text string) {
	t := c.turn
	if c.touch != "" && c.path != "" {
		all.touch(c, r, text)
	}
	switch c.name {
	case "TodoWrite":
		if c.input.Todos != nil {
			list := words.Todos(c.input.Todos, r.Timestamp.Time)
			t.todos = &list
		}
	case "TaskCreate", "TaskUpdate":
		all.tasks = append(all.tasks, noted[sources.Todo]{change(c.name, &c.input, r), t})
	case "AskUserQuestion":
		t.say(questions(&r.ToolUseResult, text), "")
	case "ExitPlanMode":
		t.say("**Decision:** approved", "")
		all.planned(cmp.Or(r.ToolUseResult.FilePath, c.input.PlanFilePath), cmp.Or(r.ToolUseResult.Plan, c.input.Plan), r, t)
	}
}

// created is how the result of a call begins that made a file: of a sub-agent in the
// foreground nothing else tells.
const created = "File created successfully"

// touch notes what a call did to a file of the project.
func (all *calls) touch(c *call, r *lines.Record, text string) {
	kind := c.touch
	if kind == sources.Edited && (r.ToolUseResult.Type == "create" || strings.HasPrefix(text, created)) {
		kind, c.turn.Tools[c.tool].Kind = sources.Created, sources.ToolCreate
	}
	if !all.place.IsOwn(c.path) {
		c.turn.files = refs.Touch(c.turn.files, sources.FileTouch{Path: all.place.InProject(c.path), Kind: kind, Tool: c.name, At: r.Timestamp.Time})
	}
}

// planned takes in a plan that was accepted. Its file is called by its slug.
func (all *calls) planned(file, text string, r *lines.Record, t *turn) {
	name := path.Base(places.Slashed(file))
	if file == "" {
		name = cmp.Or(r.Slug, "plan") + ".md"
	}
	if text = strings.TrimSpace(text); text != "" {
		all.plans = append(all.plans, noted[sources.Artifact]{sources.Artifact{Kind: sources.Plan, Name: name, At: r.Timestamp.Time, Text: text, Size: int64(len(text))}, t})
	}
}

// accepted are the plans that were not taken back: the newest of each name, and those before
// it, which its file does not hold any more, by their number.
func (all *calls) accepted() (plans []sources.Artifact) {
	newest, before := map[string]int{}, map[string]int{} // places in plans; how many
	for _, one := range all.plans {
		i, known := newest[one.what.Name]
		switch {
		case one.turn.dead:
		case !known:
			newest[one.what.Name] = len(plans)
			plans = append(plans, one.what)
		default:
			was := plans[i]
			if plans[i] = one.what; was.Text != one.what.Text {
				before[was.Name]++
				was.Name = fmt.Sprintf("%s (%d).md", strings.TrimSuffix(was.Name, ".md"), before[was.Name])
				plans = append(plans, was)
			}
		}
	}
	return plans
}
