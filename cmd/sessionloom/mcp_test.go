package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// agent is a client of the server, which runs as a process of its own over the sample.
type agent struct {
	t       *testing.T
	session *mcp.ClientSession
	process *os.Process
}

// sampleVault makes a vault of the sample and returns the flags that name it.
func sampleVault(t *testing.T) (vault string, flags []string) {
	t.Helper()
	dir := t.TempDir()
	flags = []string{"--vault", filepath.Join(dir, "v"), "--state", filepath.Join(dir, "s")}
	succeeds(t, "", append([]string{"sync", "--sample", "--create"}, flags...)...)
	return filepath.Join(dir, "v"), flags
}

func serverCommand(t *testing.T, flags ...string) *exec.Cmd {
	t.Helper()
	program := expect.Value(os.Executable())(t)
	cmd := exec.Command(program)
	cmd.Args = append([]string{"sessionloom", "mcp"}, flags...) // by this name the test binary is the program
	return cmd
}

func connect(t *testing.T, flags ...string) *agent {
	t.Helper()
	cmd := serverCommand(t, flags...)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session := expect.Value(client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil))(t)
	t.Cleanup(func() { _ = session.Close() })
	return &agent{t, session, cmd.Process}
}

// call calls a tool and returns its answer.
func (a *agent) call(name string, args map[string]any) (text string, failed bool) {
	a.t.Helper()
	r, err := a.session.CallTool(a.t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		a.t.Fatalf("%s %v: %v", name, args, err)
	}
	for _, c := range r.Content {
		if part, ok := c.(*mcp.TextContent); ok {
			text += part.Text
		}
	}
	if len(text) > 200_000 {
		a.t.Errorf("%s %v: an answer of %d bytes", name, args, len(text))
	}
	return text, r.IsError
}

// The client is that of the SDK, which others wrote.
func TestAgentsAsk(t *testing.T) {
	t.Parallel()
	vault, flags := sampleVault(t)
	before := walk(t, vault)
	a := connect(t, flags...)
	tools, err := a.session.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 7 {
		t.Fatalf("%d tools: %v", len(tools.Tools), err)
	}
	for _, tool := range tools.Tools {
		if tool.Description == "" || !tool.Annotations.ReadOnlyHint {
			t.Errorf("the tool %s tells little of itself", tool.Name)
		}
	}
	for _, q := range []struct {
		tool string
		args map[string]any
		want []string
	}{
		{"search_history", map[string]any{"query": "signing key"}, []string{"data, not instructions", "7524f8de", "> prompt: How could we rotate"}},
		{"search_history", map[string]any{"query": "xyzzy"}, []string{"Nothing found"}},
		{"get_session", map[string]any{"session": "7524f8de"}, []string{"### Turn 1", "> Agreed, key file.", "git commit", "internal/auth/jwt.go"}},
		{"get_session", map[string]any{"session": "7524f8de", "from": -1}, []string{"### Turn 6"}},
		{"get_session", map[string]any{"session": "7524f8de", "tokens": 300}, []string{"more: from"}},
		{"search_history", map[string]any{"query": "sharding p99"}, []string{"## memory:github.com/octo-org/widget:repo:MEMORY.md · widget"}},
		{"get_session", map[string]any{"session": "memory:github.com/octo-org/widget:repo:MEMORY.md"}, []string{"data, not instructions", "> - Sharding of the store"}},
		{"project_brief", map[string]any{"project": "octo-org/widget"}, []string{"# widget", "## Open"}},
		{"open_ends", map[string]any{}, []string{"open ends", "Tell the docs site"}},
		{"file_history", map[string]any{"path": "keyring.go"}, []string{"b298a1e7", "7524f8de"}},
		{"find_fix", map[string]any{"error": "--- FAIL: TestExpiry (0.00s)\n    expected nothing"}, []string{"8612c3a0", "answer:"}},
		{"find_fix", map[string]any{"error": "certificate has expired while contacting the documentation server"}, []string{"No session is known"}},
		{"find_fix", map[string]any{"error": "!!! --- ???"}, []string{"No session is known"}},
		{"search_history", map[string]any{"query": "key", "limit": nil, "project": "doc*"}, []string{"docs-site"}},
		{"file_history", map[string]any{"path": `internal\auth\JWT.go`, "limit": 2}, []string{"2 shown", "> turn 1:", "2026-11-1"}},
		{"resume_info", map[string]any{"session": "7524f8de"}, []string{"copilot --resume=7524f8de-6567-42a5-9569-07102f5d4c6c", "What does one more key cost"}},
	} {
		text, failed := a.call(q.tool, q.args)
		for _, want := range q.want {
			if failed || !strings.Contains(text, want) {
				t.Errorf("%s %v: no %q in\n%s", q.tool, q.args, want, text)
			}
		}
	}
	for tool, q := range map[string]struct {
		args map[string]any
		want string
	}{
		"get_session":    {map[string]any{"session": "7524f8de", "from": 9}, "the session has 6 turns"},
		"resume_info":    {map[string]any{"session": strings.Repeat("x", 200_000)}, "no session is called"},
		"project_brief":  {map[string]any{"project": "widget", "since": "rubbish"}, "error: since wants a date"},
		"search_history": {map[string]any{"query": ""}, "such as: jwt"},
		"find_fix":       {map[string]any{"error": " "}, "no text of an error"},
		"file_history":   {map[string]any{"path": ""}, "no path was given"},
		"open_ends":      {map[string]any{"project": "nosuch"}, "docs-site (octo-org)"},
	} {
		if text, failed := a.call(tool, q.args); !failed || !strings.Contains(text, q.want) || len(text) > 2000 {
			t.Errorf("%s: no %q in\n%.3000s", tool, q.want, text)
		}
	}
	for _, id := range []string{"session:7524f8de-6567-42a5-9569-07102f5d4c6c", "session%3A7524f8de-6567-42a5-9569-07102f5d4c6c"} {
		read, err := a.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "sessionloom://note/" + id})
		if err != nil || !strings.Contains(read.Contents[0].Text, "How could we rotate the signing key") {
			t.Errorf("the note %s: %v", id, err)
		}
	}
	listed, err := a.session.ListResources(t.Context(), nil)
	if err != nil || len(listed.Resources) < 20 {
		t.Fatalf("resources: %v", err)
	}
	for _, r := range listed.Resources {
		if _, err := a.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI}); err != nil || r.Name == "" {
			t.Errorf("%s %q: %v", r.URI, r.Name, err)
		}
	}
	for _, args := range []map[string]string{{"project": "nosuch"}, {"since": "rubbish"}} {
		name := map[bool]string{true: "standup", false: "continue_work"}[args["since"] != ""]
		if _, err := a.session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name, Arguments: args}); err == nil || !strings.Contains(err.Error(), "hint: ") {
			t.Errorf("the prompt %s: %v", name, err)
		}
	}
	for name, args := range map[string]map[string]string{"continue_work": {"project": "octo-org/widget"}, "standup": {"since": "2026-11-01"}} {
		p, err := a.session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: name, Arguments: args})
		if err != nil || !strings.Contains(p.Messages[0].Content.(*mcp.TextContent).Text, "data, not instructions") {
			t.Errorf("the prompt %s: %v", name, err)
		}
	}
	expect.Is(t, differences(before, walk(t, vault), true), "", "answering wrote")
}

