package claudecode

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// helper is the work of a sub-agent.
type helper struct {
	sources.Delegation
	turn  *turn // of the call that began it, nil where it is not known
	told  bool  // the call has a result, or there are lines of its own
	files []sources.FileTouch
}

// helpers are those of a session. Version 1 wrote their lines into the session's own
// transcript, without a name, later ones into files of their own.
type helpers struct {
	of    map[lineID]*parser // of lines in the session's own transcript
	lines []*parser
	asked []*helper // by calls
}

// called takes in the call that begins the work.
func (h *helpers) called(b *block, r *record, t *turn) *helper {
	one := &helper{turn: t, Delegation: sources.Delegation{
		ID: b.ID, Name: cmp.Or(b.Input.Description, b.Input.SubagentType), Task: b.Input.Prompt, At: r.Timestamp.Time,
	}}
	h.asked = append(h.asked, one)
	return one
}

// returned takes in what the call gave. One that goes on in the background has no answer
// yet, but a name.
func (h *helper) returned(r *record, ok bool, text string) {
	result := &r.ToolUseResult
	h.told = ok
	h.ID = cmp.Or(result.AgentID, h.ID)
	if result.IsAsync || !ok {
		return
	}
	h.End, h.Calls = r.Timestamp.Time, max(int(result.ToolUses), 0)
	var parts []string
	for _, b := range result.Content.Blocks {
		if text := strings.TrimSpace(b.Text); text != "" && !strings.HasPrefix(text, "<tools-used-before-summary>") && !strings.HasPrefix(text, "agentId: ") {
			parts = append(parts, text)
		}
	}
	h.Answer = cmp.Or(strings.Join(parts, "\n\n"), strings.TrimSpace(text))
}

// take takes in a line of a sub-agent in the session's own transcript.
func (h *helpers) take(r *record) {
	one := h.of[lineOf(r.ParentUUID)]
	if n := len(h.lines); one == nil && r.ParentUUID != "" && n > 0 {
		one = h.lines[n-1]
	}
	if one == nil {
		one = newParser("")
		h.lines = append(h.lines, one)
	}
	h.of[lineOf(r.UUID)] = one
	one.take(r)
}

// helped is what the lines of a sub-agent tell, false where the program ran it for itself
// or nothing was asked. What it edited counts for the session.
func (p *parser) helped(id string) (h helper, ok bool) {
	if len(p.turns) == 0 || kindOf(p.turns[0].User) == kindProgram {
		return h, false
	}
	h = helper{told: true, Delegation: sources.Delegation{ID: cmp.Or(id, p.turns[0].ID), Task: p.turns[0].User, At: p.turns[0].At}}
	for _, t := range p.turns {
		h.End, h.Calls = later(h.End, t.last), h.Calls+len(t.Tools)
		h.Answer = cmp.Or(strings.TrimSpace(t.text.String()[t.from:]), h.Answer)
		if t.Tokens != nil {
			sum := cmp.Or(h.Tokens, &sources.Tokens{})
			h.Tokens = &sources.Tokens{In: sum.In + t.Tokens.In, Out: sum.Out + t.Tokens.Out}
		}
		for _, f := range t.files {
			if f.Turn = -1; f.Kind != sources.Viewed {
				h.files = append(h.files, f)
			}
		}
	}
	return h, true
}

// told are those to tell of: a call and the lines that its prompt began are one.
func (h *helpers) told() (all []*helper) {
	byTask := map[string][]*helper{}
	var lines []*helper
	for _, p := range h.lines {
		if one, ok := p.helped(""); ok {
			byTask[one.Task], lines = append(byTask[one.Task], &one), append(lines, &one)
		}
	}
	for _, asked := range h.asked {
		if own := byTask[asked.Task]; len(own) > 0 {
			one := own[0]
			byTask[asked.Task], one.told = own[1:], false
			asked.told, asked.Tokens, asked.files = true, one.Tokens, one.files
			asked.Answer, asked.Calls, asked.End = cmp.Or(asked.Answer, one.Answer), max(asked.Calls, one.Calls), later(asked.End, one.End)
		}
		asked.told = asked.told && !asked.turn.dead
	}
	return slices.DeleteFunc(append(h.asked, lines...), func(one *helper) bool { return !one.told })
}
