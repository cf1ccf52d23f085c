package chat

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// fileList are touches of files in order of the first, each path and kind once.
type fileList struct {
	all []sources.FileTouch
	at  map[string][]int // by path
}

// add notes a touch.
func (l *fileList) add(path, kind, tool string) *sources.FileTouch {
	for _, i := range l.at[path] {
		if f := &l.all[i]; f.Kind == kind {
			f.Tool = cmp.Or(f.Tool, tool)
			return f
		}
	}
	if path == "" {
		return &sources.FileTouch{}
	}
	if l.at == nil {
		l.at = map[string][]int{}
	}
	l.at[path] = append(l.at[path], len(l.all))
	l.all = append(l.all, sources.FileTouch{Path: path, Kind: kind, Tool: tool, Turn: -1})
	return &l.all[len(l.all)-1]
}

func (l *fileList) has(path, kind string) bool {
	return slices.ContainsFunc(l.at[path], func(i int) bool { return l.all[i].Kind == kind })
}

// list leaves out the edits that made up the files a tool created: those of no tool.
func (l *fileList) list() []sources.FileTouch {
	var out []sources.FileTouch
	for _, f := range l.all {
		if f.Kind != sources.Edited || f.Tool != "" || !l.has(f.Path, sources.Created) {
			out = append(out, f)
		}
	}
	return out
}

// What a person did with an edited file (editedFileEvents). 3 is that they
// changed it further, which says nothing of the edit.
var verdicts = map[int64]sources.Verdict{1: sources.Accepted, 2: sources.Rejected}

// filesOf joins the files an answer touched with what the person made of the
// edits, the files they attached and those the answer was made of.
func filesOf(r *chatlog.Request, touched []sources.FileTouch, attached []string) []sources.FileTouch {
	var l fileList
	for _, f := range touched {
		l.add(f.Path, f.Kind, f.Tool)
	}
	for _, e := range r.EditedFileEvents {
		if v, path := verdicts[e.Kind], e.URI.File(); v != "" && path != "" {
			l.judge(path, v)
		}
	}
	for _, path := range attached {
		l.mention(path, sources.Viewed)
	}
	for _, ref := range r.ContentReferences {
		place := ref.Reference
		if place != nil && place.Value != nil { // {variableName, value}
			place = place.Value
		}
		if place == nil {
			continue
		}
		u := place.URI()
		if text := place.Text; strings.HasPrefix(text, "file:") || strings.HasPrefix(text, "vscode-remote:") {
			u, _ = editor.ParseURI(text)
		}
		l.mention(u.File(), sources.Mentioned)
	}
	return l.all
}

// judge puts a verdict on the changes of a file.
func (l *fileList) judge(path string, v sources.Verdict) {
	found := false
	for _, i := range l.at[path] {
		if f := &l.all[i]; f.Kind != sources.Viewed && f.Kind != sources.Mentioned {
			f.Verdict, found = v, true
		}
	}
	if !found {
		l.add(path, sources.Edited, "").Verdict = v
	}
}

// mention adds a touch unless the file is there already.
func (l *fileList) mention(path, kind string) {
	if len(l.at[path]) == 0 {
		l.add(path, kind, "")
	}
}

// editedRoot is the deepest folder that holds all changed files. One that holds
// people's homes, or a whole home, says nothing.
func editedRoot(files []sources.FileTouch) string {
	var root []string
	for _, f := range files {
		p := path.Clean(strings.ReplaceAll(f.Path, `\`, "/"))
		if f.Kind == sources.Viewed || f.Kind == sources.Mentioned || !isAbsolute(p) {
			continue
		}
		dir := strings.Split(path.Dir(p), "/")
		if root == nil {
			root = dir
		}
		n := 0
		for n < len(root) && n < len(dir) && root[n] == dir[n] {
			n++
		}
		root = root[:n:n]
	}
	if len(root) < 3 || len(root) == 3 && slices.Contains([]string{"home", "Users", "users"}, root[1]) {
		return ""
	}
	return strings.Join(root, "/")
}

func isAbsolute(p string) bool {
	return strings.HasPrefix(p, "/") || len(p) > 2 && p[1] == ':' && p[2] == '/'
}
