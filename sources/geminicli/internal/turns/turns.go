// Package turns puts what was said and done into the turns of a session, in the order in
// which it comes.
package turns

import (
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// detailSize bounds the one line of a call, in bytes.
const detailSize = 200

// Builder makes the turns of a session.
type Builder struct {
	Session *sources.Session
	Now     time.Time // of what comes next

	open bool
	text strings.Builder // answer of the open turn
}

// Turn is the open turn, nil where there is none.
func (b *Builder) Turn() *sources.Turn {
	if n := len(b.Session.Turns); n > 0 && b.open {
		return &b.Session.Turns[n-1]
	}
	return nil
}

// Open begins a turn with what a person typed. The turn before gets no answer any more.
func (b *Builder) Open(id, text string) *sources.Turn {
	if t := b.Turn(); t != nil && t.Status == sources.Pending {
		t.Status = sources.Cancelled
		if b.text.Len()+len(t.Tools) > 0 {
			t.Status = sources.Complete
		}
	}
	b.Close()
	s := b.Session
	s.Turns = append(s.Turns, sources.Turn{Index: len(s.Turns), ID: id, At: b.Now, User: text, Status: sources.Pending})
	b.open = true
	return b.Turn()
}

// Close ends the open turn: what comes next belongs to none.
func (b *Builder) Close() {
	if t := b.Turn(); t != nil {
		t.Assistant = b.text.String()
	}
	b.text.Reset()
	b.open = false
}

// Break ends an open turn that has its answer: something is lost, maybe the next prompt.
func (b *Builder) Break() {
	if t := b.Turn(); t != nil && t.Status == sources.Complete {
		b.Close()
	}
}

// worked is the turn in which the agent is at work. Without a prompt the work begins one.
func (b *Builder) worked() *sources.Turn {
	t := b.Turn()
	if t == nil {
		t = b.Open("", "")
	}
	if b.Now.After(t.End) {
		t.End = b.Now
	}
	return t
}

// Say adds a text to the answer, paragraphs apart. A text that is final is the answer itself:
// nothing is amiss with the turn after it.
func (b *Builder) Say(text string, final bool) {
	text = strings.TrimLeft(strings.TrimRight(text, " \t\r\n"), "\r\n")
	if text == "" {
		return
	}
	t := b.worked()
	if b.text.Len() > 0 {
		b.text.WriteString("\n\n")
	}
	b.text.WriteString(text)
	if final {
		t.Status, t.Error = sources.Complete, ""
	}
}

// Fail notes an error, where the turn has no answer yet.
func (b *Builder) Fail(text string) {
	if t := b.Turn(); t != nil && t.Status != sources.Complete {
		t.Status, t.Error = sources.Failed, strings.TrimSpace(text)
	}
}

// Cancel notes that the user stopped the agent, where the turn has no answer yet.
func (b *Builder) Cancel() {
	if t := b.Turn(); t != nil && t.Status == sources.Pending {
		t.Status = sources.Cancelled
	}
}

// Call adds a call and gives the turn and the place of it in there.
func (b *Builder) Call(name, kind, detail string) (*sources.Turn, int) {
	t := b.worked()
	detail = words.OneLine(sources.Tilde(detail[:min(len(detail), 16*detailSize)]), detailSize)
	t.Tools = append(t.Tools, sources.Tool{Name: words.OneLine(name, detailSize), Kind: kind, Detail: detail, After: b.text.Len()})
	return t, len(t.Tools) - 1
}

// Touch notes what a call did to a file.
func (b *Builder) Touch(path, kind, tool string) {
	if turn := b.worked().Index; path != "" && kind != "" {
		b.Session.Files = refs.Touch(b.Session.Files, sources.FileTouch{Path: path, Kind: kind, Tool: words.OneLine(tool, detailSize), Turn: turn, At: b.Now})
	}
}

// Refer notes what was found in the output of a command.
func (b *Builder) Refer(found []sources.Ref) {
	for _, ref := range found {
		t := b.worked()
		ref.Turn, ref.At = t.Index, t.At
		b.Session.Refs = refs.Add(b.Session.Refs, ref)
	}
}

// Use adds the tokens of an answer to the turn.
func (b *Builder) Use(in, out int64) {
	const most = 1 << 40 // more is no number of tokens
	if in, out = min(max(in, 0), most), min(max(out, 0), most); in+out == 0 {
		return
	}
	t := b.worked()
	if t.Tokens == nil {
		t.Tokens = &sources.Tokens{}
	}
	t.Tokens.In, t.Tokens.Out = t.Tokens.In+in, t.Tokens.Out+out
}

// By takes in which model is at work.
func (b *Builder) By(model string) {
	if model = model[strings.LastIndexByte(model, '/')+1:]; model == "" {
		return
	}
	b.worked().Model = model
	if !slices.Contains(b.Session.Models, model) {
		b.Session.Models = append(b.Session.Models, model)
	}
}

// kinds are the kinds of tools whose names do not tell them.
var kinds = map[string]string{
	"replace": sources.ToolEdit, "multi_replace_file_content": sources.ToolEdit,
	"google_web_search": sources.ToolWeb, "web_fetch": sources.ToolWeb,
	"invoke_agent": sources.ToolTask, "activate_skill": sources.ToolTask, "complete_task": sources.ToolOther,
	"list_background_processes": sources.ToolRun, "read_background_output": sources.ToolRun,
	"write_todos": sources.ToolPlan, "save_memory": sources.ToolPlan, "update_topic": sources.ToolPlan,
}

// Kind is the kind of a tool.
func Kind(name string) string {
	if strings.HasPrefix(name, "tracker_") {
		return sources.ToolPlan
	}
	if kind := kinds[name]; kind != "" {
		return kind
	}
	return words.ToolKind(name, "", "")
}
