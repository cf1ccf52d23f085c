package claudecode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sessionloom/sessionloom/testdata/expect"
)

// side marks the lines from one on as those of a sub-agent.
func (l *log) side(from int) *log {
	for i, line := range l.lines[from:] {
		l.lines[from+i] = strings.Replace(line, `"isSidechain":false`, `"isSidechain":true`, 1)
	}
	return l
}

func TestSubAgentsInTheTranscript(t *testing.T) {
	l := newLog().typed("u", "", "p").blocks("c", "u", "m", map[string]any{"type": "tool_use", "id": "task", "name": "Task",
		"input": map[string]any{"description": "Look", "prompt": "Look at it."}})
	from := len(l.lines)
	l.user("s1", "", "Look at it.").call("1", "s1", "Edit", map[string]any{"file_path": "/a"}, "ok", false, nil).
		call("2", "s1", "Edit", map[string]any{"file_path": "/b"}, "no", true, nil).call("3", "s1", "Write", map[string]any{"file_path": "/c"}, "File created successfully at: /c", false, nil).
		call("4", "s1", "Read", map[string]any{"file_path": "/d"}, "x", false, nil).said("s9", "s1", "Seen.")
	l.side(from)
	from = len(l.lines)
	l.user("w1", "", "Warmup").said("w2", "w1", "OK").side(from)
	s := l.read(t)
	if len(s.Delegated) != 1 || s.Delegated[0].ID != "task" || s.Delegated[0].Name != "Look" || s.Delegated[0].Answer != "Seen." || s.Delegated[0].Calls != 4 {
		t.Errorf("%+v", s.Delegated)
	}
	var files []string
	for _, f := range s.Files {
		files = append(files, fmt.Sprint(f.Kind, " ", f.Path, " ", f.Turn))
	}
	expect.List(t, files, []string{"edited /a -1", "created /c -1"})
	expect.Is(t, turns(s), "p > ", "a sub-agent's prompt is a turn")
}
