package opencode

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// call takes in a call of a tool. A command that the user ran is no work of the agent.
func (p *parser) call(x *part) {
	st, args := &x.State, cmp.Or(x.State.Input, &tools.Arguments{})
	name := cmp.Or(x.Tool, x.Name)
	if !p.isAtWork() {
		if p.prompt == nil && tools.About(name, "", args).Kind == sources.ToolRun {
			p.act(args.Command.Line())
		}
		return
	}
	t := p.b.Turn()
	t.Seen(st.Time.End.Time)
	c := t.Call(builder.Call{ID: x.ID, Name: name, Args: args, At: st.Time.Start.Time})
	if st.Status != "completed" && st.Status != "error" {
		return
	}
	failure := st.Error.String()
	r := builder.Result{OK: new(st.Status == "completed"), Text: st.gave(), At: cmp.Or(st.Time.End.Time, p.cur.Time.Created.Time)}
	r.Refused = st.Status == "error" && strings.Contains(failure, "rejected permission")
	_, r.Words, _ = strings.Cut(failure, "with the following feedback:")
	r.Words = strings.TrimSpace(r.Words)
	if code := st.Metadata.Exit; code != nil && *code == decode.Whole(int32(*code)) {
		r.Exit = new(int(*code))
	}
	switch c.Does() {
	case tools.Edits, tools.Creates, tools.Deletes:
		r.Files = p.files(st, args)
		r.Created = st.Metadata.Exists != nil && !*st.Metadata.Exists
		if len(r.Files) == 1 && st.Status == "completed" {
			p.planned(r.Files[0].Path, string(args.Content), t)
		}
	case tools.Delegates:
		r.Worker = &builder.Worker{ID: st.Metadata.SessionID, Name: agentTitle(args.Description, cmp.Or(args.SubagentType, args.Agent)), Answer: workerSaid(r.Text)}
	case tools.Asks:
		for i, q := range args.Asked() {
			if i < len(st.Metadata.Answers) {
				a := st.Metadata.Answers[i]
				r.Answers = append(r.Answers, builder.Reply{Question: q.Words(), Answer: cmp.Or(a.Text, strings.Join(a.All, ", "))})
			}
		}
	}
	c.End(r)
}

// files are those that a call changed, nil where its arguments tell.
func (p *parser) files(st *state, args *tools.Arguments) (all []tools.File) {
	for _, f := range st.Metadata.Files {
		if f.Move != "" {
			all = append(all, tools.File{Path: f.Path, Kind: sources.Deleted}, tools.File{Path: f.Move, Kind: sources.Renamed})
		} else if f.Path != "" {
			all = append(all, tools.File{Path: f.Path, Kind: tools.ChangeKind(f.Type)})
		}
	}
	if len(all) == 0 {
		for _, f := range args.PatchText.Files {
			all = append(all, tools.File{Path: absolute(cmp.Or(p.cur.Path.Cwd, p.info.Directory), f.Path), Kind: f.Kind})
		}
	}
	if name := args.Name(); len(all) == 0 && name != "" {
		all = append(all, tools.File{Path: name, Kind: sources.Edited})
	}
	return all
}

// planned takes in a plan that the agent wrote.
func (p *parser) planned(path, text string, t *builder.Turn) {
	path = strings.ReplaceAll(path, `\`, "/")
	if strings.Contains(path, "opencode/plans/") && strings.TrimSpace(text) != "" && !t.Inherited && !p.dead {
		p.b.Artifact(sources.Artifact{Kind: sources.Plan, Name: "plan.md", At: p.cur.Time.Created.Time, Text: text})
	}
}

// patched takes in the files that a request changed in whatever way, a command among them.
func (p *parser) patched(list []string) {
	if len(list) == 0 || !p.isAtWork() {
		return
	}
	changed := p.changes
	if len(list)*len(changed) > 1<<20 { // no work of a person: they count as edited
		changed = nil
	}
	for _, file := range list {
		kind, file := sources.Edited, absolute(p.info.Directory, file)
		for _, d := range changed {
			if d.File != "" && (file == d.File || strings.HasSuffix(strings.ReplaceAll(file, `\`, "/"), "/"+d.File)) {
				kind = tools.ChangeKind(d.Status)
			}
		}
		p.b.Turn().Touch(file, kind, "")
	}
}

// absolute returns a path that a list of changes gives from the root of the work tree.
func absolute(root, file string) string {
	if root == "" || path.IsAbs(file) || strings.Contains(file, ":") {
		return file
	}
	return strings.TrimRight(root, `/\`) + "/" + file
}

// workerSaid returns what a sub-agent answered, without the marks around it.
func workerSaid(text string) string {
	if _, inner, ok := strings.Cut(text, "<task_result>"); ok {
		text, _, _ = strings.Cut(inner, "</task_result>")
	}
	return strings.TrimSpace(text)
}

// agentMark is what opencode puts behind the title of a sub-agent: "Count words (@general subagent)".
var agentMark = regexp.MustCompile(` \(@[^)]*subagent\)$`)

// agentTitle returns what a sub-agent is called: by what it was asked to do, and its kind.
func agentTitle(title, kind string) string {
	title = strings.TrimSpace(agentMark.ReplaceAllString(title, ""))
	switch {
	case title == "" || hasNoName(title):
		return kind
	case kind == "":
		return title
	}
	return title + " (" + kind + ")"
}
