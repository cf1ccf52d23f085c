package cursor_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sessionloom/sessionloom/sources/sourcetest"
)

// What is zero in the result of a command may be left out. Where none of it tells that the command ended, no exit code is told.
func TestExitCodeThatIsLeftOut(t *testing.T) {
	for _, test := range []struct{ status, result, exit, ok string }{
		{"completed", `{"output":"x","rejected":false,"notInterrupted":true}`, "0", "true"},
		{"completed", `{"notInterrupted":true}`, "0", "true"},
		{"completed", `{"output":"x","exitCode":3,"notInterrupted":true}`, "3", "false"},
		{"completed", `{"output":"x","rejected":false}`, "none", "true"},
		{"completed", `{"output":"x","notInterrupted":true,"isRunningInBackground":true}`, "none", "true"},
		{"error", `{"output":"x","notInterrupted":true}`, "none", "false"},
		{"completed", `{"rejected":true,"notInterrupted":true}`, "none", "false"},
		{"cancelled", `{"notInterrupted":true}`, "none", "false"},
		{"completed", "no object", "none", "true"},
	} {
		dir, id := t.TempDir(), conversationID(1)
		change(t, stateOf(dir), func(db *sql.DB) {
			c := begin(t, db, id, time.Now())
			c.bubble(1, "prompt", time.Now(), map[string]any{"text": "Count."})
			c.bubble(2, "run", time.Now(), map[string]any{"toolFormerData": map[string]any{"name": "run_terminal_command_v2", "status": test.status,
				"params": `{"command":"wc -l a"}`, "result": test.result}})
			c.save()
		})
		all, _ := readAll(t, open(dir, ""))
		call, exit := all[id]["ide"].Turns[0].Tools[0], "none"
		if call.Exit != nil {
			exit = fmt.Sprint(*call.Exit)
		}
		if got := fmt.Sprint(call.OK != nil && *call.OK); exit != test.exit || got != test.ok {
			t.Errorf("%s %s: exit %s, success %s", test.status, test.result, exit, got)
		}
	}
}

// A title without a letter or digit is none: the next one counts.
func TestTitlesThatAreMarks(t *testing.T) {
	for _, test := range [][3]string{
		{"```", "Edited a.go", "Edited a.go"},
		{"---", "New Chat", ""},
		{"**1**", "Edited a.go", "**1**"},
		{"", "題", "題"},
		{"\u2026 !", "[", ""},
	} {
		dir, id := t.TempDir(), conversationID(1)
		change(t, stateOf(dir), func(db *sql.DB) {
			c := begin(t, db, id, time.Now())
			c.fields["name"], c.fields["subtitle"] = test[0], test[1]
			c.turns(time.Now(), 0, []sourcetest.Turn{{User: "one", Answer: "two"}})
			c.save()
		})
		home := t.TempDir()
		at := filepath.Join(home, "chats", "0f", conversationID(2))
		fillStore(t, filepath.Join(at, "store.db"), map[string]any{"name": test[0]}, []json.RawMessage{json.RawMessage(`{"role":"user","content":"x"}`)})
		beside, err := json.Marshal(map[string]any{"title": test[1]})
		must(t, err)
		write(t, filepath.Join(at, "meta.json"), beside)
		all, _ := readAll(t, open(dir, home))
		if ide, cli := all[id]["ide"].Title, all[conversationID(2)]["cli"].Title; ide != test[2] || cli != test[2] {
			t.Errorf("%q: %q of the IDE, %q of the CLI", test, ide, cli)
		}
	}
}

// A file that was not there before is created by the call that the conversation names, and edited by later ones.
func TestFilesThatEditsCreate(t *testing.T) {
	edit := func(status, path string) map[string]any {
		return map[string]any{"name": "edit_file_v2", "status": status, "params": `{"relativeWorkspacePath":"` + path + `"}`}
	}
	isNew := func(first string) map[string]any {
		return map[string]any{"isNewlyCreated": true, "firstEditBubbleId": first}
	}
	patch := map[string]any{"name": "apply_patch", "status": "completed",
		"params": map[string]any{"patch": "*** Begin Patch\n*** Add File: /p/new.go\n+x\n*** Update File: /p/a.go\n@@\n-x\n+y\n*** End Patch"}}
	for name, test := range map[string]struct {
		states any
		calls  []map[string]any
		want   string
	}{
		"made, then changed": {map[string]any{"file:///p/a.go": isNew("call-0")}, []map[string]any{edit("completed", "/p/a.go"), edit("completed", "/p/a.go")}, "create edit: created, edited"},
		"a path in a folder": {map[string]any{"file:///p/a.go": isNew("call-0")}, []map[string]any{edit("completed", "a.go")}, "create: created"},
		"was there":          {map[string]any{"file:///p/a.go": map[string]any{"firstEditBubbleId": "call-0"}}, []map[string]any{edit("completed", "/p/a.go")}, "edit: edited"},
		"the second made it": {map[string]any{"file:///p/a.go": isNew("call-1")}, []map[string]any{edit("error", "/p/a.go"), edit("completed", "/p/a.go")}, "edit create: created"},
		"it failed":          {map[string]any{"file:///p/a.go": isNew("call-0")}, []map[string]any{edit("error", "/p/a.go")}, "edit: "},
		"nobody knows which": {map[string]any{"file:///p/a.go": isNew("")}, []map[string]any{edit("completed", "/p/a.go")}, "edit: edited"},
		"a patch of several": {map[string]any{"file:///p/new.go": isNew("call-0")}, []map[string]any{patch}, "edit: created, edited"},
		"of another shape":   {[]any{"x", nil}, []map[string]any{edit("completed", "/p/a.go")}, "edit: edited"},
	} {
		dir, id := t.TempDir(), conversationID(1)
		change(t, stateOf(dir), func(db *sql.DB) {
			c := begin(t, db, id, time.Now())
			c.fields["originalFileStates"] = test.states
			c.bubble(1, "prompt", time.Now(), map[string]any{"text": "Write it."})
			for i, call := range test.calls {
				c.bubble(2, fmt.Sprint("call-", i), time.Now(), map[string]any{"toolFormerData": call})
			}
			c.save()
		})
		all, _ := readAll(t, open(dir, ""))
		s := all[id]["ide"]
		var calls, files []string
		for _, c := range s.Turns[0].Tools {
			calls = append(calls, c.Kind)
		}
		for _, f := range s.Files {
			files = append(files, f.Kind)
		}
		if got := strings.Join(calls, " ") + ": " + strings.Join(files, ", "); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
