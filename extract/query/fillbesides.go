package query

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/extract"
	"github.com/sessionloom/sessionloom/extract/internal/commands"
	"github.com/sessionloom/sessionloom/extract/internal/content"
	"github.com/sessionloom/sessionloom/sources"
)

func (f *filler) commands(k *extract.Kept) {
	s := k.Session
	told := commands.Of(s)
	for i, t := range s.Turns {
		for _, c := range t.Tools {
			if c.Command == "" {
				continue
			}
			kind, one := commands.Kind(""), told[0]
			told = told[1:]
			if f.wants("commands", "kind") {
				kind, _ = commands.First(c.Command, s.Place)
			}
			f.put("commands", s.ID, k.Project.Key, i+1, t.At, f.day(t.At), c.Command, one.Line, one.Description, string(kind), succeeded(c), c.Exit)
		}
	}
}

func (f *filler) checkpoints(k *extract.Kept) {
	for _, c := range k.Session.Checkpoints {
		f.put("checkpoints", k.Session.ID, k.Project.Key, c.Number, c.Title, c.At, c.Overview, c.History, c.WorkDone, c.Technical, c.Important, c.NextSteps, c.Raw)
	}
}

func (f *filler) plans(k *extract.Kept) {
	for _, a := range k.Session.Artifacts {
		if a.Kind != sources.Plan {
			continue
		}
		f.put("plans", k.Session.ID, k.Project.Key, a.Name, content.ArtifactTitle(a, k.Session.Title), a.At, a.Text)
	}
}

func (f *filler) todos(k *extract.Kept) {
	for _, t := range k.Session.Todos {
		f.put("todos", k.Session.ID, k.Project.Key, t.ID, t.Title, t.Description, t.Status, cmp.Or(t.Raw, t.Status), t.Origin, strings.Join(t.After, ","), t.At)
	}
}

func (f *filler) files(k *extract.Kept) {
	s := k.Session
	for _, u := range content.Files(s) {
		at, first := s.Created, any(nil)
		if len(u.Prompts) > 0 {
			first, at = u.Prompts[0], f.begin(s, u.Prompts[0]-1)
		}
		f.put("files", s.ID, k.Project.Key, u.Path, strings.Join(u.Kinds, ","), len(u.Prompts), first, at, f.day(at), u.Undone)
	}
}

// begin returns when a turn of a session began, else when the session did.
func (f *filler) begin(s *sources.Session, turn int) time.Time {
	if turn < 0 || turn >= len(s.Turns) || s.Turns[turn].At.IsZero() {
		return s.Created
	}
	return s.Turns[turn].At
}

func (f *filler) refs(k *extract.Kept) {
	for _, r := range k.Session.Refs {
		f.put("refs", k.Session.ID, k.Project.Key, r.Type, r.Value, r.Text, r.Repo, number(r.Turn), r.At)
	}
}

func (f *filler) memories(k *extract.Kept) {
	s := k.Session
	scope := "session"
	if s.IsMemory {
		scope = string(cmp.Or(s.Scope, sources.ScopeRepo))
	}
	for _, a := range s.Artifacts {
		if a.Kind != sources.Memory {
			continue
		}
		f.put("memories", s.ID, k.Project.Key, scope, s.Agent, a.Name, content.ArtifactTitle(a, s.Title), a.At, a.Text)
	}
}

func (f *filler) decisions(k *extract.Kept) {
	for _, d := range k.Decisions() {
		at := k.Session.Updated
		if d.Turn >= 0 {
			at = f.begin(k.Session, d.Turn)
		}
		f.put("decisions", k.Session.ID, k.Project.Key, number(d.Turn), at, d.Kind, d.Text)
	}
}

func (f *filler) ends(k *extract.Kept) {
	for _, e := range k.OpenEnds() {
		f.put("open_ends", k.Session.ID, k.Project.Key, e.Text, e.State, e.Kind, number(e.Turn))
	}
}

func (f *filler) distilled(k *extract.Kept) {
	for _, d := range k.Distilled() {
		for _, line := range d.Lines {
			f.put("distilled", k.Session.ID, k.Project.Key, d.By, d.At, string(line.Kind), line.Text, line.Quote, number(line.Turn))
		}
	}
}

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
	text := slices.DeleteFunc([]string{content.CheckpointTitle(c), c.Overview, c.Raw}, func(part string) bool { return part == "" })
	return message{at: c.At, kind: "compaction_complete", text: strings.Join(text, "\n\n")}
}

// ofTurn returns the messages of a turn: the prompt, then answers and calls in order.
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