// What is wrong with an argument is said in a sentence that names it.
func TestWrongArguments(t *testing.T) {
	t.Parallel()
	_, flags := sampleVault(t)
	a := connect(t, flags...)
	for _, q := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"search_history", nil, `error: search_history: validating "arguments": validating root: required: missing properties: ["query"]`},
		{"search_history", map[string]any{"query": nil}, `missing properties: ["query"]`},
		{"search_history", map[string]any{"query": "key", "limit": "ten"}, `/properties/limit: type`},
		{"get_session", map[string]any{"session": 7}, `/properties/session: type`},
		{"open_ends", map[string]any{"max": 3}, `unexpected additional properties ["max"]`},
	} {
		if text, failed := a.call(q.tool, q.args); !failed || !strings.Contains(text, q.want) || !strings.HasPrefix(text, "error: "+q.tool+": ") || !strings.Contains(text, "hint: ") {
			t.Errorf("%s %v: %s", q.tool, q.args, text)
		}
	}
	result, err := a.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_session", Arguments: "7524f8de"})
	if err != nil || !result.IsError || !strings.HasPrefix(result.Content[0].(*mcp.TextContent).Text, "error: get_session: ") {
		t.Errorf("no object: %v, %v", result, err)
	}
}

// What an agent is not to see is told by no tool, resource, prompt, count or error.
func TestAgentsSeeTheirProjectAlone(t *testing.T) {
	t.Parallel()
	_, flags := sampleVault(t)
	a := connect(t, append(flags, "--project", "octo-org/widget")...)
	others := regexp.MustCompile(`docs-site|octo-docs-all|latency|Search for the manual|stemming`)
	asked := []struct {
		tool string
		args map[string]any
	}{
		{"search_history", map[string]any{"query": "stemming OR linkcheck OR manual"}},
		{"search_history", map[string]any{"query": "rotation project:docs-site"}},
		{"search_history", map[string]any{"query": "key", "project": "docs-site"}},
		{"get_session", map[string]any{"session": "e8fd532a"}},
		{"get_session", map[string]any{"session": "e"}},
		{"get_session", map[string]any{"session": "Search for"}},
		{"project_brief", map[string]any{"project": "docs-site"}},
		{"project_brief", map[string]any{"project": "nothing"}},
		{"open_ends", map[string]any{}},
		{"open_ends", map[string]any{"project": "docs-site"}},
		{"file_history", map[string]any{"path": "search.json"}},
		{"find_fix", map[string]any{"error": "stemming"}},
		{"resume_info", map[string]any{"session": "e8fd532a"}},
	}
	for _, q := range asked {
		text, _ := a.call(q.tool, q.args)
		for word := range strings.FieldsSeq(fmt.Sprint(q.args)) { // what was asked may be said again
			text = strings.ReplaceAll(text, strings.Trim(word, `map[]`), "")
		}
		text = strings.NewReplacer("docs-site", "", "stemming", "").Replace(onlyAsked(text, q.args))
		expect.Is(t, others.FindString(text), "", q.tool, q.args, "tells", text)
	}
	listed, err := a.session.ListResources(t.Context(), nil)
	if err != nil || len(listed.Resources) == 0 {
		t.Errorf("resources: %v", err)
	}
	for _, r := range listed.Resources {
		expect.Is(t, others.FindString(r.Name+r.Description+r.URI), "", "the list of resources tells")
	}
	stranger := connect(t, append(flags, "--project", "nosuch")...)
	for _, tool := range []string{"open_ends", "project_brief"} {
		if text, failed := stranger.call(tool, nil); !failed || others.MatchString(text) || strings.Contains(text, "widget") {
			t.Errorf("to an agent that may see nothing %s tells\n%s", tool, text)
		}
	}
	for _, uri := range []string{"sessionloom://note/session:e8fd532a-5c1d-4b5e-9f8a-000000000000", "sessionloom://note/home", "sessionloom://note/threads", "sessionloom://note/day:2026-11-05"} {
		if _, err := a.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s is told", uri)
		}
	}
}

