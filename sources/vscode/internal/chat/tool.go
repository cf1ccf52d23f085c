package chat

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/pattern"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// tool records a call of a tool and its outcome.
func (r *reader) tool(p *chatlog.Part) {
	var args tools.Arguments
	call := builder.Call{ID: callID(p.ToolCallID), Name: p.ToolID, Args: &args, Within: callID(p.SubAgentInvocationID)}
	if asked := r.calls[p]; asked != nil {
		args, call.Name = asked.Arguments, cmp.Or(call.Name, asked.Name)
	} else if raw := p.ToolSpecificData.RawInput; raw != nil {
		args = *raw
	}
	if p.Source.Type == "mcp" {
		call.Server = cmp.Or(oneLine(p.Source.Label), "mcp")
	}
	result := builder.Result{OK: outcome(p), Words: p.IsConfirmed.Words}
	failed := result.OK != nil && !*result.OK
	result.Refused = failed && refused(p)
	call.Hidden = !failed && (p.Presentation == "hidden" || p.Presentation == "hiddenAfterComplete")
	r.specify(p, &call, &result)
	if use := tools.About(call.Name, call.Server, &args); len(use.Files) == 0 && use.Does != tools.Nothing && use.Does <= tools.Deletes {
		args.FilePaths = messageFiles(p)
	}
	r.flush()
	r.begin()
	number := r.turn.Calls()
	called := r.turn.Call(call)
	if r.turn.Calls() == number { // it was recorded before
		return
	}
	if called.Detail == "" {
		called.Detail = tools.Line(message(p, called.Kind))
	}
	does := called.Does()
	switch result.Told = r.told[does]; {
	case failed || isComplete(p):
		called.End(result)
	case (does == tools.Asks || does == tools.Plans) && (result.Told || !r.waits): // nobody will answer it
		called.End(builder.Result{Told: true})
	}
	for _, f := range called.Files() {
		r.made[f.Path] = r.made[f.Path] || f.Kind == sources.Created
	}
}

// specify records the data of the editor's own tools. A sub-agent's tasks are not the session's.
func (r *reader) specify(p *chatlog.Part, call *builder.Call, result *builder.Result) {
	args, data := call.Args, &p.ToolSpecificData
	switch line := data.CommandLine; data.Kind {
	case "terminal":
		call.Command = cmp.Or(line.UserEdited, line.ForDisplay, line.ToolEdited, line.Original, data.Command.Text)
		call.Detail = cmp.Or(data.Overrides.CommandLine, line.ForDisplay, call.Command)
		result.Text = words.Visible(data.Output.Text)
		if code := data.State.ExitCode; code != nil {
			result.Exit = new(int(*code))
		}
	case "subagent":
		args.Description, args.AgentName = cmp.Or(data.Description, args.Description), cmp.Or(data.AgentName, args.AgentName)
		args.Prompt = cmp.Or(data.Prompt, args.Prompt)
		if call.Detail = oneLine(data.Description); data.AgentName != "" {
			call.Detail = strings.TrimSpace(call.Detail + " (" + oneLine(data.AgentName) + ")")
		}
		result.Worker = &builder.Worker{Answer: data.Result, Calls: r.inside[call.ID]}
	case "todoList":
		args.Todos.Items = data.TodoList
	case "pullRequest":
		if _, ref := pullLine(data); result.OK == nil || *result.OK {
			result.Refs = []sources.Ref{ref}
		}
	}
	if call.Within != "" {
		args.Todos, args.TodoList = tools.List{}, tools.List{}
	}
}

// isComplete reports whether a call is over: by its part, an exit code, or a message in the past tense.
func isComplete(p *chatlog.Part) bool {
	if p.IsComplete == nil || p.ToolSpecificData.State.ExitCode != nil {
		return p.PastTenseMessage != nil || p.ToolSpecificData.State.ExitCode != nil
	}
	return *p.IsComplete
}

// refused reports whether the person, or a rule, kept a call from running.
func refused(p *chatlog.Part) bool {
	const denied, skipped = "0", "5" // ToolConfirmKind of VS Code
	given := p.IsConfirmed
	return given.Kind == 'f' || given.Kind == '0' && (given.Text == denied || given.Text == skipped)
}

// outcome reports whether a call succeeded; nil if nothing says so.
func outcome(p *chatlog.Part) *bool {
	code, result, isOver := p.ToolSpecificData.State.ExitCode, p.ResultDetails, isComplete(p)
	saysError := result != nil && result.IsError != nil
	isTerminal := p.ToolSpecificData.Kind == "terminal" // it ran, and its end is unknown
	switch {
	case code != nil && *code != 0, saysError && *result.IsError, bool(p.ResultError), isOver && refused(p):
		return new(bool)
	case isOver && (code != nil || saysError || !isTerminal && (result != nil || plain(p.PastTenseMessage) != "")):
		return new(true)
	}
	return nil
}

// message returns the editor's text about a call, in its language; for a search, the query.
func message(p *chatlog.Part, kind string) string {
	all := []*chatlog.Markdown{p.PastTenseMessage, p.InvocationMessage, p.GeneratedTitle, p.OriginMessage}
	if kind == sources.ToolSearch {
		for _, m := range all[:2] {
			if found := span().FindStringSubmatch(markdown(m)); found != nil { // the same in all languages
				return found[1]
			}
		}
	}
	for _, m := range all {
		if text := plain(m); text != "" {
			return text
		}
	}
	return ""
}

var span = pattern.Lazy("`([^`\n]+)`")

