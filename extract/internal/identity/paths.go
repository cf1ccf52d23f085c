package identity

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sessionloom/sessionloom/extract/internal/texts"
	"github.com/sessionloom/sessionloom/extract/redact"
	"github.com/sessionloom/sessionloom/sources"
)

// WorkFolder returns the unified folder of a session, the git root before the working folder, if it can be a
// project, or "".
func WorkFolder(p sources.Place) string {
	for _, s := range []string{p.GitRoot, p.Cwd} {
		if f := UnifyPath(s); !IsJunkFolder(f) {
			return f
		}
	}
	return ""
}

// IsHere reports whether a folder may be on this machine, so that files may be looked for in it.
func IsHere(folder string) bool {
	return filepath.IsAbs(folder) && !strings.HasPrefix(filepath.ToSlash(folder), "//")
}

// UnifyPath returns a recorded path of any operating system in one form: slashes, no dots, drives as "c:/",
// also for spellings of WSL and Git, no "/private" of macOS. A relative path stays relative.
func UnifyPath(s string) string {
	p := strings.ReplaceAll(strings.TrimSpace(s), `\`, "/")
	if p == "" {
		return ""
	}
	p = norm.NFC.String(p) // macOS may use another form than was typed
	if scheme, rest, ok := strings.Cut(p, "://"); ok && len(scheme) > 1 {
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			p = rest[i:]
			if len(p) > 2 && isDrive(p[1:]) { // file:///C:/x
				p = p[1:]
			}
		}
	}
	p = strings.TrimPrefix(p, "//?/")
	if strings.HasPrefix(p, "//") {
		server, rest, _ := strings.Cut(p[2:], "/")
		if lower := strings.ToLower(server); lower != "wsl$" && lower != "wsl.localhost" {
			return "//" + path.Clean(server+"/"+rest)
		}
		_, rest, _ = strings.Cut(rest, "/") // the distribution
		p = "/" + rest
	}
	p = path.Clean(p)
	for _, mount := range []string{"/mnt/", "/cygdrive/"} {
		if rest, ok := strings.CutPrefix(p, mount); ok && isMountedDrive(rest) {
			p = rest[:1] + ":/" + strings.TrimPrefix(rest[1:], "/")
		}
	}
	if len(p) > 3 && strings.HasPrefix(strings.ToLower(p[2:]), "/users/") && isMountedDrive(p[1:]) {
		p = p[1:2] + ":" + p[2:] // /c/Users/x of Git for Windows
	}
	if isDrive(p) {
		return strings.ToLower(p[:1]) + ":" + path.Clean("/"+p[2:])
	}
	if strings.HasPrefix(p, "/private/tmp") || strings.HasPrefix(p, "/private/var") {
		return strings.TrimPrefix(p, "/private")
	}
	return p
}

func isDrive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && isASCIILetter(p[0])
}

func isMountedDrive(p string) bool {
	return p != "" && isASCIILetter(p[0]) && (len(p) == 1 || p[1] == '/')
}

func isASCIILetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isWindowsPath reports whether a unified path ignores case.
func isWindowsPath(p string) bool { return isDrive(p) || strings.HasPrefix(p, "//") }

func isAbsolute(p string) bool { return strings.HasPrefix(p, "/") || isDrive(p) }

// splitHome splits a unified path after its home folder: ok is false if it is in none, and rest is empty for
// the home folder itself.
func splitHome(p string) (rest string, ok bool) {
	switch {
	case p == "/root":
		return "", true
	case strings.HasPrefix(p, "/root/"):
		return p[len("/root/"):], true
	}
	q := p
	switch {
	case isDrive(p):
		q = p[2:]
	case strings.HasPrefix(p, "//"):
		if _, after, found := strings.Cut(p[2:], "/"); found {
			q = "/" + after
		}
	}
	q = strings.TrimPrefix(q, "/var") // /var/home of image-based systems
	for _, base := range []string{"/home/", "/users/"} {
		if len(q) > len(base) && strings.EqualFold(q[:len(base)], base) {
			_, rest, _ := strings.Cut(q[len(base):], "/")
			return rest, true
		}
	}
	return "", false
}

// IsJunkFolder reports whether a unified folder cannot be a project: a relative path, a bare home, a root, or
// a system folder in which editors and shells start by default.
func IsJunkFolder(p string) bool {
	if !isAbsolute(p) {
		return true
	}
	if rest, ok := splitHome(p); ok {
		rest = strings.ToLower(rest)
		return rest == "" || rest == "appdata/local/temp" || strings.HasPrefix(rest, "appdata/local/programs")
	}
	if strings.HasPrefix(p, "//") {
		return strings.Count(p, "/") < 3
	}
	q := p
	if isDrive(p) {
		q = strings.ToLower(p[2:])
		for _, system := range []string{"/windows", "/program files", "/program files (x86)"} {
			if q == system || strings.HasPrefix(q, system+"/") {
				return true
			}
		}
	}
	switch strings.ToLower(q) {
	case "/", "/home", "/users", "/var/home", "/tmp", "/var/tmp", "/var", "/usr", "/usr/bin", "/usr/local",
		"/etc", "/bin", "/opt", "/mnt", "/mnt/wsl", "/media", "/srv", "/applications", "/system", "/volumes", "/temp":
		return true
	}
	return false
}

// slugBase returns the last element of a folder for a key: letters, digits, "." and "_", all else "-".
func slugBase(base string) string {
	const limit = 40 // bytes
	slug := strings.Map(func(r rune) rune {
		if texts.IsWordRune(r) || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, norm.NFC.String(redact.Strip(base)))
	for strings.Contains(slug, "--") {
		slug = strings.ReplaceAll(slug, "--", "-")
	}
	return cmp.Or(strings.Trim(texts.CutRunes(slug, limit), "-. "), "folder")
}

// PathResolver resolves recorded paths against the folders of a session.
type PathResolver struct {
	root, cwd string     // unified; root is empty for several
	roots     []nameRoot // folders of a workspace with several
	session   string
}

// nameRoot is a folder of a workspace with its name in paths.
type nameRoot struct{ path, name string }

// NewPathResolver returns a resolver for the paths in one session.
func NewPathResolver(s *sources.Session) PathResolver {
	f := PathResolver{session: s.ID, cwd: UnifyPath(s.Place.Cwd)}
	if f.root = WorkFolder(s.Place); isWorkspace(s.Place) || f.root == "" {
		if f.roots = nameRoots(s.Place.Folders); len(f.roots) > 0 {
			f.root = ""
		} else if dir := UnifyPath(path.Dir(UnifyPath(s.Place.Workspace))); f.root == "" && !IsJunkFolder(dir) {
			f.root = dir // the folders of a workspace are mostly beside its file
		}
	}
	if f.root == "" && len(f.roots) == 0 && s.Place.Repository != "" && isAbsolute(f.cwd) {
		f.root = f.cwd // a repository that is the home folder
	}
	if !isAbsolute(f.cwd) {
		f.cwd = f.root
	}
	return f
}

// nameRoots names folders by their last element, as an editor shows them; equal ones by two elements.
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

// Relative returns the path relative to the project's root; ok is false outside it and for files of git and
// of the agent.
func (f PathResolver) Relative(recorded string) (string, bool) {
	p := UnifyPath(recorded)
	if p == "" || f.root == "" && len(f.roots) == 0 {
		return "", false
	}
	p = f.whole(p)
	if f.root != "" {
		rel, ok := f.below(f.root, p)
		return rel, ok
	}
	for _, r := range f.roots {
		if rel, ok := f.below(r.path, p); ok {
			return r.name + "/" + rel, true
		}
		if strings.HasPrefix(p, r.name+"/") { // named as in the editor
			return p, true
		}
	}
	return "", false
}

// whole returns a unified path from the working folder on, if that is known.
func (f PathResolver) whole(p string) string {
	if isAbsolute(p) || f.cwd == "" {
		return p
	}
	return UnifyPath(f.cwd + "/" + p)
}

// Elsewhere returns the path of a file outside the project's root, below ~ if it is in the home folder; ok is
// false for others, and if its folder is unknown.
func (f PathResolver) Elsewhere(recorded string) (string, bool) {
	_, inside := f.Relative(recorded)
	p := f.whole(UnifyPath(recorded))
	return FromHome(p), !inside && isAbsolute(p)
}

// Shown returns a file as a page names it: relative to the project's root if inside, else as recorded.
func (f PathResolver) Shown(recorded string) string {
	if isAbsolute(UnifyPath(recorded)) {
		if rel, ok := f.Relative(recorded); ok {
			return rel
		}
	}
	return recorded
}

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

// Key returns a path for comparison: without case if the disk ignores it.
func (f PathResolver) Key(p string) string {
	if isWindowsPath(f.root) || len(f.roots) > 0 && isWindowsPath(f.roots[0].path) {
		return strings.ToLower(p)
	}
	return p
}
