package copilotcli

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/oneline"
	"github.com/sessionloom/sessionloom/sources/internal/patch"
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
func effectsOf(name string, args rawJSON) effects {
	out := effects{}
	if strings.Contains(name, "github") {
		out.refs = refsOfArguments(args)
	}
	var f [2]rawJSON
	if args.pick([]string{"path", "command"}, f[:]) != nil && name != "apply_patch" {
		return out
	}
	path, command := f[0].text(), f[1]
	one := func(kind string) {
		if path != "" {
			out.touches = append(out.touches, touch{path, kind})
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
		switch command.text() {
		case "view":
			one(sources.Viewed)
		case "create":
			one(sources.Created)
		default:
			one(sources.Edited)
		}
	case "apply_patch":
		out.touches = patchTouches(patchOf(args))
	case "bash", "powershell", "shell", "local_shell":
		out.scan = scanOf(command)
	case "read_bash", "read_powershell":
		out.scan = scanCommits // of a command sent to the background
	}
	return out
}

// patchOf returns the text of a patch, which is the whole argument or a member.
func patchOf(args rawJSON) string {
	if args.isString() {
		return args.text()
	}
	return cmp.Or(args.get("input").text(), args.get("patch").text())
}

// patchTouches are the files a patch names.
func patchTouches(text string) []touch {
	var out []touch
	for _, f := range patch.Files(text, -1) {
		out = append(out, touch{f.Path, f.Kind})
	}
	return out
}

// detail describes a call in one line: its description, else its command, else
// what it looks for, else its path, else the first text among its arguments.
func (p *logParser) detail(kind string, args rawJSON) string {
	keys := []string{"description", "command", "pattern", "path", "query", "url"}
	f := make([]rawJSON, len(keys))
	if args.pick(keys, f) != nil {
		if touches := patchTouches(args.text()); len(touches) > 0 {
			return oneline.Clip(p.shorten(touches[0].path), detailSize)
		}
		return ""
	}
	if kind != sources.ToolRun {
		f[1] = nil // a sub-command, not what was run
	}
	for i, value := range f {
		text := value.text()
		if text == "" {
			continue
		}
		if keys[i] == "path" {
			text = p.shorten(text)
		}
		return inline(text)
	}
	if touches := patchTouches(patchOf(args)); len(touches) > 0 {
		return oneline.Clip(p.shorten(touches[0].path), detailSize)
	}
	text := ""
	_ = args.members(func(_, value rawJSON) bool {
		text = value.text()
		return text == ""
	})
	return inline(p.shorten(text))
}

// inline makes one line of a call's argument, which may be a whole script.
func inline(text string) string {
	return oneline.Clip(sources.Tilde(text[:min(len(text), 16*detailSize)]), detailSize)
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
