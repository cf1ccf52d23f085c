package tools

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/testdata/expect"
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
		{"Agent", "", "", sources.ToolTask},
		{"NotebookEdit", "", "", sources.ToolEdit},
		{"BashOutput", "", "", sources.ToolRun},
		{"AskUserQuestion", "", "", sources.ToolAsk},
		{"TaskCreate", "", "", sources.ToolPlan},
		{"mcp__acp__Edit", "", "", sources.ToolEdit},
		{"frobnicate", "", "", sources.ToolOther},
	} {
		expect.Is(t, About(c.name, c.server, &Arguments{Command: Command{Text: c.command}}).Kind, c.want, c.name, c.server, c.command)
	}
}

// TestEditorTools goes through the tools of VS Code and Copilot Chat, in both
// spellings, and guards that next to none of them is an "other tool".
func TestEditorTools(t *testing.T) {
	f, err := os.Open("testdata/vscode.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, other := 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		want, names, ok := strings.Cut(lines.Text(), ":")
		if !ok {
			continue
		}
		for _, name := range strings.Fields(names) {
			all++
			got := lookUp(name).kind
			expect.Is(t, got, want, name)
			if got == sources.ToolOther {
				other++
			}
		}
	}
	if all < 100 || other*20 > all {
		t.Errorf("%d of %d tools are of no kind", other, all)
	}
}

func TestPlain(t *testing.T) {
	for name, want := range map[string]string{
		"copilot_readFile":              "read_file",
		"read_file":                     "read_file",
		"runSubagent":                   "run_subagent",
		"vscode_fetchWebPage_internal":  "fetch_web_page",
		"copilot_getVSCodeAPI":          "get_vscode_api",
		"copilot_runTests1":             "run_tests",
		"copilot_":                      "copilot_",
		"":                              "",
		"mcp_docs-search__lookup":       "mcp_docs-search__lookup",
		"ツール":                           "ツール",
		"vscode_get_confirmation":       "get_confirmation",
		"copilot_multiReplaceString":    "multi_replace_string",
		"github-pull-request_doSearch1": "github-pull-request_do_search",
	} {
		expect.Is(t, Plain(name), want, "Plain", name, "=")
	}
}
