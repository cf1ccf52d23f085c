//go:build unix

package faults

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

var (
	claudeCode = flag.String("faults.claude", "", "version of Claude Code to install with npm and to run; empty: none")
	codexCLI   = flag.String("faults.codex", "", "version of Codex to install with npm and to run; empty: none")
)

func TestRealClaude(t *testing.T) { playAgent(t, claudeDriver, *claudeCode) }

func TestRealCodex(t *testing.T) { playAgent(t, codexDriver, *codexCLI) }

// playAgent has a genuine agent answer prompts, one process for each, while
// "sessionloom watch" follows it. Each prompt comes into the vault while it watches,
// once, and the vault that grew is the one that is made at once.
func playAgent(t *testing.T, d driver, version string) {
	a := newAgent(t, d, version)
	w := a.watches()
	const made, secret = "notes.md", "AKIA" + "QXLOMPT5JVZ2YNWD" // made up; in one piece others would report it

	one := a.prompts(begun, "", "What is this project?", step{text: "A **widget**. See `main.go`, #tag, [[Home]] and <% tp.x %>."})
	w.arrives("What is this project?", "A **widget**")
	a.prompts(resumed, one, "Write a first file", step{calls: []toolCall{d.writes(filepath.Join(a.project, made), "# Notes\n\n- one\n")}}, step{text: "It is written, said the wren."})
	w.arrives("Write a first file", "said the wren")
	if text, err := os.ReadFile(filepath.Join(a.project, made)); err != nil || !strings.Contains(string(text), "- one") {
		t.Errorf("the tool wrote %q %v", text, err)
	}
	a.prompts(resumed, one, "List what is there", step{text: "One moment.", calls: []toolCall{d.shell("ls -1 | tee listed; echo '```'; printf '\\033[31mred\\n'")}},
		step{calls: []toolCall{d.shell("cat none.go")}}, step{text: "One file, said the heron; another is not there."})
	w.arrives("List what is there", "said the heron")
	if text, err := os.ReadFile(filepath.Join(a.project, "listed")); err != nil || !strings.Contains(string(text), made) {
		t.Errorf("the command listed %q %v", text, err)
	}

	two := a.prompts(begun, "", "Look at it from another side", step{text: "From there it is a gadget, said the stork."})
	w.arrives("Look at it from another side", "said the stork")
	fork := a.prompts(forked, one, "Take another road from here", step{text: "The other road, said the crane."})
	w.arrives("Take another road from here", "said the crane")
	a.prompts(resumed, one, "Stay on the old road", step{text: "The old one, said the swan."})
	w.arrives("Stay on the old road", "said the swan")
	a.prompts(resumed, fork, "Further along the new road", step{text: "Further, said the owl."})
	w.arrives("Further along the new road", "said the owl")

	three := a.killed(begun, "", "This will never end", step{calls: []toolCall{d.shell("echo begun")}}, step{text: "I am about to", hangs: true})
	w.arrives("This will never end")
	a.prompts(resumed, three, "Tell me the rest anyway", step{text: "The rest, said the finch."})
	w.arrives("Tell me the rest anyway", "said the finch")
	a.killed(resumed, three, "Nor will this one", step{text: "Once more I am", hangs: true})
	a.prompts(resumed, three, "Now really the rest", step{text: "All of it, said the robin."}) // at once, watched or not
	w.arrives("Nor will this one")
	w.arrives("Now really the rest", "said the robin")

	a.prompts(resumed, two, "Ein Schlüssel: "+secret, step{calls: []toolCall{d.shell("echo AWS_KEY=" + secret)}}, step{text: "The tern keeps it: `" + secret + "`."})
	w.arrives("Ein Schlüssel:", "The tern keeps it")

	var steps []step
	for i := range 8 {
		steps = append(steps, step{text: fmt.Sprintf("Number %d.", i), calls: []toolCall{d.shell(fmt.Sprintf("sleep 0.2; echo %d", i))}})
	}
	steps = append(steps, step{calls: []toolCall{d.shell("i=0; until [ -e seen ] || [ $i -gt 600 ]; do sleep 0.1; i=$((i+1)); done")}}, step{text: "Counted, said the lark."})
	cmd, out := a.prompting(resumed, one, "Count with pauses", steps...)
	w.arrives("Count with pauses") // and is not answered yet
	a.must(os.WriteFile(filepath.Join(a.project, "seen"), nil, 0o600))
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%s: %v\n%s", d.label, err, out)
	}
	w.shows("said the lark")
	w.ends()

	before := tree(t, a.home)
	a.sync(0)
	a.steady("after all prompts")
	w.once()
	notes := a.sessionNotes()
	expect.Is(t, len(notes), 4, "4 sessions", "notes", notes)
	expect.Is(t, strings.Count(a.noteText(notes[three]), "*stopped before the end*"), 2, "2 answers were killed", "are said to be", a.noteText(notes[three]))
	for _, dir := range []string{a.vault, a.state} {
		if found, err := grep(dir, secret); err != nil || found != "" {
			t.Errorf("the secret stands in %s %v", found, err)
		}
	}
	expect.Is(t, differences(a.undisturbed(), tree(t, a.vault), false), "", "the vault (+) is not that of an undisturbed run (-)")
	expect.Is(t, differences(before, tree(t, a.home), true), "", "the home of the agent changed")
	proved(t, a.version()+", watched", len(w.prompts), 1, "each prompt arrives while it is watched and stands once; incremental = fresh, check clean, a further pass writes nothing, home untouched")
}
