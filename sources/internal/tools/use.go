package tools

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/sign"
)

// DetailSize limits the line about a call, in bytes.
const DetailSize = 200

// Use describes a call.
type Use struct {
	Kind    string // one of the kinds of tools
	Does    Does
	Detail  string // one line
	Command string // command that it runs, whole, or ""
	Files   []File // files, with what it does to them if it succeeds
}

// About describes a call by the raw name of the tool, its MCP server if any, and its arguments.
func About(name, server string, a *Arguments) Use {
	k := lookUp(name)
	if server != "" {
		k = known{kind: sources.ToolMCP}
	}
	plain, run := Plain(name), a.Command.Line()
	patch := slices.Clone(a.Patch.Files)
	switch {
	case strings.HasPrefix(plain, "str_replace_") && (a.Command.Text == "view" || a.Command.Text == "create"):
		k = exact[a.Command.Text]
	case k.does == Runs && len(a.Command.Words) > 0 && strings.HasPrefix(a.Command.Words[0], "apply") && len(PatchFiles(run)) > 0: // seen in files of Codex 0.8
		patch, run, k = PatchFiles(run), "", exact["apply_patch"]
	case k.does == Runs && (strings.Contains(run, "apply_patch") || strings.Contains(run, "applypatch")):
		patch = PatchFiles(run)
	case k.does == Edits && len(patch) == 0 && len(PatchFiles(run)) > 0:
		patch = PatchFiles(run)
	}
	u := Use{Kind: k.kind, Does: k.does}
	if k.kind == sources.ToolRun {
		u.Command = run
	}
	u.add(File{Path: a.Path})
	for _, f := range a.Replacements {
		u.add(File{Path: f.Path})
	}
	for _, path := range a.FilePaths {
		u.add(File{Path: path})
	}
	for _, f := range patch {
		u.add(f)
	}
	u.Detail = Line(u.about(a))
	return u
}

// touches maps the effect of a tool to a kind of file touch.
var touches = map[Does]string{Reads: sources.Viewed, Edits: sources.Edited, Creates: sources.Created, Deletes: sources.Deleted}

func (u *Use) add(f File) {
	if f.Path = PlainPath(f.Path); f.Path == "" || len(u.Files) >= maxFiles {
		return
	}
	f.Kind = cmp.Or(f.Kind, touches[u.Does])
	if !slices.Contains(u.Files, f) {
		u.Files = append(u.Files, f)
	}
}