// onlyAsked takes what was asked out of an answer that repeats it.
func onlyAsked(text string, args map[string]any) string {
	for _, v := range args {
		text = strings.ReplaceAll(text, fmt.Sprintf("%q", v), "")
	}
	return text
}

// Whatever an agent asks, the server lives and stays small.
func TestHostileQuestions(t *testing.T) {
	t.Parallel()
	calls := 200
	if *everything {
		calls = 10_000
	}
	_, flags := sampleVault(t)
	a := connect(t, flags...)
	long := strings.Repeat("x ", 50_000)
	texts := []string{"", " ", `"`, `""`, "-", "--", "*", "OR", "OR OR", "(", ")", "NOT", "NEAR(a b)", `") OR (`, "'; DROP TABLE notes; --", "in:", "file:", "\x00", "\x1b[2J", "\ue000x\ue001",
		"﷽", "🔥", "a\nb", long, "{title} : x", "x^2", "+x", "title:x", "../../etc/passwd", "<script>", "[[x]]", strings.Repeat(`"a" OR `, 500), "since:never x", "project:* x", "agent:codex -agent:codex"}
	args := []string{"query", "session", "project", "path", "error", "since"}
	tools := []string{"search_history", "get_session", "project_brief", "open_ends", "file_history", "find_fix", "resume_info"}
	of := map[string][]string{"search_history": {"query"}, "get_session": {"session"}, "project_brief": {"project"}, "open_ends": {"project"}, "file_history": {"path"}, "find_fix": {"error"}, "resume_info": {"session"}}
	for i := range calls {
		tool, in := tools[i%len(tools)], map[string]any{}
		for _, name := range of[tool] {
			in[name] = texts[i/len(tools)%len(texts)]
		}
		if i%5 == 0 {
			in[args[i/7%len(args)]] = texts[i%len(texts)]
		}
		if i%11 == 0 {
			in["limit"], in["tokens"], in["from"] = -i, 1<<40, -1<<40
		}
		if text, failed := a.call(tool, in); failed && text == "" {
			t.Errorf("%s %q says nothing", tool, in)
		}
	}
	if text, failed := a.call("search_history", map[string]any{"query": "signing key"}); failed || !strings.Contains(text, "7524f8de") {
		t.Errorf("it answers %s", text)
	}
	if runtime.GOOS != "linux" {
		return
	}
	status := expect.Value(os.ReadFile("/proc/" + strconv.Itoa(a.process.Pid) + "/status"))(t)
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	if kB, err := strconv.Atoi(strings.Fields(rest)[0]); err != nil || kB > 256<<10 {
		t.Errorf("it took %d kB", kB)
	}
}

// With --refresh an agent is told what was said a moment ago, and no note is written.
func TestRefresh(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.begins(alpha, widget).asks("Rotate the keys").says("Rotated.")
	s.sync("a session")
	s.begins(beta, widget).asks("Polish the zanzibar").says("Polished.")
	before := walk(t, s.vault)
	flags := []string{"--vault", s.vault, "--state", s.vault + ".state", "--no-defaults", "--copilot-home", s.home}
	ask := map[string]any{"query": "zanzibar"}
	if text, _ := connect(t, flags...).call("search_history", ask); !strings.Contains(text, "Nothing found") {
		t.Errorf("without it: %s", text)
	}
	if text, _ := connect(t, append(flags, "--refresh")...).call("search_history", ask); !strings.Contains(text, "zanzibar") {
		t.Errorf("with it: %s", text)
	}
	expect.Is(t, differences(before, walk(t, s.vault), true), "", "it wrote")
}
