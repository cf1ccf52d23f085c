// Package words reads what all agents write alike: names of tools, arguments of their calls,
// patches, paths, times and the blocks around a prompt.
package words

import (
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// tools are the names of tools by their kind, those of all agents and versions together.
// A name without a star wins over those with one, of which the first that fits counts.
var tools = []struct{ kind, names string }{
	{sources.ToolMCP, "github-mcp-server-* mcp_* pgsql_* mcp-* *-mcp-* *__*"},
	{sources.ToolTask, `task read_agent list_agents write_agent stop_agent runsubagent search_subagent
		skill custom-agent switch_agent *_subagent agent workflow`},
	{sources.ToolRun, `bash powershell shell local_shell local_shell_call exec_command
		read_bash write_bash stop_bash list_bash read_powershell write_powershell stop_powershell list_powershell
		run_in_terminal get_terminal_output kill_terminal terminal_last_command terminal_selection
		bash_output kill_shell task_output task_stop run_task create_and_run_task get_task_output runtests run_notebook_cell
		configure_python_environment configure_notebook restart_notebook_kernel install_extension
		*_bash *_powershell *_terminal`},
	{sources.ToolRead, `view read read_file view_image show_file get_errors read_notebook_cell_output
		get_notebook_summary get_changed_files get_doc_info get_project_setup_info test_failure
		get_python_environment_details get_python_executable_details read_* view_*`},
	{sources.ToolEdit, `edit apply_patch str_replace str_replace_editor str_replace_based_edit_tool insert write multi_edit
		edit_file write_file notebook_edit replace_string_in_file multi_replace_string_in_file insert_edit_into_file edit_notebook_file
		multi_replace_string insert_edit rename_symbol find-replace multi-find-replace apply-patch code-rewrite
		edit_* write_* replace_*`},
	{sources.ToolCreate, "create create_file create_directory create_new_jupyter_notebook create_*"},
	{sources.ToolList, "ls list_dir list_directory read_project_structure list_*"},
	{sources.ToolWeb, `web_fetch web_search fetch fetch_webpage fetch_copilot_cli_documentation open_simple_browser
		open_browser_page navigate_page read_page screenshot_page click_element hover_element
		drag_element type_in_page handle_dialog run_playwright_code web_* fetch_* browser_* github-pull-request_*`},
	{sources.ToolSearch, `grep rg glob code_search semantic_search grep_search file_search search
		search_code_subagent list_code_usages lsp tool_search tool_search_tool_regex session_store_sql
		codebase usages github_repo github_text_search get_vscode_api get_search_results get_search_view_results
		search_* find_* activate_* *_search *_grep`},
	{sources.ToolRun, "run_* exec_* *_packages"},
	{sources.ToolPlan, `update_todo sql todo todo_write manage_todo_list exit_plan_mode ask_user
		ask_questions ask_user_question enter_plan_mode task_create task_update task_list task_get task_complete store_memory vote_memory memory update_plan
		review_plan get_confirmation get_confirmation_with_options get_terminal_confirmation
		resolve_memory_file_uri update_user_preferences`},
}

// exact and shapes are the kinds by name, and by names with a star in order.
var exact, shapes = func() (exact map[string]string, shapes [][2]string) {
	exact = map[string]string{}
	for _, t := range tools {
		for name := range strings.FieldsSeq(t.names) {
			if strings.Contains(name, "*") {
				shapes = append(shapes, [2]string{name, t.kind})
			} else {
				exact[name] = t.kind
			}
		}
	}
	return exact, shapes
}()

// ToolKind returns the kind of a tool by its raw name. server is the MCP server that
// offers the tool, empty where there is none; command is the sub-command of
// tools that have several (str_replace_editor), else empty.
func ToolKind(name, server, command string) string {
	if server != "" {
		return sources.ToolMCP
	}
	lower := strings.ToLower(name)
	if strings.HasPrefix(lower, "str_replace_") && (command == "view" || command == "create") {
		return exact[command]
	}
	for _, n := range []string{lower, PlainTool(name)} {
		if kind := exact[n]; kind != "" {
			return kind
		}
		for _, s := range shapes {
			if fits, _ := path.Match(s[0], n); fits { // the shapes are sound
				return s[1]
			}
		}
	}
	return sources.ToolOther
}

// TouchKind is what a tool of a kind does with the file it is called with; empty:
// nothing.
func TouchKind(kind string) string {
	switch kind {
	case sources.ToolRead:
		return sources.Viewed
	case sources.ToolCreate:
		return sources.Created
	case sources.ToolEdit:
		return sources.Edited
	}
	return ""
}

// ChangeKind is what a word of an agent says was done to a file, an edit where it does
// not say.
func ChangeKind(word string) string {
	switch word {
	case "create":
		return sources.Created
	case "delete":
		return sources.Deleted
	case "rename":
		return sources.Renamed
	}
	return sources.Edited
}

// PlainTool is a tool's name as a model knows it: without what an editor puts around
// it and in snake case. Both copilot_readFile and read_file are read_file.
func PlainTool(name string) string {
	for _, prefix := range []string{"copilot_", "vscode_"} {
		if len(name) > len(prefix) && strings.EqualFold(name[:len(prefix)], prefix) {
			name = name[len(prefix):]
			break
		}
	}
	name = strings.TrimSuffix(name, "_internal")
	name = strings.TrimRight(name, "0123456789") // of a later version of the tool
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