func messageFiles(p *chatlog.Part) (files []string) {
	for _, message := range []*chatlog.Markdown{p.PastTenseMessage, p.InvocationMessage} {
		for _, m := range links().FindAllStringSubmatch(markdown(message), -1) {
			if path := target(m[2], message).File(); path != "" {
				files = append(files, path)
			}
		}
		if len(files) > 0 {
			break
		}
	}
	return files
}

// callID returns the id of a call without VS Code's suffix in rounds.
func callID(id string) string {
	id, _, _ = strings.Cut(id, "__vscode-")
	return id
}

// join finds the call of each tool part in the rounds of the result: by id, which the two sides rarely share,
// else by order among the calls of one tool. If their numbers differ, or the part names other files, order
// proves nothing. Calls of sub-agents are in no round.
func (r *reader) join(parts []*chatlog.Part, result *chatlog.Result) {
	r.calls, r.inside, r.told = map[*chatlog.Part]*chatlog.Call{}, map[string]int{}, map[tools.Does]bool{}
	ids, left, over := map[string]*chatlog.Call{}, map[string][]*chatlog.Part{}, map[string][]*chatlog.Call{}
	calls, used := []*chatlog.Call{}, map[*chatlog.Call]bool{}
	for _, round := range result.Metadata.ToolCallRounds {
		for i := range round.ToolCalls {
			c := &round.ToolCalls[i]
			calls = append(calls, c)
			if id := callID(c.ID); id != "" && ids[id] == nil {
				ids[id] = c
			}
		}
	}
	for _, p := range parts {
		switch {
		case p.Kind == "questionCarousel":
			r.told[tools.Asks] = true
		case p.Kind == "planReview":
			r.told[tools.Plans] = true
		case p.Kind != "toolInvocationSerialized" && p.Kind != "toolInvocation":
		default:
			r.inside[callID(p.SubAgentInvocationID)]++
			if c := ids[callID(p.ToolCallID)]; c != nil && !used[c] {
				r.calls[p], used[c] = c, true
			} else if p.SubAgentInvocationID == "" {
				left[family(p.ToolID)] = append(left[family(p.ToolID)], p)
			}
		}
	}
	delete(r.inside, "")
	for _, c := range calls {
		if !used[c] {
			over[family(c.Name)] = append(over[family(c.Name)], c)
		}
	}
	for f, parts := range left {
		for i, p := range parts {
			if len(over[f]) == len(parts) && agree(messageFiles(p), tools.About(over[f][i].Name, "", &over[f][i].Arguments).Files) {
				r.calls[p] = over[f][i]
			}
		}
	}
}

// agree reports whether two lists name the same files, as far as they name any.
func agree(shown []string, asked []tools.File) bool {
	for _, s := range shown {
		for _, a := range asked {
			if strings.EqualFold(path.Base(s), path.Base(editor.FileOf(a.Path))) {
				return true
			}
		}
	}
	return len(shown) == 0 || len(asked) == 0
}

// modelNames are the model's names of tools that the editor names differently.
var modelNames = map[string]string{
	"replace_string": "replace_string_in_file", "multi_replace_string": "multi_replace_string_in_file",
	"insert_edit": "insert_edit_into_file", "edit_notebook": "edit_notebook_file", "list_directory": "list_dir",
	"find_files": "file_search", "find_text_in_files": "grep_search", "find_test_files": "test_search",
	"search_codebase": "semantic_search", "codebase": "semantic_search", "fetch_web_page": "fetch_webpage",
}

// family returns one name for a tool, from the editor's or the model's name.
func family(name string) string {
	plain := tools.Plain(name)
	return cmp.Or(modelNames[plain], plain)
}

var (
	// pullPath matches the path of a pull or merge request on a forge.
	pullPath    = pattern.Lazy(`^/(.+?)/(?:-/)?(?:pull|pulls|merge_requests|pullrequest|pull-requests)/(\d{1,9})(?:/|$)`)
	number      = pattern.Lazy(`^[1-9]\d{0,8}$`)
	unbracketed = strings.NewReplacer("[", `\[`, "]", `\]`, `\`, `\\`)
)

// pullLine links a pull request that a tool made. The reference is empty if its number is unknown.
func pullLine(p *chatlog.ToolData) (line string, ref sources.Ref) {
	title, tag, u := oneLine(p.Title), oneLine(p.LinkTag), p.URI
	if !u.IsSet() && len(p.Command.Arguments) > 0 {
		u = p.Command.Arguments[0]
	}
	ref = sources.Ref{Type: sources.PR, Value: strings.TrimLeft(tag, "#!"), Text: title, Turn: -1}
	if m := pullPath().FindStringSubmatch(u.Path); u.IsWeb() && m != nil {
		ref.Value, ref.Repo = m[2], strings.ToLower(u.Authority)+"/"+m[1]
	}
	if number().MatchString(ref.Value) {
		tag = cmp.Or(tag, "#"+ref.Value)
	} else {
		ref = sources.Ref{}
	}
	label := strings.TrimSpace(tag + " " + title)
	if u.IsWeb() && label != "" {
		address := u.Link()
		if parsed, err := url.Parse(address); err == nil {
			address = parsed.String()
		}
		label = "[" + unbracketed.Replace(label) + "](" + strings.NewReplacer("(", "%28", ")", "%29").Replace(address) + ")"
	}
	if author := oneLine(p.Author); author != "" && label != "" {
		label += " by " + author
	}
	return lead("Pull request:", label), ref
}