// PlainPath returns a path as a person writes it: some agents have a URL, and Windows may put \\?\
// before it. A text of several lines is not a path.
func PlainPath(path string) string {
	switch path = strings.TrimSpace(path); {
	case strings.ContainsAny(path, "\r\n"), strings.HasPrefix(path, "data:"): // a text, or a picture
		return ""
	case strings.HasPrefix(path, "file://"):
		rest := strings.TrimPrefix(path, "file://")
		if plain, err := url.PathUnescape(rest); err == nil {
			rest = plain
		}
		if len(rest) > 2 && rest[0] == '/' && rest[2] == ':' { // a drive
			rest = rest[1:]
		}
		return rest
	case strings.Contains(path, "://"):
		u, _ := editor.ParseURI(path)
		return u.File()
	}
	return strings.TrimPrefix(path, `\\?\`)
}

// about returns the subject of a call before it is cut to a line: its title, else its command, files,
// search or question, else the first text among its arguments.
func (u *Use) about(a *Arguments) string {
	if a.TaskID.Text != "" && u.Does == Task {
		return strings.TrimSpace("task " + a.TaskID.Text + " " + a.Status)
	}
	files := Paths(u.Files)
	switch {
	case u.Kind == sources.ToolRun:
		return cmp.Or(a.Description, u.Command, a.First, a.ShellID.Text)
	case u.Does != Nothing && u.Does <= Deletes:
		return cmp.Or(files, a.Description, a.Query, a.Pattern, a.First)
	case u.Does == Asks:
		for _, q := range a.Asked() {
			return q.Words()
		}
	case u.Does == Lists:
		return ""
	case u.Kind == sources.ToolWeb && len(a.URL)+len(a.URLs) > 0:
		return cmp.Or(a.URL, strings.Join(a.URLs, " "))
	case u.Does == Delegates:
		return cmp.Or(a.Description, a.TaskName, a.AgentName, a.Prompt, Readable(a.Message), a.First)
	}
	return cmp.Or(a.Subject, a.Description, a.Pattern, a.Query, a.IncludePattern, a.Symbol, files, a.URL, strings.Join(a.URLs, " "),
		a.Skill, a.Fact, a.Plan.Text, a.ToolSummary, a.First, a.Patch.Text, a.Text)
}

// Readable returns a task if a person can read it: a task that a provider encrypted has no blanks.
func Readable(text string) string {
	if text = strings.TrimSpace(text); !strings.ContainsAny(text, " \n") {
		return ""
	}
	return text
}

// Assignment returns the name of a sub-agent, else its kind, and its task.
func (a *Arguments) Assignment() (name, task string) {
	return cmp.Or(a.Description, a.TaskName, a.AgentName), cmp.Or(a.Prompt, Readable(a.Message), a.Objective, a.Question)
}

// Paths names the first three of the files in a line.
func Paths(files []File) string {
	var paths []string
	for _, f := range files[:min(len(files), 3)] {
		paths = append(paths, f.Path)
	}
	return strings.Join(paths, ", ")
}

// Line describes a call in one line.
func Line(text string) string {
	for _, homes := range []string{"/home/", "/Users/"} { // a plain path, at a glance
		if rest, ok := strings.CutPrefix(text, homes); ok && len(text) <= DetailSize && !strings.ContainsAny(text, " \t\r\n\f\v\"'=:(,\x1b\u009b\u2028\u2029") {
			if user, below, ok := strings.Cut(rest, "/"); ok && user != "" && !strings.ContainsFunc(below, func(r rune) bool { return r < ' ' || r > '~' }) {
				return "~/" + below
			}
		}
	}
	return words.OneLine(sources.Tilde(text[:sign.Word(text, 16*DetailSize)]), DetailSize) // it may be a whole script
}

// Patch holds the files of a patch, or the beginning of another text.
type Patch struct {
	Files []File
	Text  string
}

// ReadJSON implements decode.Reader.
func (p *Patch) ReadJSON(d *decode.Decoder) (fits bool, err error) {
	if d.PeekKind() != '"' {
		return false, d.SkipValue()
	}
	var text string
	err = d.Read(&text)
	*p = patchOf(text)
	return true, err
}

// File is a file, with one of the kinds of file touches.
type File struct{ Path, Kind string }

// Limits of what is kept of a patch.
const (
	maxFiles = 200
	maxText  = 2 << 10 // bytes
)

// PatchFiles returns the files that a patch names, or none if the text is not a patch.
func PatchFiles(text string) []File { return patchOf(text).Files }

// patchVerbs maps the verbs in headers of a patch to kinds of file touches.
var patchVerbs = map[string]string{
	"Add File": sources.Created, "Update File": sources.Edited, "Delete File": sources.Deleted, "Move to": sources.Renamed,
}

// patchOf reads the headers of a patch. A move is a deletion of the old path and a rename to the new one.
func patchOf(text string) Patch {
	var out []File
	for line := range strings.Lines(text) {
		header, ok := strings.CutPrefix(strings.TrimRight(line, " \t\r\n"), "*** ")
		if !ok || len(out) >= maxFiles {
			continue
		}
		verb, path, _ := strings.Cut(header, ": ")
		path, kind := decode.Cut(strings.TrimSpace(path), maxText), patchVerbs[verb]
		if path == "" || kind == "" {
			continue
		}
		if n := len(out); kind == sources.Renamed && n > 0 && out[n-1].Kind == sources.Edited {
			out[n-1].Kind = sources.Deleted
		}
		out = append(out, File{path, kind})
	}
	if len(out) > 0 {
		return Patch{Files: out}
	}
	return Patch{Text: decode.Cut(text, maxText)}
}
