// Package toolkind sorts the tools of all agents into the one vocabulary of
// package sources.
package toolkind

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// Of returns the kind of a tool by its raw name. server is the MCP server that
// offers the tool, empty where there is none; command is the sub-command of
// tools that have several (str_replace_editor), else empty.
func Of(name, server, command string) string {
	name = strings.ToLower(name)
	if server != "" {
		return sources.ToolMCP
	}
	if kind := byCommand(name, command); kind != "" {
		return kind
	}
	if kind := byName(name); kind != "" {
		return kind
	}
	return byShape(name)
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

// byName knows tools by their exact name, those of all versions together.
func byName(name string) string {
	switch name {
	case "view", "read", "read_file", "view_image", "show_file", "get_errors", "read_notebook_cell_output":
		return sources.ToolRead
	case "edit", "apply_patch", "str_replace", "insert", "write", "multi_edit", "edit_file", "write_file",
		"replace_string_in_file", "multi_replace_string_in_file", "insert_edit_into_file", "edit_notebook_file":
		return sources.ToolEdit
	case "create", "create_file", "create_directory", "create_new_jupyter_notebook":
		return sources.ToolCreate
	case "grep", "rg", "glob", "code_search", "semantic_search", "grep_search", "file_search", "search",
		"search_code_subagent", "list_code_usages", "lsp", "tool_search", "tool_search_tool_regex", "session_store_sql":
		return sources.ToolSearch
	case "ls", "list_dir", "list_directory":
		return sources.ToolList
	case "bash", "powershell", "shell", "local_shell", "local_shell_call", "exec_command",
		"read_bash", "write_bash", "stop_bash", "list_bash",
		"read_powershell", "write_powershell", "stop_powershell", "list_powershell",
		"run_in_terminal", "get_terminal_output", "kill_terminal", "terminal_last_command",
		"run_task", "create_and_run_task", "get_task_output", "runtests", "run_notebook_cell":
		return sources.ToolRun
	case "web_fetch", "web_search", "fetch", "fetch_webpage", "fetch_copilot_cli_documentation", "open_simple_browser":
		return sources.ToolWeb
	case "update_todo", "sql", "todo", "todo_write", "manage_todo_list", "exit_plan_mode", "ask_user",
		"ask_questions", "task_complete", "store_memory", "vote_memory", "memory", "update_plan":
		return sources.ToolPlan
	case "task", "read_agent", "list_agents", "write_agent", "stop_agent", "runsubagent", "search_subagent",
		"skill", "custom-agent":
		return sources.ToolTask
	}
	return ""
}

// byShape guesses by the parts of an unknown name.
func byShape(name string) string {
	switch {
	case strings.HasPrefix(name, "github-mcp-server-"), strings.HasPrefix(name, "mcp_"),
		strings.HasPrefix(name, "mcp-"), strings.Contains(name, "-mcp-"), strings.Contains(name, "__"):
		return sources.ToolMCP
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
	case strings.HasPrefix(name, "web_"), strings.HasPrefix(name, "fetch_"), strings.HasPrefix(name, "browser_"):
		return sources.ToolWeb
	case strings.HasPrefix(name, "search_"), strings.HasSuffix(name, "_search"), strings.HasSuffix(name, "_grep"):
		return sources.ToolSearch
	case strings.HasPrefix(name, "run_"), strings.HasPrefix(name, "exec_"):
		return sources.ToolRun
	}
	return sources.ToolOther
}
