package identity

import (
	"path"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// PathResolver resolves recorded paths against the folders of a session.
type PathResolver struct {
	root, cwd string     // unified; root is empty where there are several
	roots     []nameRoot // of a workspace of several folders
	session   string
}

// nameRoot is a folder of a workspace under the name its files go by.
type nameRoot struct{ path, name string }

// NewPathResolver resolves the paths in one session.
func NewPathResolver(s *sources.Session) PathResolver {
	f := PathResolver{session: s.ID, cwd: UnifyPath(s.Place.Cwd)}
	if f.root = WorkFolder(s.Place); isWorkspace(s.Place) || f.root == "" {
		if f.roots = nameRoots(s.Place.Folders); len(f.roots) > 0 {
			f.root = ""
		} else if dir := UnifyPath(path.Dir(UnifyPath(s.Place.Workspace))); f.root == "" && !IsJunkFolder(dir) {
			f.root = dir // the folders of a workspace mostly lie beside its file
		}
	}
	if !isAbsolute(f.cwd) {
		f.cwd = f.root
	}
	return f
}

// nameRoots calls folders by their last element, as an editor shows them; those
// called alike by one more.
func nameRoots(folders []string) []nameRoot {
	var out []nameRoot
	count := map[string]int{}
	for _, f := range folders {
		if f = UnifyPath(f); !IsJunkFolder(f) {
			out = append(out, nameRoot{f, path.Base(f)})
			count[path.Base(f)]++
		}
	}
	for i, r := range out {
		if count[r.name] > 1 {
			out[i].name = path.Base(path.Dir(r.path)) + "/" + r.name
		}
	}
	return out
}

// Relative gives the path from the project's root, false for a path outside
// and for files of git and of the agent.
func (f PathResolver) Relative(recorded string) (string, bool) {
	p := UnifyPath(recorded)
	if p == "" || f.root == "" && len(f.roots) == 0 {
		return "", false
	}
	if !isAbsolute(p) && f.cwd != "" {
		p = UnifyPath(f.cwd + "/" + p)
	}
	if f.root != "" {
		rel, ok := f.below(f.root, p)
		return rel, ok
	}
	for _, r := range f.roots {
		if rel, ok := f.below(r.path, p); ok {
			return r.name + "/" + rel, true
		}
		if strings.HasPrefix(p, r.name+"/") { // named as the editor shows it
			return p, true
		}
	}
	return "", false
}

// Shown is a file as a page names it: from the project's root where it lies
// there, else as it was recorded.
func (f PathResolver) Shown(recorded string) string {
	if isAbsolute(UnifyPath(recorded)) {
		if rel, ok := f.Relative(recorded); ok {
			return rel
		}
	}
	return recorded
}

// below gives the path p has from the folder root.
func (f PathResolver) below(root, p string) (string, bool) {
	root = strings.TrimSuffix(root, "/") + "/"
	if len(p) <= len(root) {
		return "", false
	}
	head, rel := p[:len(root)], p[len(root):]
	if inside := head == root || isWindowsPath(p) && strings.EqualFold(head, root); !inside {
		return "", false
	}
	first, _, _ := strings.Cut(rel, "/")
	if first == ".git" || f.session != "" && strings.Contains("/"+rel, "/session-state/"+f.session+"/") {
		return "", false
	}
	return rel, true
}

// Key is what a path is compared by: its case counts only where it counts on disk.
func (f PathResolver) Key(p string) string {
	if isWindowsPath(f.root) || len(f.roots) > 0 && isWindowsPath(f.roots[0].path) {
		return strings.ToLower(p)
	}
	return p
}
