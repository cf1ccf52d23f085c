package chat

import (
	"path"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
)

// What a person did with an edited file (editedFileEvents). 3 is that they
// changed it further, which says nothing of the edit.
const (
	eventKeep = 1
	eventUndo = 2
)

// filesOf joins the files an answer touched with what the person made of the
// edits, the files they attached and those the answer was made of.
func filesOf(r *chatlog.Request, touched, attached []sources.FileTouch) []sources.FileTouch {
	l := fileList{all: slices.Clone(touched), at: map[string][]int{}}
	for i, f := range l.all {
		l.at[f.Path] = append(l.at[f.Path], i)
	}
	for _, e := range r.EditedFileEvents {
		var verdict sources.Verdict
		switch e.Kind {
		case eventKeep:
			verdict = sources.Accepted
		case eventUndo:
			verdict = sources.Rejected
		}
		if path := e.URI.File(); verdict != "" && path != "" {
			l.judge(path, verdict)
		}
	}
	for _, f := range attached {
		l.mention(f)
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
			u, _ = places.ParseURI(text)
		}
		if u.File() != "" {
			l.mention(sources.FileTouch{Path: u.File(), Kind: sources.Mentioned})
		}
	}
	return l.all
}

// fileList are the touches of a request, which may be many.
type fileList struct {
	all []sources.FileTouch
	at  map[string][]int // by path
}

func (l *fileList) add(f sources.FileTouch) {
	l.at[f.Path] = append(l.at[f.Path], len(l.all))
	l.all = append(l.all, f)
}

// judge puts a verdict on the changes of a file.
func (l *fileList) judge(file string, v sources.Verdict) {
	found := false
	for _, i := range l.at[file] {
		if f := &l.all[i]; f.Kind != sources.Viewed && f.Kind != sources.Mentioned {
			f.Verdict, found = v, true
		}
	}
	if !found {
		l.add(sources.FileTouch{Path: file, Kind: sources.Edited, Verdict: v})
	}
}

// mention adds a touch unless the file is there already.
func (l *fileList) mention(f sources.FileTouch) {
	if len(l.at[f.Path]) == 0 {
		l.add(f)
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
			continue
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
