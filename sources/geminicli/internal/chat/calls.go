package chat

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// edge is how many bytes at each end of an output are kept that names nothing.
const edge = 1 << 10

// keep takes the result of a call apart, and leaves what is kept of it.
func (c *call) keep() {
	var gave, failed string
	for _, p := range c.Result.all() {
		if p.Gave != nil {
			gave, failed = gave+string(p.Gave.Response.Output), failed+string(p.Gave.Response.Error)
		}
		gave += p.Text
	}
	use := tools.About(c.Name, "", c.args())
	r := builder.Result{At: c.At.Time, Created: c.Display.IsNewFile}
	switch c.Status {
	case "success":
		r.OK = new(true)
	case "error", "cancelled":
		r.OK = new(false)
	}
	r.Refused = c.Status == "cancelled" && (strings.Contains(failed, "User denied execution") || strings.Contains(failed, "did not allow"))
	switch use.Does {
	case tools.Runs: // the program takes any code for a success, and says it of failures only
		out := tools.Unwrap(gave)
		if r.Exit, r.Running = out.Exit, out.Running; r.Exit == nil && c.Status == "success" && gave != "" && !out.Running {
			r.Exit = new(0)
		}
		if len(gave) > 2*edge && !strings.Contains(use.Command, "git") && !strings.Contains(use.Command, "gh ") {
			gave = gave[:edge] + "\n" + gave[len(gave)-edge:]
		}
		r.Text = gave
	case tools.Edits, tools.Creates:
		if path := cmp.Or(string(c.Display.FilePath), c.args().Name()); path != "" {
			r.Files = []tools.File{{Path: path, Kind: sources.Edited}}
		}
	case tools.Asks:
		r.Text, r.Answers = gave, answersIn(gave, c.args())
	case tools.Polls:
		r.Text = gave
	}
	if c.AgentID != "" || use.Does == tools.Delegates {
		_, said, _ := strings.Cut(gave, "\nResult:\n")
		r.Worker = &builder.Worker{ID: cmp.Or(c.AgentID, c.ID), Name: c.args().AgentName, Answer: strings.TrimSpace(cmp.Or(string(c.Display.Result), said, failed))}
	}
	c.result = r
	c.Result, c.Display.Text, c.Display.Result, c.Display.Lines = content{}, "", "", nil
}

func (c *call) args() *tools.Arguments { return cmp.Or(c.Args, &tools.Arguments{}) }

// answersIn reads the answers to the questions of a call, by their numbers.
func answersIn(gave string, args *tools.Arguments) (all []builder.Reply) {
	var given struct {
		Answers decode.Table[string] `json:"answers"`
	}
	if decode.Text(gave, &given) != nil {
		return nil
	}
	questions := args.Asked()
	for number, answer := range given.Answers.All() {
		if n, ok := decode.Number(number); ok && n >= 0 && int(n) < len(questions) {
			all = append(all, builder.Reply{Question: questions[n].Words(), Answer: answer})
		}
	}
	return all
}

// tell adds a call to the turn at work.
func (c *call) tell(b *builder.Builder) {
	b.At(c.At.Time)
	called := b.Work().Call(builder.Call{Name: cmp.Or(c.Name, "tool"), Args: c.Args, Detail: string(c.Display.FilePath)})
	if c.Status == "success" || c.Status == "error" || c.Status == "cancelled" {
		called.End(c.result)
	}
}
