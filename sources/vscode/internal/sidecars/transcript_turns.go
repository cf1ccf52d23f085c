package sidecars

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chat"
)

// openTurn is the last of the turns while it still grows.
type openTurn struct {
	text     strings.Builder
	replayed bool // written again out of the chat's history
}

// turn is the open one; a new one, without a prompt, where none is.
func (t *transcript) turn() *sources.Turn {
	if t.open == nil {
		t.begin("")
	}
	return &t.session.Turns[len(t.session.Turns)-1]
}

func (t *transcript) begin(user string) {
	t.open = &openTurn{}
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
	if t.open != nil && strings.Contains(data.TurnID, ".") {
		t.open.replayed = true
	}
}

// answer adds what the agent said, and the calls it asked for.
func (t *transcript) answer(data *eventData) {
	text := strings.TrimLeft(strings.TrimRight(data.Content, " \t\r\n"), "\r\n")
	if text != "" {
		turn := t.turn()
		turn.End = t.clock
		turn.Status = sources.Complete
		if t.open.text.Len() > 0 {
			t.open.text.WriteString("\n\n")
		}
		t.open.text.WriteString(text)
	}
	for _, r := range data.ToolRequests {
		t.requested(r)
	}
}

// close ends the open turn. One without a visible answer before the next prompt
// was given up, unless the agent was at work.
func (t *transcript) close(byPrompt bool) {
	if t.open == nil {
		return
	}
	turn := t.turn()
	turn.Assistant = t.open.text.String()
	if byPrompt && turn.Status == sources.Pending {
		turn.Status = sources.Cancelled
		if len(turn.Tools) > 0 {
			turn.Status = sources.Complete
		}
	}
	t.open = nil
}
