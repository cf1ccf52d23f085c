package claudecode

import (
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
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

	newest   time.Time // of it and all that follows it
	answered bool      // so is it, or something that follows it

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
		ID: r.UUID, At: r.Timestamp.Time, User: text, Status: sources.Pending,
	}}
	t.copied, t.foreign, t.version = r.ForkedFrom.SessionID != "", r.SessionID != "" && r.SessionID != p.id, r.Version
	if r.PermissionMode == "plan" { // the others say what the agent may do unasked
		t.Mode = r.PermissionMode
	}
	p.turns = append(p.turns, t)
	p.now = t
	return t
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
	if m.Model == "<synthetic>" && !r.IsAPIError {
		if owner != nil && owner.Status == sources.Pending && len(owner.Tools) > 0 {
			owner.Status = sources.Cancelled // it was killed at work, and is resumed
		}
		return owner // "No response requested."
	}
	if owner == nil {
		shell := len(p.actions) > 0 && p.actions[len(p.actions)-1].Kind == sources.ActionShell
		if shell || !m.Content.has("text") && !m.Content.has("tool_use") {
			return nil // the agent takes notice of what the user ran
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
	if m.Model != "" {
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

// spend adds what a message of the model used; its lines repeat it. Versions to 2.1.45 give
// on some of them what stood at the start, so that the largest counts.
func (p *parser) spend(t *turn, m *message) {
	u := m.Usage
	if u == nil || m.ID == "" {
		return
	}
	const most = 1 << 40 // more is no number of tokens
	in := min(max(u.Input, 0), most) + min(max(u.CacheWrite, 0), most) + min(max(u.CacheRead, 0), most)
	was := p.spent[m.ID]
	now := sources.Tokens{In: max(was.In, int64(in)), Out: max(was.Out, int64(min(u.Output, most)))}
	if now == was {
		return
	}
	if p.spent[m.ID] = now; t.Tokens == nil {
		t.Tokens = &sources.Tokens{}
	}
	t.Tokens.In += now.In - was.In
	t.Tokens.Out += now.Out - was.Out
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
