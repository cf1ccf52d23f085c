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
		"a loop":             {"const all = ['a.go', \"b.go\"]; for (const f of all) { text(await tools.shell_command({command: `cat ${f}`})) }", []string{"shell_command cat a.go", "shell_command cat b.go"}},
		"a mapped list":      {"const rs = await Promise.all(['make', 'make test'].map(async (command, i) => { const r = await tools.exec_command({command}); return r }))", []string{"exec_command make", "exec_command make test"}},
		"members of objects": {"const all = [{name: 'x', cmd: 'ls x'}, {cmd: 'ls y'}]; all.forEach(c => tools.exec_command({cmd: c.cmd + ' 2>&1'})); tools.exec_command({cmd: all[1].cmd})", []string{"exec_command ls x 2>&1", "exec_command ls y 2>&1", "exec_command ls y"}},
		"pairs":              {"for (const [name, args] of [['shell_command', {command: 'a'}], ['apply_patch', '*** Begin Patch\\n*** Update File: d.go\\n*** End Patch']]) await tools[name](args)", []string{"shell_command a", "apply_patch  d.go"}},
		"taken apart":        {"for (const {cmd} of [{cmd: 'a'}, {cmd: 'b'}]) await tools.exec_command({cmd})", []string{"exec_command a", "exec_command b"}},
		"an unknown list":    {"for (const f of await list()) tools.exec_command({cmd: `cat ${f}`})", []string{"exec_command cat ${f}"}},
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

// TestScriptsThatGrow has scripts whose texts, lists and loops would fill the memory, or take forever.
func TestScriptsThatGrow(t *testing.T) {
	const n = 60
	for name, grow := range map[string][3]string{ // the beginning, what is done again and again, the end
		"texts":     {`let a0 = "xxxxxxxx";`, `const a%d = a%d + a%[2]d;`, `tools.exec_command({cmd: a60})`},
		"templates": {"let a0 = `xxxxxxxx`;", "const a%d = `${a%d}${a%[2]d}`;", `tools.exec_command({cmd: a60})`},
		"lists":     {`let a0 = ["x"];`, `const a%d = [a%d, a%[2]d];`, `tools.exec_command({cmd: a60, plan: a60})`},
		"joined":    {`let a0 = "xxxxxxxx";`, `const a%d = [a%d, a%[2]d, a%[2]d].join("");`, `tools.exec_command({cmd: a60})`},
		"loops":     {`let a0 = [1, 2, 3, 4];`, `for (const b%d of a0) {/* %d */`, strings.Repeat("}", n) + `tools.exec_command({cmd: "x"})`},
	} {
		var b strings.Builder
		b.WriteString(grow[0])
		for i := range n {
			fmt.Fprintf(&b, grow[1], i+1, i)
		}
		if all := Calls(b.String() + grow[2]); len(all) != 1 || len(all[0].Args.Command.Text) > maxScript {
			t.Errorf("%s: %d calls", name, len(all))
		}
	}
}
