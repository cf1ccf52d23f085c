package eventlog

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/builder"
	"github.com/sessionloom/sessionloom/sources/internal/tools"
)

// callStarted notes a call that began, asked for by the agent or by the user.
func (p *parser) callStarted(e *event) {
	if e.Data.ParentToolCallID == "" {
		p.call(e.Data.toolRequest, e)
	}
}

// call notes a call, whichever of its events comes first.
func (p *parser) call(r toolRequest, e *event) {
	id, name := r.ToolCallID, r.ToolName
	if id == "" || name == "" || name == "report_intent" {
		return
	}
	if known := p.b.Called(id); known != nil && known.Ended() && len(e.Data.ToolRequests) == 0 {
		return
	}
	call := builder.Call{ID: id, Name: name, Server: r.MCPServerName, Args: r.Arguments}
	if r.Arguments != nil {
		_, call.Detail, _ = belowState(strings.ReplaceAll(r.Arguments.Path, `\`, "/"))
	}
	c := p.work(e).Call(call)
	if p.dialect != nil && strings.Contains(id, p.dialect.Replayed) {
		c.End(builder.Result{})
		c.OK = nil
	}
}

// exitMark ends the result of a command, as it stands in a record. Before version 1.0.60
// nothing else tells the exit code.
var exitMark = regexp.MustCompile(`<(?:exited|shellId: \S{1,40} completed) with exit code -?\d{1,9}>"`)

// callEnded notes how a call ended and what it did.
func (p *parser) callEnded(e *event) {
	d := &e.Data
	if d.ParentToolCallID != "" {
		return
	}
	model, c := p.useModel(d.Model), p.b.Called(d.ToolCallID)
	r := builder.Result{OK: d.Success, Text: d.Result.Content + strings.TrimSuffix(p.exit, `"`), Files: d.edits()}
	if d.Shell.ExitCode != nil {
		r.Exit = new(int(*d.Shell.ExitCode))
	}
	if c == nil { // its beginning was lost
		for _, f := range r.Files {
			if d.Success != nil && *d.Success {
				p.work(e).Touch(f.Path, f.Kind, "")
			}
		}
		return
	}
	if c.Ended() {
		return
	}
	c.Turn().Model = cmp.Or(c.Turn().Model, model)
	switch {
	case d.Success != nil && !*d.Success && (strings.Contains(d.Error.Code, "denied") || strings.Contains(d.Error.Code, "rejected")):
		r.Refused = true
		_, r.Words, _ = strings.Cut(d.Error.Message, "eedback: ")
	case c.Does() == tools.Asks:
		for _, q := range c.Args().Asked() {
			r.Answers = append(r.Answers, builder.Reply{Question: q.Words(), Answer: answered.ReplaceAllString(r.Text, "")})
		}
	case c.Does() == tools.Plans:
		r.Plan = &builder.Plan{Unasked: c.Turn().Mode == "autopilot"}
	}
	c.End(r)
	if c.OK == nil || *c.OK {
		p.wroteBy(c, r.Files)
	}
}

// answered stands before the answer of a person.
var answered = regexp.MustCompile(`^User (?:selected|responded|answered|chose): `)

// responded takes in what a person said to a plan.
func (p *parser) responded(e *event) {
	if r := &e.Data.Response; r.Approved != nil && r.PlanContent != "" {
		verdict := sources.Accepted
		if !*r.Approved {
			verdict = sources.Rejected
		}
		p.b.Tell(sources.Act{Kind: sources.ActPlanned, Text: builder.TitleOf(r.PlanContent), Answer: r.Feedback, Verdict: verdict})
	}
}

// wroteBy notes what a call did to files: those in the session's own folder are artifacts.
func (p *parser) wroteBy(c called, edited []tools.File) {
	all := c.About()
	if len(edited) > 0 {
		all = edited
	}
	for _, f := range all {
		if f.Kind == "" || f.Kind == sources.Viewed {
			continue
		}
		p.first(onceChanged, p.pathKey(f.Path))
		if file, own := stateFileOf(f.Path); own && f.Kind != sources.Deleted {
			p.wrote(file, c.Turn().End)
		}
	}
}

// edits are the files that a call says it changed.
func (d *eventData) edits() (all []tools.File) {
	for _, f := range d.FileEdits {
		if f.Path != "" {
			all = append(all, tools.File{Path: f.Path, Kind: tools.ChangeKind(f.Kind)})
		}
	}
	return all
}

// shorten writes a path relative to the session's project or its own folder, else
// with ~ for the home folder.
func (p *parser) shorten(path string) string {
	slashed := strings.ReplaceAll(path, `\`, "/")
	if _, rest, ok := belowState(slashed); ok {
		return rest
	}
	place := p.b.Session.Place
	root := strings.TrimRight(strings.ReplaceAll(cmp.Or(place.GitRoot, place.Cwd), `\`, "/"), "/")
	switch below, ok := strings.CutPrefix(slashed, root+"/"); {
	case root == "" || path == "":
	case slashed == root:
		return "."
	case ok:
		return below
	}
	return sources.Tilde(path)
}

// pathKey makes two spellings of a path one: below the project and relative,
// with either slash.
func (p *parser) pathKey(path string) string {
	return strings.TrimPrefix(p.shorten(strings.ReplaceAll(path, `\`, "/")), "./")
}
