package claudecode

import (
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// queued is a prompt that waited in the queue, until a line of its own tells of it.
type queued struct {
	text string
	line string // the text as one line
	at   time.Time
	turn *turn // that went on when it was typed
}

// queueOperation takes in a prompt that waits. Before about 2.1.97 one that was taken up
// while the agent worked may stand here alone.
func (p *parser) queueOperation(r *record) {
	text := promptOf(r.Content).text
	switch r.Operation {
	case "enqueue":
		if isOfPerson(text) {
			p.queue = append(p.queue, queued{text: text, line: lineIn(text), at: r.Timestamp.Time, turn: p.now})
		}
	case "popAll":
		p.queue = nil // the user took them back into the input
	case "remove":
		if r.Reason != "" && r.Reason != "absorbed_mid_turn" {
			p.unqueue(text)
		}
	}
}

// isOfPerson is false for what a program puts into the queue.
func isOfPerson(text string) bool {
	kind := kindOf(text)
	return text != "" && (kind == kindPrompt || kind == kindCommand) && !strings.HasPrefix(text, `{"task_id":`)
}

// unqueue forgets a prompt that waited, which a line of its own tells.
func (p *parser) unqueue(text string) {
	if len(p.queue) == 0 {
		return
	}
	line := lineIn(text)
	i := slices.IndexFunc(p.queue, func(q queued) bool { return q.line == line })
	if i >= 0 {
		p.queue = slices.Delete(p.queue, i, i+1)
	}
}

func lineIn(text string) string { return words.OneLine(text, len(text)+1) }

// queuedCommand takes in a prompt that was typed while the agent worked and taken up in the
// middle of a turn.
func (p *parser) queuedCommand(r *record, owner *turn) *turn {
	a := &r.Attachment
	if a.Type != queuedCommand || a.CommandMode != "" && a.CommandMode != "prompt" || a.Origin.Kind != "" && a.Origin.Kind != "human" {
		return owner
	}
	typed := promptOf(a.Prompt)
	if !isOfPerson(typed.text) || r.IsMeta {
		return owner
	}
	p.unqueue(typed.text)
	t := p.open(r, typed.text, owner)
	t.Attachments, t.proven = typed.images, a.Origin.Kind == "human"
	p.human = true
	if !a.Timestamp.IsZero() {
		t.At = a.Timestamp.Time
	}
	return t
}

// unqueued puts the prompts that only the queue tells of behind the turns in which they
// were typed.
func (p *parser) unqueued() {
	behind := map[*turn][]*turn{}
	for _, q := range p.queue {
		t := &turn{}
		t.At, t.User, t.Status, t.above = q.at, q.text, sources.Complete, q.turn
		behind[q.turn] = append(behind[q.turn], t)
		p.human = true
	}
	if len(behind) == 0 {
		return
	}
	out := behind[nil]
	for _, t := range p.turns {
		out = append(append(out, t), behind[t]...)
	}
	p.turns = out
}
