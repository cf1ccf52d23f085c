//go:build unix

package faults

import (
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	copilot = flag.String("faults.copilot", "", "version of the Copilot CLI to install with npm and to run; empty: none")
	cache   = flag.String("faults.cache", "", "folder that keeps what npm installed; empty: none is kept")
)

// Sessions that are made, by the names they are told of here.
const (
	first  = "1f1f1f1f-0000-4000-8000-000000000001"
	second = "2f2f2f2f-0000-4000-8000-000000000002"
	third  = "3f3f3f3f-0000-4000-8000-000000000003"
)

// The genuine CLI is run in print mode, and after each of its runs the vault that
// grew is the one that is made at once.
func TestRealCopilotPrompts(t *testing.T) {
	c := realCopilot(t)
	at := func(name string) string { return filepath.Join(c.project, name) }
	f := &followed{cli: c}

	c.prompt(first, "What is this project?", step{text: "A **widget**. See `main.go`, #tag, [[Home]] and <% tp.x %>."})
	f.sees("a prompt")
	f.shows("A **widget**")
	f.showsNot("<%")
	c.prompt(first, "Write it down", calling("create", map[string]any{"path": at("main.go"), "file_text": "package main\n\nfunc main() {}\n"}),
		calling("bash", map[string]any{"command": "ls -1; echo '```'; printf '\\033[31mred\\n'", "description": "List the files"}), step{text: "There it is."})
	f.sees("tools in a resumed session")
	c.prompt(first, "Change it", step{text: "One moment.", calls: []toolCall{
		{"edit", map[string]any{"path": at("main.go"), "old_str": "func main() {}", "new_str": "func main() { println(1) }"}},
		{"view", map[string]any{"path": at("none.go")}},
	}}, step{text: "Changed; another file is not there."})
	f.sees("an edit and a tool that fails")
	c.prompt(first, "Plan the rest", calling("create", map[string]any{
		"path": filepath.Join(c.home, "session-state", first, "plan.md"), "file_text": "# Plan\n\n- [x] begin\n- [ ] go on\n"}), step{text: "Planned."})
	f.sees("a plan")
	f.shows("- [ ] go on")
	c.prompt(first, "Track it", calling("sql", map[string]any{"description": "Track", "query": "INSERT INTO todos (id, title, description) VALUES ('a', 'Go on', 'with it'), ('b', 'End', 'it')"}),
		calling("sql", map[string]any{"description": "Done", "query": "UPDATE todos SET status = 'done' WHERE id = 'a'"}), step{text: "Tracked."})
	f.sees("todos")
	f.shows("- [ ] End")
	c.killed(second, "This will not end", calling("bash", map[string]any{"command": "echo begun", "description": "Begin"}), step{text: "I am about to", hangs: true})
	f.sees("a kill in the middle of an answer")
	c.prompt(second, "Go on, then", step{text: "Gone on."})
	f.sees("a killed session that is resumed")
	f.shows("Gone on.")
	secret := "AKIA" + "QXLOMPT5JVZ2YNWD" // made up; in one piece others would report it
	c.prompt(third, "Ein Schlüssel: "+secret, calling("bash", map[string]any{"command": "echo AWS_KEY=" + secret, "description": "Show it"}),
		step{text: "Kept to myself: `" + secret + "`."})
	f.sees("a secret")
	f.shows("Ein Schlüssel: ")
	f.showsNot(secret)
	f.runs("a long prompt, passes all the while", third, "Count", 12)
	proved(t, c.version()+", prompt by prompt", f.steps, f.passes, "incremental = fresh, check clean, a further pass writes nothing, sources untouched")
}

