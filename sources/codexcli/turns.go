package codexcli

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// text is what was said in the open turn so far.
type text struct {
	pieces []piece
	closed bool // no turn is open: the last one was taken back, or none was begun
}

// piece is a message of the agent. It reports on its work in some, and answers in the last
// one that is final.
type piece struct {
	text  string
	final bool
}

// turn returns the open turn, nil where there is none.
func (p *parser) turn() *sources.Turn {
	if n := len(p.session.Turns); n > 0 && !p.closed {
		return &p.session.Turns[n-1]
	}
	return nil
}

// openTurn begins a turn with what the person typed.
func (p *parser) openTurn(typed string) *sources.Turn {
	p.tellReview()
	if t := p.turn(); t != nil && t.Status == sources.Pending {
		// It got no answer. Where the agent was at work, the answer comes with the next turn.
		t.Status = sources.Cancelled
		if len(t.Tools)+len(p.pieces) > 0 {
			t.Status = sources.Complete
		}
	}
	p.flush()
	s := p.session
	p.closed = false
	p.marks = append(p.marks, mark{len(p.plans), len(s.Checkpoints), len(s.Delegated), len(s.Artifacts), len(s.Files), len(s.Refs), len(s.Actions), p.goal})
	s.Turns = append(s.Turns, sources.Turn{
		Index: len(s.Turns), ID: p.turnID(typed), At: p.now, User: typed, Model: p.model, Mode: p.mode, Status: sources.Pending, Inherited: p.copying,
	})
	return p.turn()
}

// turnID is by what a turn is known: the thread in which it was typed, its text, and how often
// that was typed before. Ids of Codex are not taken, for its migration of older rollouts makes
// new ones (seen with 0.169 in files of 0.55 and 0.128) and keeps order and texts.
func (p *parser) turnID(typed string) string {
	thread := p.thread
	if p.copying {
		thread = p.origin
	}
	return promptID(thread, typed, p.repeats)
}

// promptID is the id of a prompt, of which some were met before.
func promptID(thread, typed string, repeats map[string]int) string {
	key := files.Hash(thread, typed)
	n := repeats[key]
	repeats[key]++
	return files.Hash("prompt", thread, typed, strconv.Itoa(n))
}

// worked returns the turn in which the agent is at work. Without a prompt of its own, as for
// a goal or a review, it is begun by the work.
func (p *parser) worked() *sources.Turn {
	t := p.turn()
	if t == nil {
		t = p.openTurn("")
	}
	if p.now.After(t.End) {
		t.End = p.now
	}
	return t
}

// say adds visible text to the open turn. In 0.128 and later the agent tells reports on its
// work from answers; versions before do not, and neither do some models.
func (p *parser) say(text, phase string) {
	text = strings.TrimRight(strings.TrimLeft(text, "\r\n"), " \t\r\n")
	if text == "" || text == compactionDone {
		return
	}
	t := p.worked()
	p.unsaid = ""
	p.pieces = append(p.pieces, piece{text, phase == "final_answer"})
	if phase != "commentary" && t.Status != sources.Cancelled {
		t.Status, t.Error = sources.Complete, ""
	}
}

// compactionDone is what versions of 2025 said after a compaction: no answer.
const compactionDone = "Compact task completed"

// flush writes what was said into the open turn: paragraphs apart, and the final answer last.
func (p *parser) flush() {
	t := p.turn()
	if t == nil || p.pieces == nil {
		return
	}
	last := len(p.pieces) - 1
	final := last
	for i, piece := range p.pieces {
		if piece.final {
			final = i
		}
	}
	if p.pieces[final].final && final < last { // it reported on after it answered
		answer := p.pieces[final]
		p.pieces = append(slices.Delete(p.pieces, final, final+1), answer)
		for i := range t.Tools {
			if t.Tools[i].After > final {
				t.Tools[i].After--
			}
		}
	}
	var b strings.Builder
	ends := []int{0} // of the text before each piece
	for i, piece := range p.pieces {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(piece.text)
		ends = append(ends, b.Len())
	}
	t.Assistant = b.String()
	for i := range t.Tools {
		t.Tools[i].After = ends[min(t.Tools[i].After, len(ends)-1)]
	}
	p.pieces = nil
}

func (p *parser) taskStarted(r *record) {
	p.tellReview()
	p.task = r.Payload.TurnID
	p.stillCopied(p.task)
	if t := p.turn(); t != nil { // what comes without a prompt is of no turn before
		if t.Status == sources.Pending { // its process was killed
			t.Status = sources.Cancelled
		}
		p.flush()
		p.closed = true
	}
}

