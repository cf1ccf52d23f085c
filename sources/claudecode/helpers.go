package claudecode

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// helper is the work of a sub-agent. Version 1 wrote its lines into the session's own
// transcript, without a name, later ones into a file of its own.
type helper struct {
	sources.Delegation
	turn  *turn // of the call that began it, nil where it is not known
	told  bool  // the call has a result, or there are lines of its own
	spent map[string]*spent
	calls map[string]call
	files []sources.FileTouch
	place place
}

// helpers are those of a session.
type helpers struct {
	of     map[lineID]*helper // of lines in the session's own transcript
	inline []*helper
	asked  []*helper // by calls
}

// called takes in the call that begins the work.
func (h *helpers) called(b *block, r *record) *helper {
	one := &helper{Delegation: sources.Delegation{
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
	if one == nil && r.ParentUUID != "" && len(h.inline) > 0 {
		one = h.inline[len(h.inline)-1]
	}
	if one == nil {
		one = newHelper(r.UUID)
		h.inline = append(h.inline, one)
	}
	h.of[lineOf(r.UUID)] = one
	one.take(r)
}

func newHelper(id string) *helper {
	return &helper{Delegation: sources.Delegation{ID: id}, told: true, spent: map[string]*spent{}, calls: map[string]call{}}
}

// take takes in a line of the sub-agent's own.
func (h *helper) take(r *record) {
	at := r.Timestamp.Time
	if r.Type != "user" && r.Type != "assistant" {
		return
	}
	if h.At.IsZero() {
		h.At = at
	}
	h.End = later(h.End, at)
	h.place.at(r.Cwd, r.GitBranch)
	m := &r.Message
	if r.Type == "user" && h.Task == "" && !r.IsMeta && !m.Content.has("tool_result") {
		h.Task = promptOf(m.Content).text
	}
	if text := strings.TrimSpace(m.Content.String()); r.Type == "assistant" && text != "" && m.Model != "<synthetic>" {
		h.Answer = text
	}
	if m.Usage != nil && m.ID != "" {
		if h.spent[m.ID] == nil {
			h.spent[m.ID] = &spent{}
		}
		h.spent[m.ID].add(m.Usage)
	}
	for i := range m.Content.Blocks {
		h.block(r, &m.Content.Blocks[i])
	}
}

// block takes in a call or its result. What it edited counts, where it succeeded.
func (h *helper) block(r *record, b *block) {
	switch b.Type {
	case "tool_use":
		h.Calls++
		c := call{name: plainName(b.Name)}
		if c.path, c.touch = touched(c.name, &b.Input); c.touch == sources.Edited {
			h.calls[b.ID] = c
		}
	case "tool_result":
		c, known := h.calls[b.ToolUseID]
		delete(h.calls, b.ToolUseID)
		if !known || b.IsError || c.path == "" || h.place.isOwn(c.path) {
			return
		}
		// Of a sub-agent in the foreground nothing tells whether it created a file.
		kind := c.touch
		if r.ToolUseResult.Type == "create" || strings.HasPrefix(b.Content.String(), "File created successfully") {
			kind = sources.Created
		}
		h.files = addTouch(h.files, sources.FileTouch{Path: h.place.inProject(c.path), Kind: kind, Tool: c.name, Turn: -1, At: r.Timestamp.Time})
	}
}

// isOfHarness tells that the program ran it for itself: a warm-up of the cache.
func (h *helper) isOfHarness() bool { return kindOf(h.Task) == kindProgram }

// delegation is what there is to tell.
func (h *helper) delegation() sources.Delegation {
	d := h.Delegation
	for _, s := range h.spent {
		d.Tokens = s.addTo(d.Tokens)
	}
	return d
}

// told are those to tell of, with the files that the lines in the transcript tell: a call
// and the lines that its prompt began are one.
func (h *helpers) told() (all []*helper) {
	taken := map[*helper]bool{}
	for _, asked := range h.asked {
		if asked.turn.dead {
			continue
		}
		for _, lines := range h.inline {
			if !taken[lines] && lines.Task == asked.Task && asked.Task != "" {
				taken[lines] = true
				asked.told, asked.spent, asked.files = true, lines.spent, lines.files
				asked.Answer, asked.Calls, asked.End = cmp.Or(asked.Answer, lines.Answer), max(asked.Calls, lines.Calls), later(asked.End, lines.End)
				break
			}
		}
		if asked.told {
			all = append(all, asked)
		}
	}
	for _, lines := range h.inline {
		if !taken[lines] && !lines.isOfHarness() {
			all = append(all, lines)
		}
	}
	return all
}
