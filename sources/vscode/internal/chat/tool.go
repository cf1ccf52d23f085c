package chat

import (
	"cmp"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// invocation is a call of a tool as its part tells of it, with the arguments
// where they are known.
type invocation struct {
	*chatlog.Part
	data       *chatlog.ToolData
	args       *words.Arguments
	name, kind string
}

// tool takes in a call of a tool.
func (r *reader) tool(p *chatlog.Part) {
	c := invocation{Part: p, data: &p.ToolSpecificData, args: &words.Arguments{}, name: p.ToolID}
	if call := r.calls[p]; call != nil {
		c.args, c.name = &call.Arguments, cmp.Or(c.name, call.Name)
	} else if c.data.Kind == "input" {
		c.args = &c.data.RawInput
	}
	server := ""
	if p.Source.Type == "mcp" {
		server = cmp.Or(oneLine(p.Source.Label), "mcp")
	}
	c.kind = words.ToolKind(c.name, server, c.args.Command.Text)
	ok := c.outcome()
	failed := ok != nil && !*ok
	if !failed {
		r.effects(&c)
	}
	r.page.rest()
	if !failed && (p.Presentation == "hidden" || p.Presentation == "hiddenAfterComplete") {
		return
	}
	r.nested.add(p.ToolCallID, p.SubAgentInvocationID)
	r.out.Tools = append(r.out.Tools, sources.Tool{
		Name: words.OneLine(c.name, nameSize), Kind: c.kind, Detail: c.detail(), OK: ok, After: r.page.here(),
		Command: c.command(), Exit: c.exit(),
	})
}

// command is what a call ran, as the person let it: not where it was refused, nor the
// form that only the editor shows.
func (c *invocation) command() string {
	line := c.data.CommandLine
	switch {
	case c.kind != sources.ToolRun || c.refused():
		return ""
	case c.data.Kind == "terminal":
		return words.CommandLine(cmp.Or(line.UserEdited, line.ForDisplay, line.ToolEdited, line.Original, c.data.Command.Text, c.args.Command.Line()))
	}
	return c.args.Command.Line()
}

// exit is the exit code of a terminal's command, nil where it is not told.
func (c *invocation) exit() *int {
	if c.command() == "" || c.data.State.ExitCode == nil {
		return nil
	}
	code := int(*c.data.State.ExitCode)
	return &code
}

// effects takes in what a call that did not fail did: its list of todos, its pull
// request, the files it was done with.
func (r *reader) effects(c *invocation) {
	switch c.data.Kind {
	case "todoList":
		if c.SubAgentInvocationID == "" { // a sub-agent's own list is not that of the session
			r.out.Todos, r.out.HasTodos = words.Todos(c.data.TodoList, time.Time{}), true
		}
	case "pullRequest":
		r.pullLine(c.data)
	}
	if !c.complete() {
		return
	}
	for _, f := range touched(c.name, c.kind, c.files()) {
		r.touched.add(f.Path, f.Kind, f.Tool)
	}
}

// complete tells that a call is over. Where the part does not say, a message in
// the past tense does.
func (c *invocation) complete() bool {
	if c.IsComplete != nil {
		return *c.IsComplete
	}
	return c.PastTenseMessage != nil
}

// Reasons why a call did not go ahead (ToolConfirmKind of VS Code).
const (
	denied  = 0
	skipped = 5
)

// refused tells that the person, or a rule, kept a call from running.
func (c *invocation) refused() bool {
	given := c.IsConfirmed
	reason, ok := decode.Number(given.Text)
	return given.Kind == 'f' || given.Kind == '0' && ok && (reason == denied || reason == skipped)
}

// outcome tells whether a call succeeded; nil where nothing says so.
func (c *invocation) outcome() *bool {
	code, result := c.data.State.ExitCode, c.ResultDetails
	saysError := result != nil && result.IsError != nil
	ok := false
	switch {
	case code != nil && *code != 0, saysError && *result.IsError, bool(c.ResultError), c.complete() && c.refused():
	case !c.complete():
		return nil
	case code != nil, saysError:
		ok = true
	case c.data.Kind == "terminal": // it ran, and how it ended is not told
		return nil
	case result != nil, plain(c.PastTenseMessage) != "":
		ok = true
	default:
		return nil
	}
	return &ok
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

// resolve numbers the calls of sub-agents by the call that started the sub-agent,
// which may stand behind them. A call that is its own ancestor has none.
func (n *nesting) resolve(tools []sources.Tool) {
	for i, parent := range n.parents {
		tools[i].Within = n.calls[parent]
	}
	for i := range tools {
		up := tools[i].Within
		for depth := 0; up != 0 && depth < maxNesting; depth++ {
			up = tools[up-1].Within
		}
		if up != 0 {
			tools[i].Within = 0
		}
	}
}

// detail describes a call in one line: what was run, which files, what was looked
// for, else the message shown for it. Messages are in the language of the editor
// and decide nothing.
func (c *invocation) detail() string {
	text := ""
	switch c.data.Kind {
	case "terminal":
		text = commandLine(c.data)
	case "subagent":
		text = oneLine(c.data.Description)
		if agent := oneLine(c.data.AgentName); agent != "" {
			text = strings.TrimSpace(text + " (" + agent + ")")
		}
	}
	if text == "" {
		text = subject(c.kind, c.args, c.files())
	}
	if text == "" && c.kind == sources.ToolSearch {
		text = c.quoted()
	}
	for _, n := range []*chatlog.Markdown{c.PastTenseMessage, c.InvocationMessage, c.GeneratedTitle, c.OriginMessage} {
		if text == "" {
			text = plain(n)
		}
	}
	return words.OneLine(sources.Tilde(text), detailSize)
}

// files are those the call was done with.
func (c *invocation) files() []sources.FileTouch {
	if files := argFiles(c.args); len(files) > 0 {
		return files
	}
	return messageFiles(c.Part)
}

// quoted is the first code span of the message: the same in all languages.
func (c *invocation) quoted() string {
	for _, n := range []*chatlog.Markdown{c.PastTenseMessage, c.InvocationMessage} {
		if m := span().FindStringSubmatch(markdown(n)); m != nil {
			return m[1]
		}
	}
	return ""
}

var span = pattern.Lazy("`([^`\n]+)`")

// commandLine is the command of a terminal in the form VS Code shows; older ones have it as one text.
func commandLine(terminal *chatlog.ToolData) string {
	line := terminal.CommandLine
	shown := cmp.Or(terminal.Overrides.CommandLine, line.ForDisplay)
	return cmp.Or(shown, line.UserEdited, line.ToolEdited, line.Original, terminal.Command.Text)
}

// ownSuffix is what VS Code appends to the ids of calls in rounds.
var ownSuffix = pattern.Lazy(`__vscode-\d+$`)

func callID(id string) string { return ownSuffix().ReplaceAllString(id, "") }

// callsOf are the calls of the rounds of a result in order. They hold the
// parameters, which the parts do not.
func callsOf(r *chatlog.Request) []*chatlog.Call {
	var out []*chatlog.Call
	for _, round := range resultOf(r).Metadata.ToolCallRounds {
		for i := range round.ToolCalls {
			out = append(out, &round.ToolCalls[i])
		}
	}
	return out
}

// join finds the call of each tool part: by id, which the two sides seldom share,
// else by order among the calls of one tool. Where their numbers differ, or the
// part names other files, order tells nothing. Calls of sub-agents are in no round.
func join(parts []*chatlog.Part, calls []*chatlog.Call) map[*chatlog.Part]*chatlog.Call {
	out := map[*chatlog.Part]*chatlog.Call{}
	ids := map[string]*chatlog.Call{}
	for _, c := range calls {
		if id := callID(c.ID); id != "" && ids[id] == nil {
			ids[id] = c
		}
	}
	used := map[*chatlog.Call]bool{}
	left, over := map[string][]*chatlog.Part{}, map[string][]*chatlog.Call{}
	for _, p := range parts {
		if p == nil || p.Kind != "toolInvocationSerialized" && p.Kind != "toolInvocation" {
			continue
		}
		if c := ids[callID(p.ToolCallID)]; c != nil && !used[c] {
			out[p], used[c] = c, true
		} else if f := family(p.ToolID); p.SubAgentInvocationID == "" {
			left[f] = append(left[f], p)
		}
	}
	for _, c := range calls {
		if f := family(c.Name); !used[c] {
			over[f] = append(over[f], c)
		}
	}
	for f, parts := range left {
		if len(over[f]) != len(parts) {
			continue
		}
		for i, p := range parts {
			if c := over[f][i]; agree(messageFiles(p), argFiles(&c.Arguments)) {
				out[p] = c
			}
		}
	}
	return out
}

// modelNames are the names by which the model knows tools that the editor calls
// otherwise.
var modelNames = map[string]string{
	"replace_string": "replace_string_in_file", "multi_replace_string": "multi_replace_string_in_file",
	"insert_edit": "insert_edit_into_file", "edit_notebook": "edit_notebook_file", "list_directory": "list_dir",
	"find_files": "file_search", "find_text_in_files": "grep_search", "find_test_files": "test_search",
	"search_codebase": "semantic_search", "codebase": "semantic_search", "fetch_web_page": "fetch_webpage",
}

// family is one name for a tool, whether the editor or the model names it.
func family(name string) string {
	plain := words.PlainTool(name)
	if known := modelNames[plain]; known != "" {
		return known
	}
	return plain
}
