package chat

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// Effects are what the arguments of a call say it does.
type Effects struct {
	Kind   string // of the tool
	Detail string // one line
	Files  []sources.FileTouch
}

// EffectsOf reads the arguments of a call; nil: there are none.
func EffectsOf(name string, args *chatlog.Arguments) Effects {
	if args == nil {
		args = &chatlog.Arguments{}
	}
	kind, files := words.ToolKind(name, "", args.Command), argFiles(args)
	detail := words.OneLine(subject(kind, args, files), detailSize)
	return Effects{Kind: kind, Detail: detail, Files: touched(name, kind, files)}
}

// touchKinds are what tools of a kind do to files.
var touchKinds = map[string]string{
	sources.ToolRead: sources.Viewed, sources.ToolEdit: sources.Edited, sources.ToolCreate: sources.Created,
}

// touched is what a tool does to the files it was called with.
func touched(name, kind string, files []sources.FileTouch) []sources.FileTouch {
	as := touchKinds[kind]
	if as == "" || words.PlainTool(name) == "create_directory" {
		return nil
	}
	out := slices.Clone(files)
	for i := range out {
		out[i].Kind, out[i].Tool = cmp.Or(out[i].Kind, as), words.OneLine(name, nameSize)
	}
	return out
}

// subject is what a call of its kind was about.
func subject(kind string, args *chatlog.Arguments, files []sources.FileTouch) string {
	switch kind {
	case sources.ToolRead, sources.ToolEdit, sources.ToolCreate, sources.ToolList:
		var paths []string
		for _, t := range files {
			paths = append(paths, t.Path)
		}
		return strings.Join(paths, ", ")
	case sources.ToolSearch:
		return cmp.Or(args.Query, args.Pattern, args.IncludePattern, args.SymbolName, args.Symbol)
	case sources.ToolRun:
		return args.Command
	case sources.ToolWeb:
		return cmp.Or(args.URL, strings.Join(args.URLs, " "), args.Query)
	case sources.ToolTask:
		return args.Description
	}
	return ""
}

// argFiles are the files the arguments of a call name; those of a patch with what
// is done to them.
func argFiles(args *chatlog.Arguments) []sources.FileTouch {
	var out fileList
	for _, f := range slices.Concat([]chatlog.NamedFile{args.NamedFile}, args.Replacements, args.Edits) {
		out.add(places.FileOf(f.Name()), "", "")
	}
	for _, path := range slices.Concat(args.FilePaths, args.Files, args.Paths) {
		out.add(places.FileOf(path), "", "")
	}
	for _, f := range args.Patch {
		out.add(places.FileOf(f.Path), f.Kind, "")
	}
	return out.all
}

// messageFiles are the files the message of a call links to, taken from what the
// links are said to lead to, else from the links.
func messageFiles(part *chatlog.Part) []sources.FileTouch {
	var told, linked fileList
	for _, message := range []*chatlog.Markdown{part.PastTenseMessage, part.InvocationMessage} {
		if message == nil || len(told.all)+len(linked.all) > 0 {
			continue
		}
		for _, target := range message.URIs.All() {
			told.add(target.File(), "", "")
		}
		for _, m := range links.FindAllStringSubmatch(markdown(message), -1) {
			u, _ := places.ParseURI(m[2])
			linked.add(u.File(), "", "")
		}
	}
	if len(told.all) > 0 {
		return told.all
	}
	return linked.all
}

// agree tells that two lists name the same files, as far as they name any.
func agree(shown, asked []sources.FileTouch) bool {
	for _, s := range shown {
		for _, a := range asked {
			if strings.EqualFold(path.Base(s.Path), path.Base(a.Path)) {
				return true
			}
		}
	}
	return len(shown) == 0 || len(asked) == 0
}

// Todos are the agent's list of things to do, in its order.
func Todos(list []chatlog.Todo) []sources.Todo {
	var out []sources.Todo
	for i, n := range list {
		t := sources.Todo{ID: cmp.Or(valueText(n.ID), strconv.Itoa(i+1)), Title: oneLine(n.Title),
			Status: sources.TodoOpen, Raw: n.Status, Origin: "todo list", Description: n.Description}
		switch n.Status {
		case "in-progress", "in_progress":
			t.Status = sources.TodoInProgress
		case "completed", "done":
			t.Status = sources.TodoDone
		}
		if t.Title != "" {
			out = append(out, t)
		}
	}
	return out
}
