package script

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestCallsInScripts has scripts in the ways in which models write them.
func TestCallsInScripts(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   []string // name, command and files of each call
	}{
		"keys in quotes":     {`const r = await tools.shell_command({"command":"go test ./pump","workdir":"/w"}); text(r.output)`, []string{"shell_command go test ./pump"}},
		"bare keys":          {`const r = await tools.exec_command({cmd: 'ls -l "a b"', yield_time_ms: 1000, tty: false});`, []string{`exec_command ls -l "a b"`}},
		"a template":         {"await tools.exec_command({ cmd: `git commit -m \"Mend\nit\"`, workdir })", []string{"exec_command git commit -m \"Mend\nit\""}},
		"several":            {"const [a, b] = await Promise.all([\n  tools.exec_command({cmd: \"date\"}),\n  tools.exec_command({cmd: \"whoami\"}),\n]);", []string{"exec_command date", "exec_command whoami"}},
		"a patch by name":    {`const patch = "*** Begin Patch\n*** Update File: a.go\n*** End Patch"; await tools.apply_patch(patch);`, []string{"apply_patch  a.go"}},
		"a patch of lines":   {"await tools.apply_patch([\n'*** Begin Patch',\n\"*** Add File: b.go\",\n'*** End Patch'].join('\\n'))", []string{"apply_patch  b.go"}},
		"a raw patch":        {"await tools.apply_patch(String.raw`*** Begin Patch\n*** Delete File: c.go\n*** End Patch`)", []string{"apply_patch  c.go"}},
		"a member of a name": {`const cmd = "make " + "all"; await tools["exec_command"]({cmd});`, []string{"exec_command make all"}},
		"in brackets":        {`tools['shell_command']({ command: ["bash", "-lc", "echo 1"] })`, []string{"shell_command echo 1"}},
		"words of a text":    {`text("call tools.exec_command({cmd: 'rm -r /'}) to clean"); // tools.exec_command({cmd: "no"})`, nil},
		"not a literal":      {`await tools.exec_command({cmd: build(x), workdir: "/w"})`, []string{"exec_command"}},
		"none":               {`text(1 + 2)`, nil},
		"cut":                {`await tools.exec_command({cmd: "ls`, nil},
	} {
		var got []string
		for _, call := range Calls(c.script) {
			var files []string
			for _, f := range call.Args.Patch.Files {
				files = append(files, f.Path)
			}
			line := call.Args.Command.Line()
			got = append(got, strings.TrimSpace(fmt.Sprint(call.Name, " ", line, " ", strings.Join(files, " "))))
		}
		for i := range c.want {
			c.want[i] = strings.Join(strings.Fields(c.want[i]), " ")
		}
		for i := range got {
			got[i] = strings.Join(strings.Fields(got[i]), " ")
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
