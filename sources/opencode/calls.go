package opencode

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// call takes in a call of a tool. A command that the user ran is no work of the agent.
func (p *parser) call(x *part) {
	t, st, args := p.b.Turn(), &x.State, cmp.Or(x.State.Input, &tools.Arguments{})
	call := builder.Call{Name: cmp.Or(x.Tool, x.Name), Args: args, At: st.Time.Start.Time}
	if t == nil {
		if p.cur.kind() == "assistant" && p.sum == nil && tools.About(call.Name, "", args).Kind == sources.ToolRun {
			p.act(args.Command.Line())
		}
		return
	}
	call.ID = p.cur.ID + "/" + strconv.Itoa(t.Calls()) // those of providers come again
	if call.Name == "plan_exit" {
		args.Plan.Text, call.Detail = p.plan.Text, builder.TitleOf(p.plan.Text)
	}
	c := t.Call(call)
	if w := c.Worker(); w != nil {
		w.ID, w.Name = cmp.Or(st.Metadata.SessionID, w.ID), agentTitle(args.Description, args.AgentName)
	}
	if st.Status == "completed" || st.Status == "error" {
		c.End(p.result(c, st))
	}
}

func (p *parser) result(c *builder.Called, st *state) builder.Result {
	r := builder.Result{OK: new(st.Status == "completed"), Text: cmp.Or(st.gave(), st.Error.String()), At: cmp.Or(st.Time.End.Time, p.cur.Time.Created.Time)}
	r.Words, r.Refused = tools.Refused(st.Error.String())
	switch c.Does() {
	case tools.Runs:
		if code := st.Metadata.Exit; code != nil && *code == decode.Whole(int32(*code)) {
			r.Exit = new(int(*code))
		} else if strings.Contains(r.Text, "metadata>") && tools.Unwrap(r.Text).Running { // it was stopped
			r.OK = new(false)
		}
	case tools.Edits, tools.Creates, tools.Deletes:
		r.Files, r.Created = st.files(), st.Metadata.Exists != nil && !*st.Metadata.Exists
		if *r.OK {
			p.wrote(c)
		}
	case tools.Delegates:
		r.Text = tools.Tagged(r.Text, "task_result")
	case tools.Asks:
		for i, q := range c.Args().Asked() {
			said := tools.Answered(r.Text, q.Words())
			if all := st.Metadata.Answers; i < len(all) {
				said = cmp.Or(all[i].Text, strings.Join(all[i].All, ", "))
			}
			r.Answers = append(r.Answers, builder.Reply{Question: q.Words(), Answer: said})
		}
	}
	return r
}

// files are those that a patch changed, as its result has them; nil: it has none.
func (st *state) files() (all []tools.File) {
	for _, f := range st.Metadata.Files {
		if f.Move != "" {
			all = append(all, tools.File{Path: f.Path, Kind: sources.Deleted}, tools.File{Path: f.Move, Kind: sources.Renamed})
		} else if f.Path != "" {
			all = append(all, tools.File{Path: f.Path, Kind: tools.ChangeKind(f.Type)})
		}
	}
	return all
}

// wrote takes in that the agent wrote its plan, or edited it.
func (p *parser) wrote(c *builder.Called) {
	args := c.Args()
	if !strings.Contains(strings.ReplaceAll(args.Path, `\`, "/"), "opencode/plans/") || p.back {
		return
	}
	text := cmp.Or(string(args.Content), strings.Replace(p.plan.Text, string(args.OldString), string(args.NewString), 1))
	if strings.TrimSpace(text) != "" && text != p.plan.Text {
		p.plan = sources.Artifact{Kind: sources.Plan, Name: "plan.md", At: p.cur.Time.Created.Time, Text: text}
		p.planned = !c.Turn().Inherited
	}
}

func (p *parser) keepPlan() {
	if p.planned {
		p.b.Artifact(p.plan)
	}
	p.planned = false
}

// patched takes in the files that a request changed in whatever way, a command among them.
func (p *parser) patched(list []string) {
	for t, i := p.b.Turn(), 0; t != nil && i < len(list); i++ {
		kind := ""
		for rest, ok := strings.ReplaceAll(list[i], `\`, "/"), true; ok && kind == ""; _, rest, ok = strings.Cut(rest, "/") {
			kind = p.changes[rest] // the prompt names it from the root of the work tree on
		}
		t.Touch(list[i], cmp.Or(kind, sources.Edited), "")
	}
}

func absolute(folder, file string) string {
	if folder == "" || file == "" || path.IsAbs(file) || strings.Contains(file, ":") {
		return file
	}
	return path.Join(folder, file)
}

// agentTitle returns what a sub-agent is called: by what it was asked to do, and its kind, which may
// stand behind it already: "Count words (@general subagent)".
func agentTitle(title, kind string) string {
	if i := strings.LastIndex(title, " (@"); i >= 0 && strings.HasSuffix(title, " subagent)") {
		title = title[:i]
	}
	switch title = strings.TrimSpace(title); {
	case title == "" || hasNoName(title):
		return kind
	case kind == "":
		return title
	}
	return title + " (" + kind + ")"
}
