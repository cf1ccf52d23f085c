package chat

import (
	"regexp"

	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// call is a tool call as the rounds of a result name it. They hold the
// parameters, which the parts do not.
type call struct {
	ID   string // without the suffix of VS Code
	Name string // as the model knows the tool: read_file
	Args *chatlog.Arguments
}

// ownSuffix is what VS Code appends to the ids of calls in rounds.
var ownSuffix = regexp.MustCompile(`__vscode-\d+$`)

// callsOf reads the calls of result.metadata.toolCallRounds in order.
func callsOf(result *chatlog.Result) []call {
	var out []call
	if result == nil {
		return nil
	}
	for _, round := range result.Metadata.ToolCallRounds {
		for _, c := range round.ToolCalls {
			if c.Arguments == nil {
				c.Arguments = &chatlog.Arguments{}
			}
			out = append(out, call{ID: callID(c.ID), Name: c.Name, Args: c.Arguments})
		}
	}
	return out
}

func callID(id string) string { return ownSuffix.ReplaceAllString(id, "") }

// join finds the call of each tool part: by id, which the two sides seldom share,
// else by order among the calls of one tool. Where their numbers differ, or the
// part names other files, order tells nothing. Calls of sub-agents are in no round.
func join(parts []*chatlog.Part, calls []call) map[*chatlog.Part]*call {
	out := make(map[*chatlog.Part]*call)
	ids := make(map[string]*call, len(calls))
	for i := range calls {
		if id := calls[i].ID; id != "" && ids[id] == nil {
			ids[id] = &calls[i]
		}
	}
	used := make(map[*call]bool)
	left := make(map[string][]*chatlog.Part)
	for _, p := range parts {
		if !isTool(p) {
			continue
		}
		if c := ids[callID(p.ToolCallID)]; c != nil && !used[c] {
			out[p], used[c] = c, true
		} else if p.SubAgentInvocationID == "" {
			f := family(p.ToolID)
			left[f] = append(left[f], p)
		}
	}
	over := make(map[string][]*call)
	for i := range calls {
		if c := &calls[i]; !used[c] {
			over[family(c.Name)] = append(over[family(c.Name)], c)
		}
	}
	for f, ps := range left {
		if cs := over[f]; len(cs) == len(ps) {
			for i, p := range ps {
				if agree(messageFiles(p), argFiles(cs[i].Args)) {
					out[p] = cs[i]
				}
			}
		}
	}
	return out
}

// family is one name for a tool, whether the editor or the model names it
// (formats/vscode-copilot-chat.md, section 2.2).
func family(name string) string {
	switch plain := words.PlainTool(name); plain {
	case "replace_string":
		return "replace_string_in_file"
	case "multi_replace_string":
		return "multi_replace_string_in_file"
	case "list_directory":
		return "list_dir"
	case "find_files":
		return "file_search"
	case "find_text_in_files":
		return "grep_search"
	case "search_codebase", "codebase":
		return "semantic_search"
	case "insert_edit":
		return "insert_edit_into_file"
	case "edit_notebook":
		return "edit_notebook_file"
	case "fetch_web_page":
		return "fetch_webpage"
	case "find_test_files":
		return "test_search"
	default:
		return plain
	}
}

// isTool tells whether a part is a call of a tool.
func isTool(part *chatlog.Part) bool {
	return part != nil && (part.Kind == "toolInvocationSerialized" || part.Kind == "toolInvocation")
}
