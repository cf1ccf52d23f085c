package claudecode

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// call is a call of a tool that has no result yet.
type call struct {
	turn   *turn
	tool   int // in Turn.Tools
	name   string
	path   string // of the file that it is about
	touch  string // what it does to that file if it succeeds; empty: nothing
	helper *helper
	input  input // of the lists, of plans and of questions alone
}

// detailSize bounds the one line of a call, in bytes.
const detailSize = 200

// called takes in a call.
func (p *parser) called(r *record, b *block, owner *turn) {
	if b.ID == "" || b.Name == "" || p.calls[b.ID] != nil {
		return
	}
	c := &call{turn: owner, tool: len(owner.Tools), name: plainName(b.Name)}
	kind := words.ToolKind(b.Name, "", "")
	c.path, c.touch = touched(c.name, &b.Input)
	tool := sources.Tool{Name: words.OneLine(b.Name, detailSize), Kind: kind, After: owner.text.Len()}
	if kind == sources.ToolRun {
		tool.Command = b.Input.Command.Line()
	}
	tool.Detail = detail(kind, p.place.inProject(c.path), &b.Input)
	owner.Tools = append(owner.Tools, tool)
	switch c.name {
	case "Task", "Agent":
		c.helper = p.helpers.called(b, r, owner)
	case "TodoWrite", "TaskCreate", "TaskUpdate", "ExitPlanMode":
		c.input = b.Input
	}
	p.calls[b.ID] = c
}

// plainName is the name of a tool without what the bridge to an editor (Zed) puts around it.
func plainName(name string) string { return strings.TrimPrefix(name, "mcp__acp__") }

// touched is the file that a call is about, and what it does to it.
func touched(name string, in *input) (path, kind string) {
	switch name {
	case "Read":
		return in.FilePath, sources.Viewed
	case "Write", "Edit", "MultiEdit":
		return in.FilePath, sources.Edited
	case "NotebookEdit":
		return in.NotebookPath, sources.Edited
	}
	return cmp.Or(in.FilePath, in.NotebookPath), ""
}

// detail describes a call in one line: what it is called, else its description, else its
// command, else what it looks for, else its path, else the first text among its arguments.
func detail(kind, path string, in *input) string {
	run := ""
	if kind == sources.ToolRun {
		run = in.Command.Text
	}
	text := cmp.Or(in.Subject, in.Description, run, in.Pattern, path, in.Query, in.URL, in.Skill, in.Path, in.First)
	if in.TaskID.Text != "" {
		text = strings.TrimSpace("task " + in.TaskID.Text + " " + in.Status)
	}
	return words.OneLine(sources.Tilde(text[:min(len(text), 16*detailSize)]), detailSize)
}

// returned takes in the result of a call.
func (p *parser) returned(r *record, b *block) {
	c := p.calls[b.ToolUseID]
	if c == nil {
		return
	}
	delete(p.calls, b.ToolUseID)
	t, ok := c.turn, !b.IsError
	tool := &t.Tools[c.tool]
	tool.OK = &ok
	t.End = later(t.End, r.Timestamp.Time)
	text := b.Content.String()
	if refused := isRefused(r, b, text); refused {
		tool.Command = ""
		p.refusal(c, t, text)
		return
	}
	if tool.Command != "" {
		tool.Exit = exitCode(&r.ToolUseResult, ok, text)
		p.scan(tool.Command, text, &r.ToolUseResult, t)
	}
	if c.helper != nil {
		c.helper.returned(r, ok, text)
	}
	if !ok { // it did nothing
		return
	}
	if c.touch != "" && c.path != "" {
		p.touch(c, r, text)
	}
	switch c.name {
	case "TodoWrite":
		p.todoList(c, r)
	case "TaskCreate", "TaskUpdate":
		p.taskChanged(c, r)
	case "AskUserQuestion":
		t.say(questions(&r.ToolUseResult, text), "")
	case "ExitPlanMode":
		t.say("**Decision:** approved", "")
		p.planned(cmp.Or(r.ToolUseResult.FilePath, c.input.PlanFilePath), cmp.Or(r.ToolUseResult.Plan, c.input.Plan), r, t)
	}
}

// isRefused tells that the user, or a rule, kept a call from running or stopped it.
func isRefused(r *record, b *block, text string) bool {
	return b.IsError && (r.ToolDenialKind != "" || r.ToolUseResult.Text == "User rejected tool use" || strings.HasPrefix(text, "The user doesn't want to "))
}

