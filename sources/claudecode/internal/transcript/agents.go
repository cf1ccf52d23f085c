package transcript

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/texts"
)

// agent is the work of a sub-agent.
type agent struct {
	sources.Delegation
	turn  *turn // of the call that began it, nil where it is not known
	told  bool  // the call has a result, or there are lines of its own
	files []sources.FileTouch
}

// newAgent is what the call tells that begins the work.
func newAgent(r *lines.Record, b *lines.Block, t *turn) *agent {
	return &agent{turn: t, Delegation: sources.Delegation{
		ID: b.ID, Name: cmp.Or(b.Input.Description, b.Input.SubagentType), Task: b.Input.Prompt, At: r.Timestamp.Time,
	}}
}

// returned takes in what the call gave. One that goes on in the background has no answer
// yet, but a name.
func (a *agent) returned(r *lines.Record, ok bool, text string) {
	result := &r.ToolUseResult
	a.told = ok
	a.ID = cmp.Or(result.AgentID, a.ID)
	if result.IsAsync || !ok {
		return
	}
	a.End, a.Calls = r.Timestamp.Time, max(int(result.ToolUses), 0)
	var parts []string
	for _, b := range result.Content.Blocks {
		if text := strings.TrimSpace(b.Text); text != "" && !strings.HasPrefix(text, "<tools-used-before-summary>") && !strings.HasPrefix(text, "agentId: ") {
			parts = append(parts, text)
		}
	}
	a.Answer = cmp.Or(strings.Join(parts, "\n\n"), strings.TrimSpace(text))
}

// agentOf is what the lines of a sub-agent tell, nil where the program ran it for itself
// or nothing was asked. What it edited counts for the session.
func agentOf(turns []*turn, id string) *agent {
	if len(turns) == 0 || texts.KindOf(turns[0].User) == texts.Program {
		return nil
	}
	a := &agent{told: true, Delegation: sources.Delegation{ID: cmp.Or(id, turns[0].ID), Task: turns[0].User, At: turns[0].At}}
	for _, t := range turns {
		a.End, a.Calls = later(a.End, t.last), a.Calls+len(t.Tools)
		a.Answer = cmp.Or(strings.TrimSpace(t.text.String()[t.from:]), a.Answer)
		if t.Tokens != nil {
			a.Tokens = cmp.Or(a.Tokens, &sources.Tokens{})
			a.Tokens.In, a.Tokens.Out = a.Tokens.In+t.Tokens.In, a.Tokens.Out+t.Tokens.Out
		}
		for _, f := range t.files {
			if f.Turn = -1; f.Kind != sources.Viewed {
				a.files = append(a.files, f)
			}
		}
	}
	return a
}

// agentsOf are those to tell of: a call and the lines that its prompt began are one.
func agentsOf(asked, byLines []*agent) []*agent {
	byTask := map[string][]*agent{}
	for _, one := range byLines {
		byTask[one.Task] = append(byTask[one.Task], one)
	}
	for _, a := range asked {
		if own := byTask[a.Task]; len(own) > 0 {
			one := own[0]
			byTask[a.Task], one.told = own[1:], false
			a.told, a.Tokens, a.files = true, one.Tokens, one.files
			a.Answer, a.Calls, a.End = cmp.Or(a.Answer, one.Answer), max(a.Calls, one.Calls), later(a.End, one.End)
		}
		a.told = a.told && !a.turn.dead
	}
	return slices.DeleteFunc(append(asked, byLines...), func(a *agent) bool { return !a.told })
}
