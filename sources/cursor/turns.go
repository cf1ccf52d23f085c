package cursor

import (
	"slices"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// statuses are what words say of how a turn or a call ended; others say nothing.
var statuses = map[decode.Loose]sources.Status{
	"completed": sources.Complete, "success": sources.Complete,
	"aborted": sources.Cancelled, "cancelled": sources.Cancelled, "canceled": sources.Cancelled,
	"error": sources.Failed, "failed": sources.Failed,
}

// stop takes in how a turn ended.
func stop(t *builder.Turn, status decode.Loose) {
	switch told := statuses[status]; {
	case told == sources.Cancelled:
		t.Cancel()
	case told == sources.Failed:
		t.Fail("")
	case told == sources.Complete && t.Worked():
		t.Status = told
	}
}

// toolCall is a call of a tool in a bubble. The arguments are what the model wrote, the parameters what Cursor made of it.
type toolCall struct {
	Name      decode.Loose    `json:"name"`
	Status    decode.Loose    `json:"status"`
	Decision  decode.Loose    `json:"userDecision"`
	Arguments tools.Arguments `json:"rawArgs"`
	Params    tools.Arguments `json:"params"`
	Result    outcome         `json:"result"`
	More      struct {
		Status decode.Loose `json:"status"`
	} `json:"additionalData"`
}

// outcome is what a command gave: an object, or the text of one. What is zero in it may be left out.
type outcome struct {
	Text     string       `as:"text"`
	Output   decode.Loose `json:"output"`
	Exit     *int64       `json:"exitCode"`
	Rejected bool         `json:"rejected"`
	Finished bool         `json:"notInterrupted"`
	Running  bool         `json:"isRunningInBackground"`
}

// take adds the call to a turn, with what came of it. No single member says whether it succeeded.
func (c *toolCall) take(t *builder.Turn) {
	made := tools.About(string(c.Name), "", &c.Params)
	call := t.Call(builder.Call{Name: string(c.Name), Args: &c.Arguments, Command: made.Command, Files: made.Files, Detail: made.Detail})
	t.Complete()
	out := c.Result
	if out.Text != "" && decode.Text(out.Text, &out) != nil {
		out = outcome{} // another tool's
	}
	r := builder.Result{Text: string(out.Output), Told: isAsk(call), Running: out.Running}
	switch status := statuses[c.Status]; {
	case out.Rejected, slices.Contains([]decode.Loose{c.More.Status, c.Decision, c.Status}, "rejected"), status == sources.Cancelled:
		r.OK, r.Refused, r.Verdict = new(false), true, sources.Rejected
	case status == sources.Failed, c.More.Status == "error", out.Exit != nil && *out.Exit != 0:
		r.OK = new(false)
	case status == sources.Complete:
		r.OK, r.Zero = new(true), out.Finished
	}
	if c.Decision == "accepted" {
		r.Verdict = sources.Accepted
	}
	if out.Exit != nil {
		r.Exit = new(int(*out.Exit))
	}
	call.End(r)
}

// isAsk tells a call whose success says nothing of what the person answered.
func isAsk(c *builder.Called) bool { return c.Does() == tools.Asks || c.Does() == tools.Plans }
