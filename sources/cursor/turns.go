package cursor

import (
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// newBuilder returns a builder that writes paths as the editor does.
func newBuilder() *builder.Builder {
	b := builder.New()
	b.PathOf = editor.FileOf
	return b
}

// begin begins a turn. A time that runs backwards tells nothing.
func begin(b *builder.Builder, id, text string, at time.Time) *builder.Turn {
	if !at.IsZero() && at.Before(b.Now()) {
		at = time.Time{}
	}
	b.At(at)
	t := b.Prompt(builder.Prompt{ID: id, Text: text})
	t.At = at
	return t
}

// work is the turn under way at a time, zero where nobody knows it: of a prompt without one it is
// the nearest one.
func work(b *builder.Builder, at time.Time) *builder.Turn {
	b.At(at)
	t := b.Work()
	if t.At.IsZero() {
		t.At = at
	}
	return t
}

// say adds a paragraph to the answer. Nothing tells whether more of it was to come.
func say(t *builder.Turn, text string) { t.Say(text, builder.Answer) }

// finish completes a session, whose last turn the agent or its user may have stopped. That nobody
// typed a prompt tells nothing here.
func finish(b *builder.Builder, status string) *sources.Session {
	if all := b.Turns(); len(all) > 0 {
		stop(all[len(all)-1], status)
	}
	s := b.Finish()
	s.Class = ""
	return s
}

// stop takes in how a turn ended.
func stop(t *builder.Turn, status string) {
	switch told := statusOf(status); {
	case told == sources.Cancelled:
		t.Cancel()
	case told == sources.Failed:
		t.Fail("")
	case told == sources.Complete && t.Worked():
		t.Status = told
	}
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

// toolCall is a call of a tool in a bubble. The arguments are what the model wrote, the parameters
// what Cursor made of it.
type toolCall struct {
	Name      loose           `json:"name"`
	Status    loose           `json:"status"`
	Decision  loose           `json:"userDecision"`
	Arguments tools.Arguments `json:"rawArgs"`
	Params    tools.Arguments `json:"params"`
	Result    inText[outcome] `json:"result"`
	More      struct {
		Status loose `json:"status"`
	} `json:"additionalData"`
}

// outcome is what a command gave.
type outcome struct {
	Output   string `json:"output"`
	Exit     *int64 `json:"exitCode"`
	Rejected bool   `json:"rejected"`
}

// take adds the call to a turn, with what came of it. No single member says whether it succeeded.
func (c *toolCall) take(t *builder.Turn) {
	made := tools.About(string(c.Name), "", &c.Params)
	call := t.Call(builder.Call{Name: string(c.Name), Args: &c.Arguments, Command: made.Command, Files: made.Files, Detail: made.Detail})
	t.Complete()
	out, r := c.Result.V, builder.Result{Text: c.Result.V.Output, Told: isAsk(call)}
	done, failed := true, false
	switch status := statusOf(string(c.Status)); {
	case out.Rejected, c.More.Status == "rejected", c.Decision == "rejected", c.Status == "rejected", status == sources.Cancelled:
		r.OK, r.Refused, r.Verdict = &failed, true, sources.Rejected
	case status == sources.Failed, c.More.Status == "error", out.Exit != nil && *out.Exit != 0:
		r.OK = &failed
	case status == sources.Complete:
		r.OK = &done
	}
	if c.Decision == "accepted" {
		r.Verdict = sources.Accepted
	}
	if out.Exit != nil {
		exit := int(*out.Exit)
		r.Exit = &exit
	}
	call.End(r)
}

// isAsk tells a call whose success says nothing of what the person answered.
func isAsk(c *builder.Called) bool { return c.Does() == tools.Asks || c.Does() == tools.Plans }
