package chat

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// edge is how many bytes at each end of an output are kept that names nothing.
const edge = 1 << 10

// keep takes the result of a call apart, and leaves what is kept of it.
func (c *call) keep() {
	var gave, failed string
	for _, p := range c.Result {
		if gave += p.Text; p.Gave != nil {
			gave, failed = gave+string(p.Gave.Response.Output), failed+string(p.Gave.Response.Error)
		}
	}
	c.Args = cmp.Or(c.Args, &tools.Arguments{})
	r := builder.Result{At: c.At.Time, Created: c.Display.IsNewFile}
	if c.ended() {
		r.OK = new(c.Status == "success")
	}
	_, r.Refused = tools.Refused(failed)
	switch use := tools.About(c.Name, "", c.Args); use.Does {
	case tools.Runs: // the program takes any code for a success, and says it of failures only
		r.Zero = c.Status == "success" && gave != ""
		if len(gave) > 2*edge && !strings.Contains(use.Command, "git") && !strings.Contains(use.Command, "gh ") {
			gave = gave[:edge] + "\n" + gave[len(gave)-edge:]
		}
		r.Text = gave
	case tools.Polls:
		r.Text = gave
	case tools.Asks:
		answers, declined := tools.Replies(gave, c.Args.Asked())
		r.Refused = r.Refused || declined
		for i, answer := range answers {
			r.Answers = append(r.Answers, builder.Reply{Question: c.Args.Asked()[i].Words(), Answer: answer})
		}
	case tools.Plans:
		if tools.IsPlanRefused(gave) {
			r.Refused, r.Words = true, tools.Feedback(gave)
		}
	case tools.Delegates:
		_, said, _ := strings.Cut(gave, "\nResult:\n")
		r.Worker = &builder.Worker{ID: cmp.Or(c.AgentID, c.ID), Name: c.Args.AgentName, Answer: strings.TrimSpace(cmp.Or(string(c.Display.Result), said, failed))}
	}
	r.Text = cmp.Or(r.Text, failed)
	c.result = r
	c.Result, c.Display = nil, display{FilePath: c.Display.FilePath}
}

func (c *call) ended() bool {
	return c.Status == "success" || c.Status == "error" || c.Status == "cancelled"
}

func (c *call) tell(b *builder.Builder) {
	b.At(c.At.Time)
	call := builder.Call{Name: cmp.Or(c.Name, "tool"), Args: c.Args}
	if path := string(c.Display.FilePath); path != "" { // an edit
		call.Detail, call.Files = path, []tools.File{{Path: path, Kind: sources.Edited}}
	}
	if called := b.Work().Call(call); c.ended() {
		called.End(c.result)
	}
}
