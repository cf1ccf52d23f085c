package cursor

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// toolCall is a call of a tool in a bubble. The arguments are what the model wrote, the parameters
// what Cursor made of it.
type toolCall struct {
	Name      loose           `json:"name"`
	Status    loose           `json:"status"`
	Decision  loose           `json:"userDecision"`
	Arguments inText[params]  `json:"rawArgs"`
	Params    inText[params]  `json:"params"`
	Result    inText[outcome] `json:"result"`
	More      struct {
		Status loose `json:"status"`
	} `json:"additionalData"`
}

// params are the parameters of a call, never what is written into a file.
type params struct {
	plainArguments
	Target      string `json:"target_file" max:"2048"`
	TargetCamel string `json:"targetFile" max:"2048"`
	Relative    string `json:"relativeWorkspacePath" max:"2048"`
	Folder      string `json:"target_directory" max:"2048"`
	FolderCamel string `json:"targetDirectory" max:"2048"`
}

// plainArguments are read as a part of another object.
type plainArguments words.Arguments

// outcome is what a command gave.
type outcome struct {
	Output   string `json:"output"`
	Exit     *int64 `json:"exitCode"`
	Rejected bool   `json:"rejected"`
}

// detailSize bounds the one line of a call, in bytes.
const detailSize = 200

// kinds are those of Cursor's tools that their names do not tell.
var kinds = map[string]string{
	"search_replace": sources.ToolEdit, "reapply": sources.ToolEdit, "delete_file": sources.ToolEdit, "delete": sources.ToolEdit,
	"call_mcp_tool": sources.ToolMCP, "ask_question": sources.ToolPlan, "fetch_rules": sources.ToolOther, "create_diagram": sources.ToolOther,
	"create_plan": sources.ToolPlan, "task": sources.ToolTask, "switch_mode": sources.ToolOther, "fix_lints": sources.ToolOther, "read_lints": sources.ToolOther,
}

// changes is what tools do to the file they are called with.
var changes = map[string]string{
	"edit_file": sources.Edited, "multi_edit": sources.Edited, "search_replace": sources.Edited, "str_replace": sources.Edited, "write": sources.Edited,
	"reapply": sources.Edited, "apply_patch": sources.Edited, "edit_notebook": sources.Edited, "delete_file": sources.Deleted, "delete": sources.Deleted,
}

// plainTool is the name of a tool without its version, as IDE and CLI both have it: "edit_file_v2",
// "StrReplace".
func plainTool(name string) string {
	return strings.TrimSuffix(strings.TrimRight(words.PlainTool(name), "0123456789"), "_v")
}

// file is what a call is about, as far as that is one file.
func (p *params) file() string {
	return cmp.Or(p.Relative, p.Target, p.TargetCamel, p.Name(), p.Folder, p.FolderCamel)
}

// call is one call, of a bubble or of a transcript.
type call struct {
	name    string
	params  []*params // the better ones first
	text    string    // parameters that are no JSON
	ok      *bool     // nil: unknown
	refused bool
	verdict sources.Verdict
	result  outcome
}

// of gives the call of a bubble. No single member says whether it succeeded.
func (c *toolCall) of() call {
	out := call{name: string(c.Name), params: []*params{&c.Params.V, &c.Arguments.V}, text: c.Arguments.Text, result: c.Result.V}
	done, failed := true, false
	switch status := statusOf(string(c.Status)); {
	case c.Result.V.Rejected, c.More.Status == "rejected", c.Decision == "rejected", c.Status == "rejected", status == sources.Cancelled:
		out.ok, out.refused, out.verdict = &failed, true, sources.Rejected
	case status == sources.Failed, c.More.Status == "error", c.Result.V.Exit != nil && *c.Result.V.Exit != 0:
		out.ok = &failed
	case status == sources.Complete:
		out.ok = &done
	}
	if c.Decision == "accepted" {
		out.verdict = sources.Accepted
	}
	return out
}

// call adds a call to the turn, with what it did.
func (w *writer) call(c call) {
	t, plain := w.turn(), plainTool(c.name)
	kind := cmp.Or(kinds[plain], words.ToolKind(plain, "", ""))
	file, run, about := "", "", ""
	var patch []words.PatchFile
	for _, p := range c.params {
		file, run = cmp.Or(file, editor.FileOf(p.file())), cmp.Or(run, p.Command.Line())
		about = cmp.Or(about, p.Query, p.Pattern, p.URL, p.Description, p.First)
		if len(patch) == 0 {
			patch = slices.Concat(p.Input.Files, p.Patch.Files)
		}
	}
	if len(patch) == 0 {
		patch = words.PatchFiles(c.text)
	}
	tool := sources.Tool{Name: words.OneLine(cmp.Or(c.name, kind), detailSize), Kind: kind, OK: c.ok, After: len(w.answer)}
	switch {
	case kind == sources.ToolRun:
		tool.Detail = oneLine(cmp.Or(run, about))
		if !c.refused {
			tool.Command = run
			if c.result.Exit != nil && run != "" {
				exit := int(*c.result.Exit)
				tool.Exit = &exit
			}
		}
	case len(patch) > 0 && file == "":
		tool.Detail = oneLine(patch[0].Path)
	default:
		tool.Detail = oneLine(cmp.Or(file, about, run))
	}
	t.Tools = append(t.Tools, tool)
	w.effects(c, plain, tool, file, patch)
}

// effects notes what a call did, unless it failed.
func (w *writer) effects(c call, plain string, tool sources.Tool, file string, patch []words.PatchFile) {
	t := w.turn()
	if tool.Command != "" {
		w.refer(tool.Command, c.result.Output)
	}
	if c.ok != nil && !*c.ok {
		return
	}
	touch := sources.FileTouch{Path: file, Kind: cmp.Or(changes[plain], words.TouchKind(tool.Kind)), Tool: tool.Name, At: latest(t.At, t.End), Verdict: c.verdict}
	if touch.Kind == sources.Viewed {
		touch.Verdict = ""
	}
	if changes[plain] != "" && len(patch) > 0 {
		for _, f := range patch {
			touch.Path, touch.Kind = f.Path, f.Kind
			w.touch(touch)
		}
	} else if file != "" && touch.Kind != "" && tool.Kind != sources.ToolRun {
		w.touch(touch)
	}
}

// refer notes the commits, pull requests and issues that a command tells of, each once.
func (w *writer) refer(command, output string) {
	if output == "" {
		return
	}
	t := w.turn()
	for _, ref := range refs.OldOf(command, output) {
		ref.Turn, ref.At = t.Index, t.At
		w.session.Refs = refs.Add(w.session.Refs, ref)
	}
}

// oneLine describes a call.
func oneLine(text string) string {
	return words.OneLine(sources.Tilde(text[:min(len(text), 16*detailSize)]), detailSize) // it may be a whole script
}

// todosOf is the agent's list, without what it gave up.
func todosOf(list []words.Todo) []sources.Todo {
	list = slices.DeleteFunc(slices.Clone(list), func(t words.Todo) bool { return strings.EqualFold(t.Status, "cancelled") })
	return words.Todos(list, time.Time{})
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
