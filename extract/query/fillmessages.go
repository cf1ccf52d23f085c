package query

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/sources"
)

type message struct {
	turn        any
	at          time.Time
	kind, text  string
	tool, model string
	ok          any
}

func (f *filler) messages(k *extract.Kept) {
	s := k.Session
	for i, m := range messagesOf(s) {
		f.put("messages", s.ID, k.Project.Key, i+1, m.turn, m.at, m.kind, m.text, m.tool, m.ok, m.model)
	}
}

func messagesOf(s *sources.Session) []message {
	out := []message{{at: s.Created, kind: "session_start", text: s.Title}}
	left := slices.Clone(s.Checkpoints)
	model := ""
	for i, t := range s.Turns {
		for len(left) > 0 && !left[0].At.IsZero() && !t.At.IsZero() && left[0].At.Before(t.At) {
			out, left = append(out, compaction(left[0])), left[1:]
		}
		if t.Model != "" && model != "" && t.Model != model {
			out = append(out, message{turn: i + 1, at: t.At, kind: "model_change", model: t.Model})
		}
		if t.Model != "" {
			model = t.Model
		}
		out = append(out, ofTurn(t, i+1)...)
	}
	for _, c := range left {
		out = append(out, compaction(c))
	}
	return out
}

func compaction(c sources.Checkpoint) message {
	text := []string{content.CheckpointTitle(c)}
	for _, part := range []string{c.Overview, c.Raw} {
		if part != "" {
			text = append(text, part)
		}
	}
	return message{at: c.At, kind: "compaction_complete", text: strings.Join(text, "\n\n")}
}

// ofTurn are the messages of a turn: the prompt, then answers and calls as they stood.
func ofTurn(t sources.Turn, turn int) (out []message) {
	if t.User != "" {
		out = append(out, message{turn: turn, at: t.At, kind: "user", text: t.User})
	}
	from := 0
	say := func(to int) {
		to = min(max(to, from), len(t.Assistant))
		if text := strings.TrimSpace(t.Assistant[from:to]); text != "" {
			out = append(out, message{turn: turn, at: t.At, kind: "assistant", text: text, model: t.Model})
		}
		from = to
	}
	for _, c := range t.Tools {
		say(c.After)
		out = append(out, message{turn: turn, at: t.At, kind: "tool_start", text: cmp.Or(c.Detail, c.Command), tool: c.Name, ok: succeeded(c)})
	}
	say(len(t.Assistant))
	if t.Status == sources.Cancelled {
		out = append(out, message{turn: turn, at: cmp.Or(t.End, t.At), kind: "abort"})
	}
	return out
}
