package builder

import (
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// Turn is a turn that is being built. The reader sets mode, agent, citations in [sources.Turn]; text
// and calls are the builder's.
type Turn struct {
	sources.Turn
	b      *Builder
	before *Turn // the newest turn at its beginning
	pieces []piece
	noted  int            // pieces before notes of the program
	called int            // calls before them
	said   map[block]bool // blocks of messages, which may be repeated
	calls  []*Called
	models []string
	files  []sources.FileTouch // not touched by a call

	key      string // see [Prompt]
	dead     bool   // it was taken back
	program  bool   // a program typed it
	command  bool   // it is a command of the agent
	joined   bool   // another prompt joined it on the way
	bare     bool   // it has no prompt
	inserted bool
	place    int // among all turns of the session, from 1, once finished
}

type block struct{ message, text string }

type piece struct {
	text    string
	more    []byte // continues text
	message string // message of the model with this piece
	final   bool
}

func (p piece) size() int { return len(p.text) + len(p.more) }

func (p piece) String() string { return p.text + string(p.more) }

// Phase is a kind of words of the agent.
type Phase int

// The phases.
const (
	Answer Phase = iota // an answer, as far as known
	Report              // about work that goes on: not an answer
	Final               // the final answer
)

// Say adds words of the agent, paragraphs apart. An answer completes the turn.
func (t *Turn) Say(text string, phase Phase) { t.SayIn("", text, phase) }

// SayIn is Say for a block of a message with an id. A text that extends the last one replaces it; a
// repeated one is ignored.
func (t *Turn) SayIn(message, text string, phase Phase) {
	text = strings.TrimLeft(strings.TrimRight(withoutThought(text), " \t\r\n"), "\r\n")
	if strings.TrimSpace(text) == "" {
		return
	}
	t.b.follow(message)
	if phase != Report && t.Status != sources.Cancelled {
		t.Status, t.Error = sources.Complete, ""
	}
	if message != "" {
		key := block{message, text}
		if t.said[key] {
			return
		}
		t.said[key] = true
		if n := len(t.pieces); n > 0 && t.pieces[n-1].message == message && strings.HasPrefix(text, t.pieces[n-1].String()) {
			t.pieces[n-1] = piece{text: text, message: message, final: phase == Final}
			return
		}
	}
	t.pieces = append(t.pieces, piece{text: text, message: message, final: phase == Final})
}

// withoutThought cuts off the reasoning that some models write before an answer.
func withoutThought(text string) string {
	if rest, ok := strings.CutPrefix(strings.TrimSpace(text), "<think>"); ok {
		if _, answer, closed := strings.Cut(rest, "</think>"); closed {
			return answer
		}
	}
	return text
}

// Flow adds words that continue the last ones without a break: a chunk of an answer.
func (t *Turn) Flow(text string) {
	if n := len(t.pieces); n > 0 {
		t.b.follow("")
		t.pieces[n-1].more = append(t.pieces[n-1].more, text...)
	} else if strings.TrimSpace(text) != "" {
		t.Page(strings.TrimLeft(text, "\r\n"))
		t.Complete()
	}
}

// Page adds words as they are.
func (t *Turn) Page(text string) {
	if text != "" {
		t.pieces = append(t.pieces, piece{text: text})
	}
	if strings.TrimSpace(text) != "" {
		t.b.follow("")
	}
}

// Said reports whether the agent said anything.
func (t *Turn) Said() bool { return len(t.pieces) > 0 }

// placed returns its place, or 0 for nil.
func (t *Turn) placed() int {
	if t == nil {
		return 0
	}
	return t.place
}

// Worked reports whether the agent said or called anything.
func (t *Turn) Worked() bool { return len(t.pieces)+len(t.calls) > 0 }

// Calls returns the number of tool calls.
func (t *Turn) Calls() int { return len(t.calls) }

// Fail records an error. An answer may still follow.
func (t *Turn) Fail(message string) {
	if t.Status != sources.Cancelled {
		t.Status, t.Error = sources.Failed, strings.TrimSpace(message)
	}
}

// Cancel records that a person stopped the agent.
func (t *Turn) Cancel() {
	t.b.follow("")
	t.Status, t.Error = sources.Cancelled, ""
}

// Complete records that the agent was done, unless something worse is known.
func (t *Turn) Complete() {
	if t.Status == sources.Pending {
		t.Status = sources.Complete
	}
}

// Note records a note of the program, such as about a background task. Words that reply to it are not an
// answer, unless the agent went on to call tools.
func (t *Turn) Note() {
	if t.noted == 0 || t.calledSince() {
		t.noted, t.called = len(t.pieces), len(t.calls)
	}
}

func (t *Turn) calledSince() bool { return len(t.calls) > t.called }

// Seen records that something happened in the turn.
func (t *Turn) Seen(at time.Time) {
	if at.After(t.End) {
		t.End = at
	}
}

// By records the working model, with or without its vendor.
func (t *Turn) By(model string) {
	if model = model[strings.LastIndexByte(model, '/')+1:]; model == "" {
		return
	}
	t.Model = model
	if n := len(t.models); n == 0 || t.models[n-1] != model {
		t.models = append(t.models, model)
	}
}

// Use adds the tokens of an answer.
func (t *Turn) Use(in, out int64) {
	const most = 1 << 40 // more cannot be a number of tokens
	if in, out = min(max(in, 0), most), min(max(out, 0), most); in+out == 0 {
		return
	}
	if t.Tokens == nil {
		t.Tokens = &sources.Tokens{}
	}
	t.Tokens.In, t.Tokens.Out = t.Tokens.In+in, t.Tokens.Out+out
}

// UseIn is Use for a message of the model with an id. Its records repeat the usage, some with the usage at
// its start: the largest numbers count.
func (t *Turn) UseIn(message string, in, out int64) {
	was := t.b.spent[message]
	in, out = max(in, was.In), max(out, was.Out)
	t.b.spent[message] = sources.Tokens{In: in, Out: out}
	t.Use(in-was.In, out-was.Out)
}

// Touch records what was done to a file outside recorded calls.
func (t *Turn) Touch(path, kind, tool string) {
	if path = t.b.PathOf(path); path != "" && kind != "" {
		t.files = append(t.files, sources.FileTouch{Path: path, Kind: kind, Tool: tool, At: t.b.now})
	}
}

// Judge records a person's verdict on the changes of a file in the turn.
func (t *Turn) Judge(path string, v sources.Verdict) {
	if path = t.b.PathOf(path); path != "" && v != "" {
		t.files = append(t.files, sources.FileTouch{Path: path, At: t.b.now, Verdict: v})
	}
}

// text joins what was said, the final answer last, and returns where each piece begins.
func (t *Turn) text() (text string, order []int, starts []int) {
	final := -1
	for i, p := range t.pieces {
		order = append(order, i)
		if p.final {
			final = i
		}
	}
	if final >= 0 {
		order = append(slices.Delete(order, final, final+1), final)
	}
	starts = make([]int, len(t.pieces))
	var b strings.Builder
	for _, i := range order {
		if b.Len() > 0 && t.pieces[i].size() > 0 {
			b.WriteString("\n\n")
		}
		starts[i] = b.Len()
		b.WriteString(t.pieces[i].text)
		b.Write(t.pieces[i].more)
	}
	return b.String(), order, starts
}

// end sets how the turn ended. If the agent was still working, its answer comes with the next prompt, which
// joined; otherwise there is none.
func (t *Turn) end(newest bool) {
	if t.Status != sources.Pending || newest {
		return
	}
	t.Status = sources.Cancelled
	if t.Worked() || t.joined {
		t.Status = sources.Complete
	}
}
