package chat

import (
	"regexp"

	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// ownSuffix is what VS Code appends to the ids of calls in rounds.
var ownSuffix = regexp.MustCompile(`__vscode-\d+$`)

func callID(id string) string { return ownSuffix.ReplaceAllString(id, "") }

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
// otherwise (formats/vscode-copilot-chat.md, section 2.2).
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
