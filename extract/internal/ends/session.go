package ends

import (
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// InSession tells what one session leaves open, folded into threads, and what it shows as done: that
// may be what another session left open. Each thread has an id, which its oldest wording gives it,
// so that it stays when the session puts it in other words.
func InSession(s *sources.Session) (open []Thread, done []Mention) {
	told := Of(s)
	seen := map[string]bool{}
	for _, m := range told {
		if key := Key(m.Text); m.State == Done && !seen[key] {
			seen[key] = true
			done = append(done, m)
		}
	}
	taken := map[string]int{}
	for _, t := range Fold(told, "") {
		oldest := t.Mentions[len(t.Mentions)-1]
		id := "open-" + texts.Digest(s.ID+"\x00"+Key(oldest.Text), 8)
		if taken[id]++; taken[id] > 1 {
			id += "-" + strconv.Itoa(taken[id])
		}
		for k := range t.Mentions {
			t.Mentions[k].ID, t.Mentions[k].words = id, nil
		}
		if !t.IsClosed() {
			open = append(open, t)
		}
	}
	return open, done
}

// workAfterTodos says that a command ran, or a file was changed, after the call that wrote the list
// of todos last. Some agents give a whole turn one time, so the order of the calls tells it.
func workAfterTodos(s *sources.Session) (after bool) {
	written := false
	for _, t := range s.Turns {
		for _, c := range t.Tools {
			switch {
			case strings.Contains(strings.ToLower(c.Name), "todo"):
				written, after = true, false
			case c.Kind == sources.ToolRun, c.Kind == sources.ToolEdit, c.Kind == sources.ToolCreate:
				after = written
			}
		}
	}
	return after
}
