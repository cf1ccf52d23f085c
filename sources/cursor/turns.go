package cursor

import (
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// writer makes the turns of a session, in order.
type writer struct {
	session *sources.Session
	answer  []byte // of the newest turn
	closed  bool   // what follows is no part of it
}

func newWriter() *writer { return &writer{session: &sources.Session{}} }

// prompt begins a turn. A time that runs backwards tells nothing.
func (w *writer) prompt(text string, at time.Time) *sources.Turn {
	w.flush()
	if n := len(w.session.Turns); n > 0 && at.Before(w.session.Turns[n-1].At) {
		at = time.Time{}
	}
	w.session.Turns = append(w.session.Turns, sources.Turn{Index: len(w.session.Turns), User: text, At: at})
	w.closed = false
	return w.turn()
}

// turn is the turn under way. An answer whose prompt is not there has one of its own.
func (w *writer) turn() *sources.Turn {
	if n := len(w.session.Turns); n > 0 && !w.closed {
		return &w.session.Turns[n-1]
	}
	return w.prompt("", time.Time{})
}

// flush ends the text of the newest turn.
func (w *writer) flush() {
	if n := len(w.session.Turns); n > 0 {
		w.session.Turns[n-1].Assistant = string(w.answer)
	}
	w.answer = nil
}

// say adds a paragraph to the answer.
func (w *writer) say(text string) {
	w.turn()
	if strings.TrimSpace(text) == "" {
		return
	}
	if len(w.answer) > 0 {
		w.answer = append(w.answer, "\n\n"...)
	}
	w.answer = append(w.answer, text...)
}

// clock dates the turn by something that happened in it.
func (w *writer) clock(at time.Time) {
	t := w.turn()
	if at.IsZero() {
		return
	}
	if t.At.IsZero() {
		t.At = at // of a prompt without a time it is the nearest one
	}
	if at.After(t.End) {
		t.End = at
	}
}

// by notes the model of the turn.
func (w *writer) by(model string) {
	if model == "" {
		return
	}
	w.turn().Model = model
	if !slices.Contains(w.session.Models, model) {
		w.session.Models = append(w.session.Models, model)
	}
}

// used adds up the tokens of the turn.
func (w *writer) used(in, out int64) {
	if in <= 0 && out <= 0 {
		return
	}
	t := w.turn()
	if t.Tokens == nil {
		t.Tokens = &sources.Tokens{}
	}
	t.Tokens.In += max(in, 0)
	t.Tokens.Out += max(out, 0)
}

// touch notes what was done to a file, once for each path, kind and turn.
func (w *writer) touch(f sources.FileTouch) {
	f.Turn = w.turn().Index
	w.session.Files = refs.Touch(w.session.Files, f)
}

// end closes the session, whose last turn the agent or its user may have stopped.
func (w *writer) end(status string) *sources.Session {
	w.flush()
	for i := range w.session.Turns {
		if t := &w.session.Turns[i]; t.Status == "" {
			t.Status = sources.Complete
			if t.Assistant == "" && len(t.Tools) == 0 {
				t.Status = sources.Pending
			}
		}
	}
	if n := len(w.session.Turns); n > 0 {
		if told := statusOf(status); told != "" && told != sources.Complete {
			w.session.Turns[n-1].Status = told
		}
	}
	return w.session
}

// statusOf is empty for a word that tells nothing.
func statusOf(word string) sources.Status {
	switch word {
	case "completed", "success":
		return sources.Complete
	case "aborted", "cancelled", "canceled":
		return sources.Cancelled
	case "error", "failed":
		return sources.Failed
	}
	return ""
}

// delegation is the session of a sub-agent as work that was done for another, with the files it
// edited.
func delegation(id, name string, s *sources.Session) *sources.Session {
	d := sources.Delegation{ID: id, Name: words.OneLine(name, titleSize)}
	for _, t := range s.Turns {
		if d.Task == "" {
			d.Task = t.User
		}
		if t.Assistant != "" {
			d.Answer = t.Assistant
		}
		if d.At.IsZero() {
			d.At = t.At
		}
		if t.End.After(d.End) {
			d.End = t.End
		}
		d.Calls += len(t.Tools)
		if t.Tokens != nil {
			if d.Tokens == nil {
				d.Tokens = &sources.Tokens{}
			}
			d.Tokens.In += t.Tokens.In
			d.Tokens.Out += t.Tokens.Out
		}
	}
	out := &sources.Session{Delegated: []sources.Delegation{d}, Damage: s.Damage}
	for _, f := range s.Files {
		if f.Kind != sources.Viewed {
			f.Turn = -1
			out.Files = append(out.Files, f)
		}
	}
	return out
}
