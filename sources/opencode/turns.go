package opencode

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

type prompt struct {
	texts       []string
	attachments []sources.Attachment
	isOurs      bool // opencode requests a summary
	isShell     bool // the user ran a command
}

// attach records a file attached to the prompt, or an unknown attachment.
func (q *prompt) attach(x *part) {
	kind, address := cmp.Or(words.OneLine(x.Type, 64), sources.File), cmp.Or(x.URL, x.URI)
	switch {
	case strings.HasPrefix(x.Mime, "image/"):
		kind = "image"
	case x.Mime == "application/x-directory":
		kind = "directory"
	}
	name := cmp.Or(string(x.Source.Get("path")), x.Filename, x.Name, tools.PlainPath(address), kind)
	q.attachments = append(q.attachments, sources.Attachment{Kind: kind, Name: words.OneLine(name, 200)})
}

// text records typed words, answers or summaries. Texts that opencode adds to a prompt are marked.
func (p *parser) text(x *part) {
	switch t, isPrompt := p.b.Turn(), p.cur.kind() == "user"; {
	case x.Synthetic || x.Ignored:
		p.isShell = p.isShell || strings.HasPrefix(x.Text, "The following tool was executed by the user")
	case isPrompt:
		p.texts = append(p.texts, x.Text)
	case p.sum != nil:
		p.sum.WriteString(x.Text + "\n")
	case t != nil:
		t.SayIn(p.cur.ID, x.Text, builder.Report) // the message says how it ended
	}
}

// asked begins a turn with a prompt. opencode's own requests, and the user's commands, begin none.
func (p *parser) asked() {
	typed := strings.Join(slices.DeleteFunc(p.texts, func(text string) bool { return text == "" }), "\n")
	switch blank := strings.TrimSpace(typed) == ""; {
	case blank && p.isShell:
		p.turns[p.cur.ID] = nil
	case p.isOurs, blank && len(p.attachments) == 0:
		if p.newest != nil {
			p.turns[p.cur.ID] = p.newest
		}
	default:
		if p.quoted {
			typed = unquoted(typed)
		}
		isProgram := p.cur.Agent == "title" || p.cur.Agent == "summary" // opencode's agents for titles and summaries
		p.keepPlan()
		p.turns[p.cur.ID] = p.open(builder.Prompt{Text: typed, Attachments: p.attachments, Program: isProgram})
		p.changes = map[string]string{}
		for _, d := range p.cur.Summary.Diffs {
			p.changes[string(d.Get("file"))] = tools.ChangeKind(string(d.Get("status")))
		}
	}
}

// unquoted returns a prompt of `opencode run` without the quotes that it adds to arguments with blanks.
func unquoted(prompt string) string {
	inner, begins := strings.CutPrefix(prompt, `"`)
	inner, ends := strings.CutSuffix(inner, `"`)
	plain := strings.ReplaceAll(inner, `\"`, "\x00")
	if !begins || !ends || !strings.Contains(inner, " ") || strings.Contains(plain, `"`) {
		return prompt
	}
	return strings.ReplaceAll(plain, "\x00", `"`)
}

// open begins a turn, without a prompt if the agent works and none is known. Its id is built from its time
// and text, which a copy in a fork shares, unlike the message's id.
func (p *parser) open(q builder.Prompt) *builder.Turn {
	at := p.cur.Time.Created.Time
	key := files.Hash(strconv.FormatInt(at.UnixMilli(), 10), q.Text)
	q.ID = files.Hash("prompt", key, strconv.Itoa(p.repeats[key]))
	p.repeats[key]++
	if q.Text == "" && len(q.Attachments) == 0 {
		p.newest = p.b.Work()
	} else {
		p.newest = p.b.Prompt(q)
	}
	p.newest.ID, p.newest.At, p.newest.Inherited = q.ID, at, p.isCopied(at)
	if p.back {
		p.newest.TakeBack()
	}
	return p.newest
}

// answers begins an answer, of which a turn may have many: one for each request to the model.
func (p *parser) answers(m *message) {
	if m.Summary.Is || m.Agent == "compaction" || m.Mode == "compaction" {
		p.sum = &strings.Builder{}
		return
	}
	t := p.newest
	if m.ParentID != "" { // version 1 names the prompt
		known := false
		if t, known = p.turns[m.ParentID]; known && t == nil {
			return // the user ran it
		}
	}
	if t == nil { // the prompt could not be read, or is missing
		t = p.open(builder.Prompt{})
		p.turns[m.ParentID] = t
	}
	p.b.Select(t)
	t.By(words.OneLine(cmp.Or(m.ModelID, string(m.Model.Get("modelID")), string(m.Model.Get("id"))), 200))
	switch agent := cmp.Or(m.Agent, m.Mode); agent {
	case "build", "":
	case "plan":
		t.Mode = agent
	default:
		t.Agent = agent
	}
	place, u := &p.b.Session.Place, &m.Tokens
	place.Cwd = cmp.Or(place.Cwd, string(m.Path.Get("cwd")))
	t.Use(int64(max(u.In, 0)+max(u.Cache.Read, 0)+max(u.Cache.Write, 0)), int64(max(u.Out, 0)+max(u.Reasoning, 0)))
	t.Seen(m.Time.Created.Time)
	t.Seen(m.Time.Completed.Time)
	switch t.Status, t.Error = sources.Complete, ""; {
	case m.Error != nil && strings.Contains(strings.ToLower(m.Error.Name+m.Error.Type), "abort"):
		t.Cancel()
	case m.Error != nil:
		t.Fail(m.Error.String())
	case m.Time.Completed.IsZero(), m.Finish == "", m.Finish == "tool-calls":
		t.Status = sources.Pending
	}
}

func (p *parser) act(command string) {
	if command = words.CommandLine(command); command != "" && !p.back {
		p.b.Act(sources.ActionShell, "!"+command)
	}
}

func (p *parser) checkpoint(text string) {
	if text = strings.TrimSpace(text); text != "" && !p.back {
		p.b.Checkpoint(sources.Checkpoint{Title: builder.TitleOf(text), Raw: text})
	}
}

// call records a call of a tool. A command that the user ran is not the agent's work.
func (p *parser) call(x *part) {
	t, st, args := p.b.Turn(), &x.State, cmp.Or(x.State.Input, &tools.Arguments{})
	call := builder.Call{Message: p.cur.ID, Name: cmp.Or(x.Tool, x.Name), Args: args, At: st.Time.Start.Time}
	if t == nil {
		if p.cur.kind() == "assistant" && p.sum == nil && tools.About(call.Name, "", args).Kind == sources.ToolRun {
			p.act(args.Command.Line())
		}
		return
	}
	call.ID = p.cur.ID + "/" + strconv.Itoa(t.Calls()) // ids of providers are reused
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

// files returns the files that a patch changed, from its result; nil: it has none.
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

// wrote records that the agent wrote or edited its plan.
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

// patched records the files that a request changed in any way, also by a command.
func (p *parser) patched(list []string) {
	for t, i := p.b.Turn(), 0; t != nil && i < len(list); i++ {
		kind := ""
		for rest, ok := strings.ReplaceAll(list[i], `\`, "/"), true; ok && kind == ""; _, rest, ok = strings.Cut(rest, "/") {
			kind = p.changes[rest] // the prompt names it relative to the root of the work tree
		}
		t.Touch(list[i], cmp.Or(kind, sources.Edited), "")
	}
}

// agentTitle returns a sub-agent's name: its task and its kind, which the title may have already: "Count
// words (@general subagent)".
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
