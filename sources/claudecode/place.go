package claudecode

import (
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// place is where a session works. Each line tells the folder and the branch, and both change.
type place struct {
	root     string // of the home that holds the session
	cwd      string // the first one
	branch   string // the newest one
	original string // of a worktree that was made for the session
	worktree string
}

// at takes in what a line tells. In a folder without git the branch reads HEAD.
func (p *place) at(cwd, branch string) {
	if p.cwd == "" {
		p.cwd = cwd
	}
	if branch != "" && branch != "HEAD" {
		p.branch = branch
	}
}

func (p *place) inWorktree(w worktree) {
	if w.OriginalCwd != "" {
		p.original, p.worktree = w.OriginalCwd, w.WorktreePath
	}
}

// worktrees is the folder in a project that holds the worktrees of its sessions.
const worktrees = "/.claude/worktrees/"

// ofWorktree takes the path of a worktree apart that a project holds.
func ofWorktree(path string) (project, rest string, ok bool) {
	i := strings.Index(slashed(path), worktrees)
	if i < 0 {
		return "", "", false
	}
	rest = path[i+len(worktrees):]
	if end := strings.IndexAny(rest, `/\`); end >= 0 {
		return path[:i], rest[end:], true
	}
	return path[:i], "", true
}

// slashed is a path of any system with slashes, of the same length.
func slashed(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// project is the folder that a session works for: a worktree is one with the folder it was
// made of.
func (p *place) project() string {
	if p.original != "" {
		return p.original
	}
	if project, _, ok := ofWorktree(p.cwd); ok && project != "" {
		return project
	}
	return p.cwd
}

// inProject is a path in the project where it is one in a worktree of it.
func (p *place) inProject(path string) string {
	if rest, ok := strings.CutPrefix(path, p.worktree); ok && p.worktree != "" && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		return p.original + rest
	}
	if project, rest, ok := ofWorktree(path); ok && project != "" {
		return project + rest
	}
	return path
}

// isOwn tells whether a file is the program's own, in a home of it: no file of a project.
func (p *place) isOwn(path string) bool {
	path = slashed(path)
	for _, own := range []string{"plans/", "projects/", "tasks/", "todos/"} {
		if strings.Contains(path, "/.claude/"+own) || p.root != "" && strings.HasPrefix(path, slashed(p.root)+"/"+own) {
			return true
		}
	}
	return false
}

func (p *place) of() sources.Place { return sources.Place{Cwd: p.project(), Branch: p.branch} }

// folderName is what the program calls the folder of a project below projects/, cut where it
// puts a hash behind a long one.
func folderName(cwd string) string {
	const most = 200
	var b strings.Builder
	for _, r := range cwd {
		switch {
		case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9':
			b.WriteRune(r)
		case r > 0xffff: // two units of UTF-16
			b.WriteString("--")
		default:
			b.WriteByte('-')
		}
	}
	return b.String()[:min(b.Len(), most)]
}