// refusal keeps what the user said with a refusal: the result of the call alone has it.
func (p *parser) refusal(c *call, t *turn, text string) {
	if c.name == "ExitPlanMode" {
		t.say("**Decision:** rejected", "")
	}
	_, said, ok := strings.Cut(text, "the user said:")
	said, _, _ = strings.Cut(said, "\n\nNote: The user's next message may contain")
	if said = strings.TrimSpace(said); ok && said != "" {
		t.say("**Feedback:** "+said, "")
	}
}

// questions are what the user was asked and the answers, as a list.
func questions(result *toolResult, text string) string {
	var b strings.Builder
	asked := map[string]bool{}
	add := func(question string) {
		line := words.OneLine(question, len(question)+1)
		if asked[question] || line == "" {
			return
		}
		asked[question] = true
		given := result.Answers.Get(question).join(", ")
		if notes := result.Annotations.Get(question).Notes; notes != "" {
			given = strings.TrimSpace(given + " – " + notes)
		}
		given = words.OneLine(given, len(given)+1)
		b.WriteString("- " + line + "\n  - " + cmp.Or(given, "*no answer*") + "\n")
	}
	for _, q := range result.Questions {
		add(q.Question)
	}
	for question := range result.Answers.All() {
		add(question)
	}
	return cmp.Or(b.String(), text)
}

var exitMark = regexp.MustCompile(`^(?:Error: )?Exit code (-?\d{1,9})\b`)

// exitCode is how a command ended, nil where that is not told: it went on in the background,
// was stopped, or the program took another code than 0 for a success.
func exitCode(result *toolResult, ok bool, text string) *int {
	code := 0
	if !ok {
		mark := exitMark.FindStringSubmatch(cmp.Or(result.Text, text))
		if mark == nil {
			mark = exitMark.FindStringSubmatch(text)
		}
		if mark == nil {
			return nil
		}
		code, _ = strconv.Atoi(mark[1]) // nine digits fit
	} else if result.BackgroundID != "" || result.Interrupted || result.Interpretation != "" {
		return nil
	}
	return &code
}

// created is how the result of a call begins that made a file: of a sub-agent in the
// foreground nothing else tells.
const created = "File created successfully"

// touch notes what a call did to a file of the project, once for each turn, kind and path.
func (p *parser) touch(c *call, r *record, text string) {
	kind := c.touch
	if kind == sources.Edited && (r.ToolUseResult.Type == "create" || strings.HasPrefix(text, created)) {
		kind, c.turn.Tools[c.tool].Kind = sources.Created, sources.ToolCreate
	}
	if !p.place.isOwn(c.path) {
		c.turn.files = addTouch(c.turn.files, sources.FileTouch{Path: p.place.inProject(c.path), Kind: kind, Tool: c.name, At: r.Timestamp.Time})
	}
}

func addTouch(all []sources.FileTouch, touch sources.FileTouch) []sources.FileTouch {
	for _, t := range all {
		if t.Path == touch.Path && t.Kind == touch.Kind {
			return all
		}
	}
	return append(all, touch)
}

// foundRef is a commit, a pull request or an issue, and the turn that tells it.
type foundRef struct {
	sources.Ref
	turn *turn
}

// scan notes what the output of a command tells of the forge and the repository.
func (p *parser) scan(command, output string, result *toolResult, t *turn) {
	if what := refs.ScanOf(command); what != 0 {
		for _, ref := range append(refs.Find(output, what, refs.TitlesOf(command)), refs.Quiet(command, output)...) {
			p.refs = append(p.refs, foundRef{ref, t})
		}
	}
	if sha := refs.ShortHash(result.GitOperation.Commit.SHA); sha != "" {
		p.refs = append(p.refs, foundRef{sources.Ref{Type: sources.Commit, Value: sha}, t})
	}
	if ref, ok := refs.FromURL(result.GitOperation.PR.URL); ok {
		p.refs = append(p.refs, foundRef{ref, t})
	}
}

// prLink takes in a pull request that the program saw. It writes it again on resume.
func (p *parser) prLink(r *record) {
	ref, ok := refs.FromURL(r.PRURL)
	if ok {
		p.refs = append(p.refs, foundRef{ref, p.now})
	}
}
