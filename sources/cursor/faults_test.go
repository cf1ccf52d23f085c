package cursor_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
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
