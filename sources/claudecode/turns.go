package claudecode

import (
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// turn is a prompt on its way into a session.
type turn struct {
	sources.Turn
	text    strings.Builder // the answer so far
	message string          // id of the message whose text was added last
	from    int             // where that text begins

	above  *turn     // of the line that the prompt follows
	parent string    // id of that line
	before []*turn   // earlier prompts behind the same line
	leaf   string    // newest line
	last   time.Time // newest time of a line

	typed   bool // a prompt of its own line, in the session's own order
	proven  bool // the line says that a person typed it here
	auto    bool // a program's prompt
	command bool // a slash command
	copied  bool // of another session
	foreign bool // its line names another session
	version string
	models  []string
	dead    bool // taken back

	files []sources.FileTouch
	todos *[]sources.Todo // the list as it stood then; nil: not told
}

// open begins a turn.
func (p *parser) open(r *record, text string, owner *turn) *turn {
	t := &turn{above: owner, parent: r.ParentUUID, Turn: sources.Turn{
		ID: r.UUID, At: r.Timestamp.Time, User: text, Status: sources.Pending, Mode: modeOf(r.PermissionMode),
	}}
	t.copied, t.foreign, t.version = r.ForkedFrom.SessionID != "", r.SessionID != "" && r.SessionID != p.id, r.Version
	p.turns = append(p.turns, t)
	p.now = t
	return t
}

// modeOf is the mode of a prompt, empty for the usual one.
func modeOf(mode string) string {
	if mode == "default" {
		return ""
	}
	return mode
}

// say adds a text to the answer, paragraphs apart. A text of the same message that goes on
// with the last one is that text again, grown: older versions wrote both.
func (t *turn) say(text, message string) {
	text = strings.TrimLeft(strings.TrimRight(text, " \t\r\n"), "\r\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	if said := t.text.String(); message != "" && message == t.message && strings.HasPrefix(text, said[t.from:]) {
		t.text.Reset()
		t.text.WriteString(said[:t.from] + text)
		return
	}
	if t.text.Len() > 0 {
		t.text.WriteString("\n\n")
	}
	t.message, t.from = message, t.text.Len()
	t.text.WriteString(text)
}

// answer takes in a block of an answer, which stands alone in its line.
func (p *parser) answer(r *record, owner *turn) *turn {
	m := &r.Message
	synthetic := m.Model == "<synthetic>"
	if synthetic && !r.IsAPIError {
		return owner // "No response requested."
	}
	if owner == nil {
		if len(p.actions) > 0 || !m.Content.has("text") && !m.Content.has("tool_use") {
			return nil // it answers a command of the user
		}
		owner = p.open(r, "", nil) // the log was cut at its beginning
		owner.ID = ""
	}
	owner.End = later(owner.End, r.Timestamp.Time)
	if r.IsAPIError {
		if owner.Status != sources.Cancelled {
			owner.Status, owner.Error = sources.Failed, strings.TrimSpace(m.Content.String())
		}
		return owner
	}
	if m.Model != "" && !synthetic {
		owner.Model = m.Model[strings.LastIndexByte(m.Model, '/')+1:]
		if n := len(owner.models); n == 0 || owner.models[n-1] != owner.Model {
			owner.models = append(owner.models, owner.Model)
		}
	}
	p.spend(owner, m)
	if m.Content.Blocks == nil {
		owner.reply(m.Content.Text, m.ID)
	}
	for i := range m.Content.Blocks {
		switch b := &m.Content.Blocks[i]; b.Type {
		case "text":
			owner.reply(b.Text, m.ID)
		case "tool_use":
			p.called(r, b, owner)
		}
	}
	return owner
}

// reply is what the agent says, after which nothing is amiss with the turn.
func (t *turn) reply(text, message string) {
	t.say(text, message)
	if strings.TrimSpace(text) != "" && t.Status != sources.Cancelled {
		t.Status, t.Error = sources.Complete, ""
	}
}

// spent is what one message of the model used; its lines repeat it. Versions to 2.1.45
// give on some of them what stood at the start, so that the largest counts.
type spent struct {
	turn    *turn
	in, out int64
}

func (p *parser) spend(t *turn, m *message) {
	u := m.Usage
	if u == nil || m.ID == "" {
		return
	}
	s := p.spent[m.ID]
	if s == nil {
		s = &spent{turn: t}
		p.spent[m.ID] = s
		p.order = append(p.order, s)
	}
	s.add(u)
}

func (s *spent) add(u *usage) {
	const most = 1 << 40 // more is no number of tokens
	in := min(max(u.Input, 0), most) + min(max(u.CacheWrite, 0), most) + min(max(u.CacheRead, 0), most)
	s.in, s.out = max(s.in, int64(in)), max(s.out, int64(min(u.Output, most)))
}

// addTo adds it up.
func (s *spent) addTo(to *sources.Tokens) *sources.Tokens {
	if s.in == 0 && s.out == 0 {
		return to
	}
	if to == nil {
		to = &sources.Tokens{}
	}
	to.In += s.in
	to.Out += s.out
	return to
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// queued is a prompt that waited in the queue, until a line of its own tells of it.
type queued struct {
	text string
	at   time.Time
	turn *turn // that went on when it was typed
	gone bool  // it was told by a line of its own, or taken out by its user
}

// queueOperation takes in a prompt that waits. Before about 2.1.97 one that was taken up
// while the agent worked may stand here alone.
func (p *parser) queueOperation(r *record) {
	text := promptOf(r.Content).text
	switch r.Operation {
	case "enqueue":
		if isOfPerson(text) {
			p.queue = append(p.queue, queued{text: text, at: r.Timestamp.Time, turn: p.now})
		}
	case "popAll":
		for i := range p.queue {
			p.queue[i].gone = true
		}
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
	line := words.OneLine(text, len(text)+1)
	for i := range p.queue {
		if q := &p.queue[i]; !q.gone && words.OneLine(q.text, len(q.text)+1) == line {
			q.gone = true
			return
		}
	}
}

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
