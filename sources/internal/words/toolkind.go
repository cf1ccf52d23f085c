// Package words reads what all agents write alike: names of tools, patches, paths and
// times.
package words

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// ToolKind returns the kind of a tool by its raw name. server is the MCP server that
// offers the tool, empty where there is none; command is the sub-command of
// tools that have several (str_replace_editor), else empty.
func ToolKind(name, server, command string) string {
	if server != "" {
		return sources.ToolMCP
	}
	lower := strings.ToLower(name)
	if kind := byCommand(lower, command); kind != "" {
		return kind
	}
	for _, n := range []string{lower, PlainTool(name)} {
		if kind := byName(n); kind != "" {
			return kind
		}
		if kind := byShape(n); kind != "" {
			return kind
		}
	}
	return sources.ToolOther
}

// byCommand knows the tools that read or write by their command argument.
func byCommand(name, command string) string {
	if name != "str_replace_editor" && name != "str_replace_based_edit_tool" {
		return ""
	}
	switch command {
	case "view":
		return sources.ToolRead
	case "create":
		return sources.ToolCreate
	}
	return sources.ToolEdit
}

// byName knows tools by their exact name, those of all agents and versions
// together.
func byName(name string) string {
	switch name {
	case "view", "read", "read_file", "view_image", "show_file", "get_errors", "read_notebook_cell_output",
		"get_notebook_summary", "get_changed_files", "get_doc_info", "get_project_setup_info", "test_failure",
		"get_python_environment_details", "get_python_executable_details":
		return sources.ToolRead
	case "edit", "apply_patch", "str_replace", "insert", "write", "multi_edit", "edit_file", "write_file",
		"replace_string_in_file", "multi_replace_string_in_file", "insert_edit_into_file", "edit_notebook_file",
		"multi_replace_string", "insert_edit", "rename_symbol", "find-replace", "multi-find-replace", "apply-patch", "code-rewrite":
		return sources.ToolEdit
	case "create", "create_file", "create_directory", "create_new_jupyter_notebook":
		return sources.ToolCreate
	case "grep", "rg", "glob", "code_search", "semantic_search", "grep_search", "file_search", "search",
		"search_code_subagent", "list_code_usages", "lsp", "tool_search", "tool_search_tool_regex", "session_store_sql",
		"codebase", "usages", "github_repo", "github_text_search", "get_vscode_api", "get_search_results", "get_search_view_results":
		return sources.ToolSearch
	case "ls", "list_dir", "list_directory", "read_project_structure":
		return sources.ToolList
	case "bash", "powershell", "shell", "local_shell", "local_shell_call", "exec_command",
		"read_bash", "write_bash", "stop_bash", "list_bash",
		"read_powershell", "write_powershell", "stop_powershell", "list_powershell",
		"run_in_terminal", "get_terminal_output", "kill_terminal", "terminal_last_command", "terminal_selection",
		"run_task", "create_and_run_task", "get_task_output", "runtests", "run_notebook_cell",
		"configure_python_environment", "configure_notebook", "restart_notebook_kernel", "install_extension":
		return sources.ToolRun
	case "web_fetch", "web_search", "fetch", "fetch_webpage", "fetch_copilot_cli_documentation", "open_simple_browser",
		"open_browser_page", "navigate_page", "read_page", "screenshot_page", "click_element", "hover_element",
		"drag_element", "type_in_page", "handle_dialog", "run_playwright_code":
		return sources.ToolWeb
	case "update_todo", "sql", "todo", "todo_write", "manage_todo_list", "exit_plan_mode", "ask_user",
		"ask_questions", "task_complete", "store_memory", "vote_memory", "memory", "update_plan",
		"review_plan", "get_confirmation", "get_confirmation_with_options", "get_terminal_confirmation",
		"resolve_memory_file_uri", "update_user_preferences":
		return sources.ToolPlan
	case "task", "read_agent", "list_agents", "write_agent", "stop_agent", "runsubagent", "search_subagent",
		"skill", "custom-agent", "switch_agent":
		return sources.ToolTask
	}
	return ""
}

// byShape guesses by the parts of an unknown name.
func byShape(name string) string {
	switch {
	case strings.HasPrefix(name, "github-mcp-server-"), strings.HasPrefix(name, "mcp_"), strings.HasPrefix(name, "pgsql_"),
		strings.HasPrefix(name, "mcp-"), strings.Contains(name, "-mcp-"), strings.Contains(name, "__"):
		return sources.ToolMCP
	case strings.HasSuffix(name, "_subagent"):
		return sources.ToolTask
	case strings.HasSuffix(name, "_bash"), strings.HasSuffix(name, "_powershell"), strings.HasSuffix(name, "_terminal"):
		return sources.ToolRun
	case strings.HasPrefix(name, "read_"), strings.HasPrefix(name, "view_"):
		return sources.ToolRead
	case strings.HasPrefix(name, "edit_"), strings.HasPrefix(name, "write_"), strings.HasPrefix(name, "replace_"):
		return sources.ToolEdit
	case strings.HasPrefix(name, "create_"):
		return sources.ToolCreate
	case strings.HasPrefix(name, "list_"):
		return sources.ToolList
	case strings.HasPrefix(name, "web_"), strings.HasPrefix(name, "fetch_"), strings.HasPrefix(name, "browser_"),
		strings.HasPrefix(name, "github-pull-request_"):
		return sources.ToolWeb
	case strings.HasPrefix(name, "search_"), strings.HasPrefix(name, "find_"), strings.HasPrefix(name, "activate_"),
		strings.HasSuffix(name, "_search"), strings.HasSuffix(name, "_grep"):
		return sources.ToolSearch
	case strings.HasPrefix(name, "run_"), strings.HasPrefix(name, "exec_"), strings.HasSuffix(name, "_packages"):
		return sources.ToolRun
	}
	return ""
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
