package opencode

import (
	"cmp"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/refs"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// detailSize bounds the one line of a call, in bytes.
const detailSize = 200

// kindOf is the kind of a tool: opencode's own by its name, others by what all agents call theirs.
func kindOf(tool string) string {
	switch tool {
	case "list":
		return sources.ToolList
	case "multiedit", "patch":
		return sources.ToolEdit
	case "webfetch", "websearch":
		return sources.ToolWeb
	case "codesearch":
		return sources.ToolSearch
	case "todowrite", "todoread", "question", "plan_enter", "plan_exit":
		return sources.ToolPlan
	case "invalid", "batch":
		return sources.ToolOther
	case "task", "subagent":
		return sources.ToolTask
	}
	return words.ToolKind(tool, "", "")
}

// call takes in a call of a tool. A command that the user ran is no work of the agent.
func (p *parser) call(x *part) {
	st, a := &x.State, &x.State.Input
	name := words.OneLine(cmp.Or(x.Tool, x.Name), detailSize)
	if p.turn < 0 || p.cur.kind() != "assistant" {
		if kindOf(name) == sources.ToolRun && p.prompt == nil {
			p.act(a.Command.Line())
		}
		return
	}
	t := &p.session.Turns[p.turn]
	p.ends(t, st.Time.Start.Time)
	p.ends(t, st.Time.End.Time)
	tool := sources.Tool{Name: name, Kind: kindOf(name), After: p.said[p.turn].Len(), OK: st.ok()}
	about := cmp.Or(a.Description, a.Name(), a.Pattern, a.Query, a.URL, a.Command.Line(), a.First)
	switch tool.Kind {
	case sources.ToolRun:
		p.ran(&tool, st)
	case sources.ToolEdit, sources.ToolCreate:
		about = p.edited(&tool, st)
	case sources.ToolRead:
		about = a.Name()
		if ok := tool.OK; ok != nil && *ok {
			p.touched(about, sources.Viewed, name)
		}
	case sources.ToolTask:
		p.delegated(x)
	case sources.ToolPlan:
		about = ""
		if a.Todos != nil && st.Status == "completed" && !t.Inherited {
			p.listed = nil
			for _, one := range a.Todos {
				p.listed = append(p.listed, todo{one, cmp.Or(st.Time.End.Time, p.cur.Time.Created.Time)})
			}
		}
	}
	tool.Detail = words.OneLine(sources.Tilde(about[:min(len(about), 16*detailSize)]), detailSize)
	t.Tools = append(t.Tools, tool)
}

// ok tells whether a call went well, nil where that is not told.
func (st *state) ok() *bool {
	if st.Status != "completed" && st.Status != "error" {
		return nil
	}
	ok := st.Status == "completed"
	return &ok
}

// ran takes in a command. One that was refused did not run.
func (p *parser) ran(tool *sources.Tool, st *state) {
	command := st.Input.Command.Line()
	if st.Status == "error" && strings.Contains(st.Error.String(), "rejected permission") {
		return
	}
	tool.Command = command
	if code := st.Metadata.Exit; code != nil && *code == decode.Whole(int32(*code)) {
		exit, ok := int(*code), *code == 0
		tool.Exit, tool.OK = &exit, &ok
	}
	p.refer(command, st.gave(), st.Time.End.Time)
}

// edited takes in a change of files, and tells which.
func (p *parser) edited(tool *sources.Tool, st *state) (about string) {
	a := &st.Input
	var all []words.PatchFile
	for _, f := range st.Metadata.Files {
		if f.Move != "" {
			all = append(all, words.PatchFile{Path: f.Path, Kind: sources.Deleted}, words.PatchFile{Path: f.Move, Kind: sources.Renamed})
		} else if f.Path != "" {
			all = append(all, words.PatchFile{Path: f.Path, Kind: statusKind(f.Type)})
		}
	}
	if len(all) == 0 {
		for _, f := range a.PatchText.Files {
			all = append(all, words.PatchFile{Path: absolute(cmp.Or(p.cur.Path.Cwd, p.info.Directory), f.Path), Kind: f.Kind})
		}
	}
	if name := a.Name(); len(all) == 0 && name != "" {
		kind := sources.Edited
		if exists := st.Metadata.Exists; exists != nil && !*exists {
			kind, tool.Kind = sources.Created, sources.ToolCreate
		}
		all = append(all, words.PatchFile{Path: name, Kind: kind})
	}
	var paths []string
	for _, f := range all {
		if len(paths) < 3 {
			paths = append(paths, f.Path)
		}
		if st.Status == "completed" {
			p.touched(f.Path, f.Kind, tool.Name)
		}
	}
	if st.Status == "completed" && len(all) == 1 {
		p.planned(all[0].Path, a.Content.text)
	}
	return strings.Join(paths, ", ")
}

// statusKind is what a word of opencode says was done to a file.
func statusKind(word string) string {
	switch word {
	case "add", "added":
		return sources.Created
	case "delete", "deleted":
		return sources.Deleted
	case "move":
		return sources.Renamed
	}
	return sources.Edited
}

// planned takes in a plan that the agent wrote, of which the last one counts.
func (p *parser) planned(path, text string) {
	path = strings.ReplaceAll(path, `\`, "/")
	if !strings.Contains(path, "opencode/plans/") || strings.TrimSpace(text) == "" || p.session.Turns[p.turn].Inherited {
		return
	}
	p.session.Artifacts = []sources.Artifact{{Kind: sources.Plan, Name: "plan.md", At: p.cur.Time.Created.Time, Text: text, Size: int64(len(text))}}
}

// patched takes in the files that a request changed in whatever way, a command among them.
func (p *parser) patched(list []string) {
	if p.turn < 0 || p.cur.kind() != "assistant" {
		return
	}
	changed := p.changes
	if len(list)*len(changed) > 1<<20 { // no work of a person: they are told as edited
		changed = nil
	}
	for _, file := range list {
		kind, file := sources.Edited, absolute(p.info.Directory, file)
		for _, d := range changed {
			if d.File != "" && (file == d.File || strings.HasSuffix(strings.ReplaceAll(file, `\`, "/"), "/"+d.File)) {
				kind = statusKind(d.Status)
			}
		}
		if !p.touches[file] {
			p.touched(file, kind, "")
		}
	}
}

// touched notes a touch once for each path, kind and turn.
func (p *parser) touched(path, kind, tool string) {
	if path == "" {
		return
	}
	if kind != sources.Viewed {
		p.touches[path] = true
	}
	p.session.Files = refs.Touch(p.session.Files, sources.FileTouch{Path: path, Kind: kind, Tool: tool, Turn: p.turn, At: p.cur.Time.Created.Time})
}

// refer notes the commits, pull requests and issues that a command tells of, each once.
func (p *parser) refer(command, result string, at time.Time) {
	if command == "" || result == "" {
		return
	}
	for _, ref := range refs.OldOf(command, result) {
		if ref.Turn, ref.At = p.turn, at; at.IsZero() {
			ref.At = p.session.Turns[p.turn].At
		}
		p.session.Refs = refs.Add(p.session.Refs, ref)
	}
}
