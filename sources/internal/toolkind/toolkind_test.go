package toolkind

import (
	"testing"

	"github.com/sessionloom/sessionloom/sources"
)

func TestOf(t *testing.T) {
	for _, c := range []struct{ name, server, command, want string }{
		{"view", "", "", sources.ToolRead},
		{"str_replace_editor", "", "view", sources.ToolRead},
		{"str_replace_editor", "", "create", sources.ToolCreate},
		{"str_replace_editor", "", "str_replace", sources.ToolEdit},
		{"apply_patch", "", "", sources.ToolEdit},
		{"PowerShell", "", "", sources.ToolRun},
		{"read_bash", "", "", sources.ToolRun},
		{"read_agent", "", "", sources.ToolTask},
		{"runSubagent", "", "", sources.ToolTask},
		{"sql", "", "", sources.ToolPlan},
		{"web_fetch", "", "", sources.ToolWeb},
		{"github-mcp-server-list_issues", "", "", sources.ToolMCP},
		{"view", "files", "", sources.ToolMCP},
		{"read_clipboard", "", "", sources.ToolRead},
		{"symbol_search", "", "", sources.ToolSearch},
		{"", "", "", sources.ToolOther},
		{"frobnicate", "", "", sources.ToolOther},
	} {
		if got := Of(c.name, c.server, c.command); got != c.want {
			t.Errorf("Of(%q, %q, %q) = %s, want %s", c.name, c.server, c.command, got, c.want)
		}
	}
}
