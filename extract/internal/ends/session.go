package ends

import (
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/sources"
)

// InSession folds what one session leaves open and shows as done. Each thread has an id, which
// its oldest wording gives it, so that it stays when the session puts it in other words.
func InSession(s *sources.Session) []Thread {
	threads := Fold(Of(s), "")
	taken := map[string]int{}
	for i, t := range threads {
		oldest := t.Mentions[len(t.Mentions)-1]
		id := "open-" + texts.Digest(s.ID+"\x00"+Key(oldest.Text), 8)
		if taken[id]++; taken[id] > 1 {
			id += "-" + strconv.Itoa(taken[id])
		}
		for k := range t.Mentions {
			threads[i].Mentions[k].ID = id
		}
	}
	return threads
}

// DoneIn lists what a session shows as done: it may be what another session left open.
func DoneIn(s *sources.Session) []Mention {
	var out []Mention
	seen := map[string]bool{}
	for _, m := range Of(s) {
		if key := Key(m.Text); m.State == Done && !seen[key] {
			seen[key] = true
			out = append(out, m)
		}
	}
	return out
}

// Prepare finds the words of events once, where they are compared with many threads.
func Prepare(events []Event) []Event {
	for i := range events {
		events[i].words = WordsOf(events[i].Text)
	}
	return events
}

// Named are the keys of the projects that a thread names.
func Named(t Thread, projects []Project) []string { return namedIn(t, projects) }

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
