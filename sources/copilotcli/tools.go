package copilotcli

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// touch is what a call does with one file.
type touch struct {
	path string
	kind string
}

// effects is what the arguments of a call say it does, if it succeeds.
type effects struct {
	touches []touch
	refs    []sources.Ref
	scan    scan // what to look for in its result
}

// detailSize bounds the one line of a call, in bytes.
const detailSize = 200

// effectsOf reads the arguments of a call.
func effectsOf(name string, args *arguments) effects {
	out := effects{}
	if strings.Contains(name, "github") {
		out.refs = refsOfArguments(args)
	}
	one := func(kind string) {
		if args.Path != "" {
			out.touches = append(out.touches, touch{args.Path, kind})
		}
	}
	switch name {
	case "view", "read_file", "show_file":
		one(sources.Viewed)
	case "create", "create_file", "write_file":
		one(sources.Created)
	case "edit", "str_replace", "insert", "edit_file":
		one(sources.Edited)
	case "str_replace_editor":
		switch args.Command.Text {
		case "view":
			one(sources.Viewed)
		case "create":
			one(sources.Created)
		default:
			one(sources.Edited)
		}
	case "apply_patch":
		out.touches = patchTouches(cmp.Or(args.Input, args.Patch))
	case "bash", "powershell", "shell", "local_shell":
		out.scan = scanOf(args.Command)
	case "read_bash", "read_powershell":
		out.scan = scanCommits // of a command sent to the background
	}
	return out
}

// patchTouches are the files a patch names.
func patchTouches(text string) []touch {
	var out []touch
	for _, f := range words.PatchFiles(text, -1) {
		out = append(out, touch{f.Path, f.Kind})
	}
	return out
}

// detail describes a call in one line: its description, else its command, else
// what it looks for, else its path, else the first text among its arguments.
func (p *logParser) detail(kind string, args *arguments) string {
	run := ""
	if kind == sources.ToolRun { // of others a sub-command, not what was run
		run = args.Command.Text
	}
	if text := cmp.Or(args.Description, run, args.Pattern, p.shorten(args.Path), args.Query, args.URL); text != "" {
		return inline(text)
	}
	if touches := patchTouches(cmp.Or(args.Input, args.Patch)); len(touches) > 0 {
		return words.OneLine(p.shorten(touches[0].path), detailSize)
	}
	return inline(p.shorten(args.First))
}

// inline makes one line of a call's argument, which may be a whole script.
func inline(text string) string {
	return words.OneLine(sources.Tilde(text[:min(len(text), 16*detailSize)]), detailSize)
}

// shorten writes a path relative to the session's project or its own folder, else
// with ~ for the home folder.
func (p *logParser) shorten(path string) string {
	slashed := strings.ReplaceAll(path, `\`, "/")
	if _, rest, ok := belowState(slashed); ok {
		return rest
	}
	root := strings.TrimRight(strings.ReplaceAll(p.root(), `\`, "/"), "/")
	switch {
	case root == "" || path == "":
	case slashed == root:
		return "."
	case strings.HasPrefix(slashed, root+"/"):
		return slashed[len(root)+1:]
	}
	return sources.Tilde(path)
}

// root is the folder of the session's project.
func (p *logParser) root() string {
	return cmp.Or(p.session.Place.GitRoot, p.session.Place.Cwd)
}

// pathKey makes two spellings of a path one: below the project and relative,
// with either slash.
func (p *logParser) pathKey(path string) string {
	return strings.TrimPrefix(p.shorten(strings.ReplaceAll(path, `\`, "/")), "./")
}
