// Package tools knows the tools of agents, their parameters, and how their results are wrapped.
package tools

import (
	"cmp"
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// Does is an effect of a call that succeeds.
type Does int

// The effects.
const (
	Nothing   Does = iota
	Reads          // a file
	Edits          // files
	Creates        // a file
	Deletes        // a file
	Runs           // a command
	Polls          // fetches output of a background command
	Lists          // gives the whole list of tasks
	Task           // changes one task
	Tables         // runs SQL on the agent's tables, its tasks among them
	Asks           // asks the person questions
	Plans          // shows the person a plan
	Remembers      // stores a memory
	Delegates      // calls a sub-agent
)

// names lists the tools of all agents and versions, by kind and effect. A name without a star takes
// precedence; among names with one, the first match counts.
var names = []struct {
	kind  string
	does  Does
	names string
}{
	{sources.ToolMCP, Nothing, "github-mcp-server-* mcp_* pgsql_* mcp-* *-mcp-* *__* call_mcp_tool"},
	{sources.ToolTask, Delegates, "task runsubagent search_subagent custom-agent *_subagent agent invoke_agent spawn_agent subagent delegate_to_agent codebase_investigator cli_help"},
	{sources.ToolTask, Nothing, "read_agent write_agent stop_agent skill switch_agent workflow activate_skill"},
	{sources.ToolRun, Runs, `bash powershell shell local_shell local_shell_call exec_command shell_command unified_exec container.exec
		run_in_terminal create_and_run_task run_task run_shell_command run_terminal_cmd run_terminal_command run_command execute_command
		monitor`},
	{sources.ToolRun, Polls, `read_bash write_bash stop_bash list_bash read_powershell write_powershell stop_powershell list_powershell
		get_terminal_output kill_terminal terminal_last_command terminal_selection bash_output kill_shell kill_bash task_output task_stop
		get_task_output write_stdin list_background_processes read_background_output *_bash *_powershell *_terminal`},
	{sources.ToolRun, Nothing, `runtests run_notebook_cell configure_python_environment configure_notebook restart_notebook_kernel
		install_extension`},
	{sources.ToolRead, Reads, `view read read_file view_image show_file get_errors read_notebook_cell_output notebook_read
		get_notebook_summary get_changed_files get_doc_info get_project_setup_info test_failure
		get_python_environment_details get_python_executable_details read_* view_*`},
	{sources.ToolEdit, Deletes, "delete_file delete"},
	{sources.ToolEdit, Edits, `edit apply_patch str_replace str_replace_editor str_replace_based_edit_tool insert write multi_edit
		edit_file write_file notebook_edit replace_string_in_file multi_replace_string_in_file insert_edit_into_file edit_notebook_file
		multi_replace_string insert_edit rename_symbol find-replace multi-find-replace apply-patch code-rewrite
		replace multi_replace_file_content multiedit patch search_replace reapply edit_notebook edit_* write_* replace_*`},
	{sources.ToolCreate, Nothing, "create_directory"},
	{sources.ToolCreate, Creates, "create create_file create_new_jupyter_notebook create_*"},
	{sources.ToolList, Nothing, "ls list list_dir list_directory read_project_structure list_*"},
	{sources.ToolWeb, Nothing, `web_fetch web_search webfetch websearch google_web_search fetch fetch_webpage
		fetch_copilot_cli_documentation open_simple_browser
		open_browser_page navigate_page read_page screenshot_page click_element hover_element
		drag_element type_in_page handle_dialog run_playwright_code web_* fetch_* browser_* github-pull-request_*`},
	{sources.ToolSearch, Nothing, `grep rg glob code_search codesearch semantic_search grep_search file_search search
		search_code_subagent list_code_usages lsp tool_search tool_search_tool_regex session_store_sql
		codebase usages github_repo github_text_search get_vscode_api get_search_results get_search_view_results
		search_* find_* activate_* *_search *_grep`},
	{sources.ToolRun, Runs, "run_* exec_* *_packages"},
	{sources.ToolPlan, Lists, "update_todo todo todo_write todowrite manage_todo_list write_todos update_plan"},
	{sources.ToolPlan, Task, "task_create task_update"},
	{sources.ToolPlan, Tables, "sql"},
	{sources.ToolAsk, Asks, "ask_user ask_questions ask_user_question ask_question question request_user_input"},
	{sources.ToolPlan, Plans, "exit_plan_mode plan_exit create_plan review_plan"},
	{sources.ToolPlan, Remembers, "store_memory save_memory"},
	{sources.ToolAsk, Nothing, "get_confirmation get_confirmation_with_options get_terminal_confirmation"},
	{sources.ToolPlan, Nothing, `enter_plan_mode plan_enter task_list task_get task_complete todoread todo_read vote_memory memory
		create_goal update_goal get_goal update_topic tracker_* resolve_memory_file_uri update_user_preferences`},
	{sources.ToolOther, Nothing, `wait_agent wait close_agent send_input list_agents resume_agent send_message followup_task complete_task
		invalid batch fetch_rules create_diagram switch_mode fix_lints read_lints`},
}

type known struct {
	kind string
	does Does
}

type shaped struct {
	shape string
	known
}

// exact has the tools by name, shapes the names with a star in order.
var exact, shapes = func() (exact map[string]known, shapes []shaped) {
	exact = map[string]known{}
	for _, row := range names {
		for name := range strings.FieldsSeq(row.names) {
			if strings.Contains(name, "*") {
				shapes = append(shapes, shaped{name, known{row.kind, row.does}})
			} else {
				exact[name] = known{row.kind, row.does}
			}
		}
	}
	return exact, shapes
}()

// DoesKind returns the effect of a tool of which only the kind is known.
func DoesKind(kind string) Does {
	return map[string]Does{sources.ToolRead: Reads, sources.ToolEdit: Edits, sources.ToolCreate: Creates, sources.ToolRun: Runs, sources.ToolTask: Delegates}[kind]
}

func lookUp(name string) known {
	for _, n := range []string{strings.ToLower(bare(name)), Plain(name)} {
		if k, ok := exact[n]; ok {
			return k
		}
		for _, s := range shapes {
			if fits, _ := path.Match(s.shape, n); fits { // the patterns are valid
				return s.known
			}
		}
	}
	return known{kind: sources.ToolOther}
}

// TouchOf returns what a tool, by its raw name, does to the file in its arguments, or "".
func TouchOf(name string) string { return touches[lookUp(name).does] }

// Known returns the plain name of a known tool. Another name stays as recorded, so that a secret in it
// is found and masked.
func Known(name string) string {
	if plain := Plain(name); exact[plain] != (known{}) {
		return plain
	}
	return name
}

// bridges are prefixes that editors and proxies add to the name of a tool.
var bridges = []string{"mcp__acp__", "copilot_", "vscode_", "functions.", "default_api:", "default_api.", "proxy_"}

func bare(name string) string {
	for _, prefix := range bridges {
		if len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
			return name[len(prefix):]
		}
	}
	return name
}

// Plain returns a tool's name as a model knows it: without the prefix of a bridge, without its version,
// and in snake case. All of copilot_readFile, ReadFile and read_file_v2 are read_file.
func Plain(name string) string {
	name = strings.TrimSuffix(bare(name), "_internal")
	if trimmed := strings.TrimRight(name, "0123456789"); trimmed != name { // a later version of the tool
		name = strings.TrimSuffix(trimmed, "_v")
	}
	var b strings.Builder
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			if i > 0 && 'a' <= name[i-1] && name[i-1] <= 'z' {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

// ChangeKind returns the kind of file touch for a word, by default an edit.
func ChangeKind(word string) string {
	return cmp.Or(map[string]string{
		"create": sources.Created, "add": sources.Created, "added": sources.Created,
		"delete": sources.Deleted, "deleted": sources.Deleted, "rename": sources.Renamed, "move": sources.Renamed,
	}[word], sources.Edited)
}
