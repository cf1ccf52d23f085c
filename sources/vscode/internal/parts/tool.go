package parts

import (
	"cmp"
	"strconv"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/toolkind"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/tree"
)

// tool takes in a call of a tool.
func (r *reader) tool(p *tree.Node) {
	c := invocation{part: p, data: p.Get("toolSpecificData"), name: p.Get("toolId").Text()}
	if call := r.calls[p]; call != nil {
		c.args, c.name = call.Args, cmp.Or(c.name, call.Name)
	}
	if !c.args.Has() && c.data.Get("kind").Text() == "input" {
		c.args = c.data.Get("rawInput")
	}
	server := ""
	if p.Get("source").Get("type").Text() == "mcp" {
		server = cmp.Or(oneLine(p.Get("source").Get("label").Text()), "mcp")
	}
	c.kind = toolkind.Of(c.name, server, argument(c.args, "command"))
	ok := c.outcome()
	failed := ok != nil && !*ok

	nested := p.Get("subAgentInvocationId").Text()
	if !failed {
		r.effects(&c, nested != "")
	}
	r.page.rest()
	switch p.Get("presentation").Text() {
	case "hidden", "hiddenAfterComplete":
		if !failed {
			return
		}
	}
	r.nested.add(p.Get("toolCallId").Text(), nested)
	r.out.Tools = append(r.out.Tools, sources.Tool{Name: clip(oneLine(c.name), nameSize), Kind: c.kind, Detail: c.detail(),
		OK: ok, After: r.page.here()})
}

// effects takes in what a call that did not fail did: its list of todos, its pull
// request, the files it was done with.
func (r *reader) effects(c *invocation, nested bool) {
	switch c.data.Get("kind").Text() {
	case "todoList":
		if !nested { // a sub-agent's own list is not that of the session
			r.out.Todos, r.out.HasTodos = todos(c.data.Get("todoList")), true
		}
	case "pullRequest":
		r.pullLine(c.data)
	}
	kind := touchKind(c.kind)
	if kind == "" || !c.complete() || toolkind.Plain(c.name) == "create_directory" {
		return
	}
	for _, t := range c.files() {
		r.touched.add(touch{t.path, cmp.Or(t.kind, kind)}, clip(oneLine(c.name), nameSize), fromTool)
	}
}

// invocation is a call of a tool as its part tells of it, with the arguments
// where they are known.
type invocation struct {
	part, data, args *tree.Node
	name, kind       string
}

// complete tells that a call is over. Where the part does not say, a message in
// the past tense does.
func (c *invocation) complete() bool {
	if done, ok := c.part.Get("isComplete").Bool(); ok {
		return done
	}
	return c.part.Get("pastTenseMessage").Has()
}

// Reasons why a call did not go ahead (ToolConfirmKind of VS Code).
const (
	denied  = 0
	skipped = 5
)

// refused tells that the person, or a rule, kept a call from running.
func (c *invocation) refused() bool {
	n := c.part.Get("isConfirmed")
	if yes, ok := n.Bool(); ok {
		return !yes
	}
	if n.Kind() == tree.Object {
		n = n.Get("type")
	}
	reason, ok := n.Int()
	return ok && (reason == denied || reason == skipped)
}

// outcome tells whether a call succeeded; nil where nothing says so
// (formats/vscode-copilot-chat.md, section 8).
func (c *invocation) outcome() *bool {
	code, hasCode := c.data.Get("terminalCommandState").Get("exitCode").Int()
	result := c.part.Get("resultDetails")
	isError, saysError := result.Get("isError").Bool()
	ok := false
	switch {
	case hasCode && code != 0, isError, isReason(c.part.Get("resultError")), c.complete() && c.refused():
	case !c.complete():
		return nil
	case hasCode, saysError:
		ok = true
	case c.data.Get("kind").Text() == "terminal": // it ran, and how it ended is not told
		return nil
	case result.Has(), plain(c.part.Get("pastTenseMessage")) != "":
		ok = true
	default:
		return nil
	}
	return &ok
}

// isReason tells that a value of unknown shape says something went wrong.
func isReason(n *tree.Node) bool {
	switch n.Kind() {
	case tree.String:
		return n.Text() != ""
	case tree.True, tree.Object, tree.Number:
		return true
	}
	return false
}

// todos reads a todo list.
func todos(list *tree.Node) []sources.Todo {
	var out []sources.Todo
	for i, n := range list.Items() {
		raw := n.Get("status").Text()
		t := sources.Todo{ID: answerText(n.Get("id")), Title: oneLine(n.Get("title").Text()),
			Status: sources.TodoOpen, Raw: raw, Origin: "todo list", Description: n.Get("description").Text()}
		switch raw {
		case "in-progress":
			t.Status = sources.TodoInProgress
		case "completed":
			t.Status = sources.TodoDone
		}
		if t.Title != "" {
			t.ID = cmp.Or(t.ID, strconv.Itoa(i+1))
			out = append(out, t)
		}
	}
	return out
}

// nesting knows which call was made within which.
type nesting struct {
	calls   map[string]int // number, from 1, by id
	parents []string       // id of each call's parent
}

func (n *nesting) add(id, parent string) {
	n.parents = append(n.parents, callID(parent))
	if n.calls == nil {
		n.calls = make(map[string]int)
	}
	if id = callID(id); id != "" && n.calls[id] == 0 {
		n.calls[id] = len(n.parents)
	}
}

// maxNesting is how deep sub-agents are followed.
const maxNesting = 16

// settle numbers the calls of sub-agents by the call that started the sub-agent,
// which may stand behind them. A call that is its own ancestor has none.
func (n *nesting) settle(tools []sources.Tool) {
	for i, parent := range n.parents {
		tools[i].Within = n.calls[parent]
	}
	for i := range tools {
		up := tools[i].Within
		for depth := 0; up != 0 && up != i+1 && depth < maxNesting; depth++ {
			up = tools[up-1].Within
		}
		if up != 0 {
			tools[i].Within = 0
		}
	}
}
