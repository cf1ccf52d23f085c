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
		answer("Done.", "final_answer"))
	var got []string
	for _, c := range s.Turns[0].Tools {
		exit := "?"
		if c.Exit != nil {
			exit = fmt.Sprint(*c.Exit)
		}
		got = append(got, fmt.Sprint(c.Name, " ", c.Kind, " ", c.Command, " ", exit))
	}
	want := []string{"shell_command run git commit -qam 'Mend the pump' 0", "apply_patch edit  ?", "exec_command run make 2"}
	if !slices.Equal(got, want) {
		t.Errorf("calls %q, want %q", got, want)
	}
	if len(s.Refs) != 1 || s.Refs[0].Text != "Mend the pump" || s.Refs[0].Value != "" || len(s.Files) != 1 || s.Files[0].Path != "/w/a.go" {
		t.Errorf("refs %+v, files %+v", s.Refs, s.Files)
	}
}
