package sidecars

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chat"
)

// turn is the open one; a new one, without a prompt, where none is.
func (t *transcript) turn() *sources.Turn {
	if !t.open {
		t.begin("")
	}
	return &t.session.Turns[len(t.session.Turns)-1]
}

func (t *transcript) begin(user string) {
	t.open, t.replayed = true, false
	t.text.Reset()
	t.session.Turns = append(t.session.Turns, sources.Turn{
		Index: len(t.session.Turns), At: t.clock, User: user, Status: sources.Pending,
	})
}

// prompt opens a turn with what the person typed.
func (t *transcript) prompt(data *eventData) {
	t.prompts++
	if chat.NobodyTyped(data.Content) {
		return // the turn goes on
	}
	t.close(true)
	t.begin(chat.CleanPrompt(data.Content))
}

// round begins one exchange with the model within a turn. Those of the chat's
// history are numbered "turn.round".
func (t *transcript) round(data *eventData) {
	t.replayed = t.replayed || t.open && strings.Contains(data.TurnID, ".")
}

// answer adds what the agent said, and the calls it asked for.
func (t *transcript) answer(data *eventData) {
	text := strings.TrimLeft(strings.TrimRight(data.Content, " \t\r\n"), "\r\n")
	if text != "" {
		turn := t.turn()
		turn.End = t.clock
		turn.Status = sources.Complete
		if t.text.Len() > 0 {
			t.text.WriteString("\n\n")
		}
		t.text.WriteString(text)
	}
	for _, r := range data.ToolRequests {
		t.requested(r)
	}
}

// close ends the open turn. One without a visible answer before the next prompt
// was given up, unless the agent was at work.
func (t *transcript) close(byPrompt bool) {
	if !t.open {
		return
	}
	turn := t.turn()
	turn.Assistant = t.text.String()
	if byPrompt && turn.Status == sources.Pending {
		turn.Status = sources.Cancelled
		if len(turn.Tools) > 0 {
			turn.Status = sources.Complete
		}
	}
	t.open = false
}