// The genuine CLI at its terminal: what can be done there alone, with the CLI
// living on while passes read what it has open.
func TestRealCopilotTerminal(t *testing.T) {
	c := realCopilot(t)
	f := &followed{cli: c}
	at := func(name string) string { return filepath.Join(c.project, name) }

	x := c.terminal("--session-id", first)
	x.asks(first, "Begin with a list", calling("create", map[string]any{"path": at("list.md"), "file_text": "# List\n\n- one\n"}), step{text: "The list has **one** entry."})
	f.sees("a prompt typed into a living CLI")
	x.asks(first, "Add another", calling("edit", map[string]any{"path": at("list.md"), "old_str": "- one\n", "new_str": "- one\n- two\n"}), step{text: "Now two."})
	f.sees("a second one")
	x.compacts(first)
	f.sees("a compaction")
	f.shows("Summary number 1")
	x.asks(first, "And a third", calling("edit", map[string]any{"path": at("list.md"), "old_str": "- two\n", "new_str": "- two\n- three\n"}), step{text: "Now the third, by the heron."})
	f.sees("a prompt after the compaction")
	f.shows("by the heron")
	x.enters("/rename A list that grows: \"quoted\" [[Home]]")
	x.quiet(first)
	f.sees("a new name")
	f.shows("A list that grows")
	x.rewinds(first, 1)
	f.sees("a rewind")
	f.showsNot("by the heron")
	x.asks(first, "Another third", step{text: "This time by the stork."})
	f.sees("a prompt after the rewind")
	f.shows("by the stork")
	x.rewinds(first, 2)
	f.sees("a rewind to before the compaction")
	f.showsNot("by the stork")
	x.asks(first, "Start over", step{text: "Over again, by the swan."})
	f.sees("a prompt after that")
	x.compacts(first)
	f.sees("a compaction of what was rewound")
	x.begins("Never mind", step{text: "I begin to think", hangs: true})
	x.hangs(nil)
	x.breaksOff(first)
	f.sees("an answer that was broken off")
	fork := x.forks()
	f.sees("a fork")
	x.asks(fork, "Go another way", step{text: "The other way, by the crane."})
	f.sees("a prompt in the fork")
	f.shows("by the crane")
	x.leaves()
	f.sees("the end of the CLI")

	x = c.terminal("--session-id", second)
	x.asks(second, "A session to be deleted", step{text: "It will go, said the owl."})
	f.sees("another session")
	x.begins("Hang on", step{text: "I hang", hangs: true})
	x.hangs(nil)
	x.kill()
	f.sees("a kill at the terminal")
	x = c.terminal("--session-id", third)
	x.asks(third, "Clean up", step{text: "I will."})
	f.sees("a third session")
	x.enters("/session delete " + second + " --yes")
	x.until("the session is deleted", func() bool { return !slices.Contains(c.sessions(), second) })
	x.quiet(third)
	f.gone = true
	f.sees("a deleted session")
	f.shows("said the owl")
	x.asks(third, "Anything left?", step{text: "Nothing."})
	f.sees("a prompt after that")
	f.shows("said the owl")
	proved(t, c.version()+", at its terminal", f.steps, f.passes, "incremental = fresh, check clean, a further pass writes nothing, sources untouched")
}

func realCopilot(t *testing.T) *cli {
	t.Helper()
	if *copilot == "" {
		t.Skip("give -faults.copilot a version of the Copilot CLI")
	}
	c := newCLI(t, *copilot, *cache)
	t.Logf("Copilot CLI %s", c.version())
	return c
}

// followed is a vault that follows what the CLI does, step by step.
type followed struct {
	*cli
	steps, passes int
	gone          bool // a session was deleted: only its notes remember it
}

// sees runs a pass after something happened and expects the vault to be right.
func (f *followed) sees(happened string) report {
	f.t.Helper()
	f.steps++
	f.passes += 2
	f.t.Logf("step %d: %s", f.steps, happened)
	before := f.sources()
	r := f.sync(0)
	f.steady(happened)
	if d := differences(before, f.sources(), true); d != "" {
		f.t.Fatalf("%s: the sources changed:\n%s", happened, d)
	}
	if f.gone {
		return r
	}
	f.passes++
	if d := differences(f.undisturbed(), tree(f.t, f.vault), false); d != "" {
		f.t.Fatalf("%s: the vault (+) is not that of an undisturbed run (-):\n%s", happened, d)
	}
	return r
}

// sources are the files of the CLI that a pass reads.
func (f *followed) sources() contents {
	all := tree(f.t, f.home)
	maps.DeleteFunc(all, func(path string, _ content) bool {
		return !strings.HasPrefix(path, "session-state/") && !strings.HasPrefix(path, "session-store.db")
	})
	return all
}

// runs has the CLI run tools in one prompt while one pass follows the other.
func (f *followed) runs(happened, session, words string, tools int) {
	f.t.Helper()
	var steps []step
	for i := range tools {
		steps = append(steps, step{text: fmt.Sprintf("Number %d.", i),
			calls: []toolCall{{"bash", map[string]any{"command": fmt.Sprintf("sleep 0.2; echo %d", i), "description": "Count"}}}})
	}
	cmd, out := f.prompting(session, words, append(steps, step{text: "Counted."})...)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil {
				f.t.Fatalf("copilot: %v\n%s", err, out)
			}
			f.sees(happened)
			return
		default:
			f.passes++
			if o := f.run("sync"); o.code != 0 && o.code != 3 { // 3: busy, read next time
				f.t.Fatalf("%s: %s", happened, o)
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// shows expects words somewhere in the vault.
func (f *followed) shows(words string) {
	f.t.Helper()
	if out, err := grep(f.vault, words); err != nil || out == "" {
		f.t.Errorf("%q stands nowhere in the vault %v", words, err)
	}
}

// showsNot expects that words are nowhere in the vault.
func (f *followed) showsNot(words string) {
	f.t.Helper()
	if out, err := grep(f.vault, words); err != nil || out != "" {
		f.t.Errorf("%q stands in %s %v", words, out, err)
	}
}
