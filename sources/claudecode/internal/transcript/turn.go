package transcript

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/claudecode/internal/lines"
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
	shell  string    // newest line of a command of the shell that the user ran
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

// noted is something that belongs to a turn; nil: to none.
type noted[T any] struct {
	what T
	turn *turn
}

// newTurn begins a turn with a line of a session.
func newTurn(r *lines.Record, session, text string, above *turn) *turn {
	t := &turn{above: above, parent: r.ParentUUID, Turn: sources.Turn{
		ID: r.UUID, At: r.Timestamp.Time, User: text, Status: sources.Pending,
	}}
	t.copied, t.foreign, t.version = r.ForkedFrom.SessionID != "", r.SessionID != "" && r.SessionID != session, r.Version
	if r.PermissionMode == "plan" { // the others say what the agent may do unasked
		t.Mode = r.PermissionMode
	}
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
		t.text.WriteString(text[len(said)-t.from:])
		return
	}
	if t.text.Len() > 0 {
		t.text.WriteString("\n\n")
	}
	t.message, t.from = message, t.text.Len()
	t.text.WriteString(text)
}

// reply is what the agent says, after which nothing is amiss with the turn.
func (t *turn) reply(text, message string) {
	t.say(text, message)
	if strings.TrimSpace(text) != "" && t.Status != sources.Cancelled {
		t.Status, t.Error = sources.Complete, ""
	}
}

// failed takes in an error, after which an answer may still come.
func (t *turn) failed(text string) {
	if t.Status != sources.Cancelled {
		t.Status, t.Error = sources.Failed, strings.TrimSpace(text)
	}
}

// by takes in which model answers.
func (t *turn) by(model string) {
	if model == "" {
		return
	}
	t.Model = model[strings.LastIndexByte(model, '/')+1:]
	if n := len(t.models); n == 0 || t.models[n-1] != t.Model {
		t.models = append(t.models, t.Model)
	}
}

// notices tells whether the model only takes notice of what the user ran, in a line right
// behind that: since 2.1 it says a word, which is no answer to the prompt.
func (t *turn) notices(r *lines.Record) bool {
	return t.shell != "" && t.shell == r.ParentUUID && strings.TrimSpace(r.Message.Content.String()) == "Done." && !r.Message.Content.Has("tool_use")
}

var imageSource = regexp.MustCompile(`^\[Image(?: #\d+)?: source: (.+)\]$`)

// pictured names the picture of a prompt by its file.
func (t *turn) pictured(text string) {
	m := imageSource.FindStringSubmatch(text)
	i := slices.IndexFunc(t.Attachments, func(a sources.Attachment) bool { return strings.HasPrefix(a.Name, "Image #") })
	if m != nil && i >= 0 {
		t.Attachments[i].Name = m[1]
	}
}

// isBare tells that nothing followed a prompt.
func (t *turn) isBare() bool {
	return t.text.Len() == 0 && len(t.Tools) == 0 && t.Status == sources.Pending
}

// end says how a turn ended. Where the agent was at work, the answer comes with the next
// prompt, which joined it on the way; else none ever will.
func (t *turn) end(human, newest bool) {
	if t.auto && human {
		t.User = "" // nobody said it
	}
	if t.Status == sources.Pending && !newest {
		t.Status = sources.Cancelled
		if len(t.Tools) > 0 {
			t.Status = sources.Complete
		}
	}
}

// spent are the tokens of each message of the model.
type spent map[string]sources.Tokens

// add adds what a message used; its lines repeat it. Versions to 2.1.45 give on some of them
// what stood at the start, so that the largest counts.
func (s spent) add(t *turn, m *lines.Message) {
	u := m.Usage
	if u == nil || m.ID == "" {
		return
	}
	const most = 1 << 40 // more is no number of tokens
	in := min(max(u.Input, 0), most) + min(max(u.CacheWrite, 0), most) + min(max(u.CacheRead, 0), most)
	was := s[m.ID]
	now := sources.Tokens{In: max(was.In, int64(in)), Out: max(was.Out, int64(min(u.Output, most)))}
	if now == was {
		return
	}
	if s[m.ID] = now; t.Tokens == nil {
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