// taskComplete ends the turn. Where nothing else told what was said last, it does.
func (p *parser) taskComplete(r *record) {
	t := p.turn()
	if t == nil {
		return
	}
	p.tellReview()
	if len(p.pieces) == 0 {
		p.say(r.Payload.Last, "")
	}
	if t.Status == sources.Pending && len(t.Tools)+len(p.pieces) > 0 {
		t.Status = sources.Complete
	}
}

// aborted marks the open turn as cancelled: its user interrupted it, or typed the next
// prompt.
func (p *parser) aborted(r *record) {
	if t := p.turn(); t != nil && r.Payload.Reason != "review_ended" {
		t.Status, t.Error = sources.Cancelled, ""
	}
}

// failed marks the open turn as failed until an answer comes.
func (p *parser) failed(r *record) {
	if t := p.turn(); t != nil && t.Status != sources.Cancelled {
		t.Status, t.Error = sources.Failed, strings.TrimSpace(r.Payload.Message)
	}
}

// rollBack takes back the last prompts and all that came of them (seen in files of 0.128,
// which only append).
func (p *parser) rollBack(n int) {
	s := p.session
	at := len(s.Turns)
	for at > 0 && n > 0 {
		if at--; s.Turns[at].User != "" || len(s.Turns[at].Attachments) > 0 {
			n--
		}
	}
	if at == len(s.Turns) {
		return
	}
	p.flush()
	p.takeBack(&parser{session: &sources.Session{Turns: s.Turns[at:]}})
	for _, t := range s.Turns[at:] {
		p.repeats[files.Hash(p.thread, t.User)]--
	}
	m := p.marks[at]
	s.Turns, p.marks, p.closed = s.Turns[:at:at], p.marks[:at], true
	p.plans, s.Checkpoints, s.Delegated, s.Artifacts = p.plans[:m.plans], s.Checkpoints[:m.checkpoints], s.Delegated[:m.delegated], s.Artifacts[:m.artifacts]
	p.goal = m.goal
	s.Files = cut(s.Files, m.files, func(f sources.FileTouch) bool { return f.Turn >= at })
	s.Refs = cut(s.Refs, m.refs, func(r sources.Ref) bool { return r.Turn >= at })
	s.Actions = cut(s.Actions, m.actions, func(a sources.Action) bool { return a.Turn >= at })
	for len(p.opened) > 0 && p.opened[len(p.opened)-1].turn >= at {
		*p.opened[len(p.opened)-1] = call{turn: -1, tool: -1, told: true}
		p.opened = p.opened[:len(p.opened)-1]
	}
}

// cut takes out of a list, from a place on, what is dead.
func cut[T any](list []T, from int, dead func(T) bool) []T {
	return append(list[:from], slices.DeleteFunc(list[from:], dead)...)
}

// used takes in the tokens of one answer. counted is the older way: the sum of the thread,
// told again and again, with what the last answer used.
func (p *parser) used(r *record) {
	t, u := p.turn(), r.Payload.Usage
	if t == nil || u == nil {
		return
	}
	if p.recorded != t.Index {
		p.recorded, t.Tokens = t.Index, nil
	}
	addTokens(t, *u)
}

func (p *parser) counted(r *record) {
	if t := p.turn(); t != nil && p.recorded != t.Index && !p.passedCount {
		addTokens(t, r.Payload.Info.Last)
	}
	p.passedCount = false
}

func addTokens(t *sources.Turn, u usage) {
	if u.In <= 0 && u.Out <= 0 {
		return
	}
	if t.Tokens == nil {
		t.Tokens = &sources.Tokens{}
	}
	t.Tokens.In += int64(max(u.In, 0))
	t.Tokens.Out += int64(max(u.Out, 0))
}

// todos are the steps of a plan.
func (l plan) todos() []sources.Todo {
	var all []words.Todo
	for _, s := range l.steps {
		all = append(all, words.Todo{Title: s.Step, Status: s.Status})
	}
	out := words.Todos(all, l.at)
	for i := range out {
		out[i].Origin = "plan"
	}
	return out
}

// act notes what the user did beside prompts.
func (p *parser) act(kind, text string, at time.Time) {
	p.session.Actions = append(p.session.Actions, sources.Action{Kind: kind, Text: text, Turn: len(p.session.Turns) - 1, At: at})
}
