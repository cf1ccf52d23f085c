package codexcli_test

import (
	"fmt"
	"slices"
	"testing"
)

// TestCells has scripts with what came of them: their calls are told, each once.
func TestCells(t *testing.T) {
	script := func(id, js string) string {
		return response("custom_tool_call", fmt.Sprintf(`,"call_id":%q,"name":"exec","input":%q`, id, js))
	}
	gave := func(id, text string) string {
		return response("custom_tool_call_output", fmt.Sprintf(`,"call_id":%q,"output":%q`, id, text))
	}
	s := sessionOf(t, begins(""), prompt("go"),
		script("a", `const r = await tools.shell_command({command: "git commit -qam 'Mend the pump'"}); text(r.output)`), gave("a", "Exit code: 0\nWall time: 0.1 seconds\nOutput:\n"),
		script("b", `await tools.apply_patch("*** Begin Patch\n*** Update File: a.go\n*** End Patch")`),
		event("patch_apply_end", `,"call_id":"exec-1","success":true,"changes":{"/w/a.go":{"type":"update"}}`), gave("b", "ok"),
		script("c", `for (const c of all) await tools.exec_command(options(c))`),
		item("CommandExecution", `,"id":"exec-2","command":["bash","-lc","make"],"exit_code":2,"status":"failed"`), gave("c", "failed"),
		script("d", "const all = await Promise.all([tools.shell_command({command: `get '${u}'`}), tools.shell_command({command: 'make x'})]); all.forEach(r => text(r))"),
		gave("d", "Script completed\nWall time 1 seconds\nOutput:\n---1---\nExit code: 0\nWall time: 1 seconds\nOutput:\na\n---2---\nExit code: 2\nWall time: 1 seconds\nTotal output lines: 9\nOutput:\nb"),
		script("e", `await Promise.all([tools.shell_command({command: "a"}), tools.shell_command({command: "b"})])`), gave("e", "Exit code: 0\nWall time: 1 seconds\nOutput:\na"),
		script("f", `const u = "http://h/?k=" + enc(k) + "&p=1"; text(await tools.shell_command({command: ["get", u, f(1)].join(" ")}))`),
		gave("f", "Script completed\nWall time 1 seconds\nOutput:\nWarning: truncated output (original token count: 9)\nTotal output lines: 9\n\nExit code: 1\nWall time: 0.3 seconds\nOutput:\nx"),
		script("g", `text(await tools.exec_command({cmd: "make slow"}))`), gave("g", "Script running with cell ID 7\nWall time 9 seconds\nOutput:\n"),
		response("function_call", `,"call_id":"h","name":"wait","arguments":"{\"cell_id\":\"7\"}"`), response("function_call_output", `,"call_id":"h","output":"Script running with cell ID 7\n"`),
		response("function_call", `,"call_id":"i","name":"wait","arguments":"{\"cell_id\":\"7\"}"`), response("function_call_output", `,"call_id":"i","output":"Script completed\nWall time 9 seconds\nOutput:\n\nExit code: 3\nWall time: 9 seconds\nOutput:\nno"`),
		answer("Done.", "final_answer"))
	var got []string
	for _, c := range s.Turns[0].Tools {
		exit := "?"
		if c.Exit != nil {
			exit = fmt.Sprint(*c.Exit)
		}
		got = append(got, fmt.Sprint(c.Name, " ", c.Kind, " ", c.Command, " ", exit))
	}
	want := []string{"shell_command run git commit -qam 'Mend the pump' 0", "apply_patch edit  ?", "exec_command run make 2",
		"shell_command run get '${u}' 0", "shell_command run make x 2", "shell_command run a ?", "shell_command run b ?",
		"shell_command run get http://h/?k=${enc(k)}&p=1 ${f(1)} 1", "exec_command run make slow 3", "wait other  ?", "wait other  ?"}
	if !slices.Equal(got, want) {
		t.Errorf("calls %q, want %q", got, want)
	}
	if len(s.Refs) != 1 || s.Refs[0].Text != "Mend the pump" || s.Refs[0].Value != "" || len(s.Files) != 1 || s.Files[0].Path != "/w/a.go" {
		t.Errorf("refs %+v, files %+v", s.Refs, s.Files)
	}
}
