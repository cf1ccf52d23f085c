// Package places tells where a session of Claude Code works, and which project that is.
package places

import (
	"cmp"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// Place is where a session works. Each line tells the folder and the branch, and both change.
type Place struct {
	Root     string // of the home that holds the session
	Cwd      string // the first one
	branch   string // the newest one
	original string // of a worktree that was made for the session
	worktree string
}

// At takes in what a line tells. In a folder without git the branch reads HEAD.
func (p *Place) At(cwd, branch string) {
	if p.Cwd == "" {
		p.Cwd = cwd
	}
	if branch != "" && branch != "HEAD" {
		p.branch = branch
	}
}

// InWorktree takes in that the session was given a worktree.
func (p *Place) InWorktree(original, worktree string) {
	if original != "" {
		p.original, p.worktree = original, worktree
	}
}

// worktrees is the folder in a project that holds the worktrees of its sessions.
const worktrees = "/.claude/worktrees/"

// ofWorktree takes the path of a worktree apart that a project holds; another
// path is a project as a whole.
func ofWorktree(path string) (project, rest string) {
	i := strings.Index(Slashed(path), worktrees)
	if i <= 0 {
		return path, ""
	}
	rest = path[i+len(worktrees):]
	end := strings.IndexAny(rest+"/", `/\`)
	return path[:i], rest[end:]
}

// Slashed is a path of any system with slashes, of the same length.
func Slashed(path string) string { return strings.ReplaceAll(path, `\`, "/") }

// ProjectOf is the folder that a session works for: a worktree is one with the folder it was
// made of.
func ProjectOf(cwd string) string {
	project, _ := ofWorktree(cwd)
	return project
}

// InProject is a path in the project where it is one in a worktree of it.
func (p *Place) InProject(path string) string {
	if rest, ok := strings.CutPrefix(path, p.worktree); ok && p.worktree != "" && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		return p.original + rest
	}
	project, rest := ofWorktree(path)
	return project + rest
}

// IsOwn tells whether a file is the program's own, in a home of it: no file of a project.
func (p *Place) IsOwn(path string) bool {
	path = Slashed(path)
	inProject := p.Cwd != "" && strings.HasPrefix(path, Slashed(ProjectOf(p.Cwd))+"/") // which may have such folders of its own
	for _, own := range []string{"plans/", "projects/", "tasks/", "todos/"} {
		if !inProject && strings.Contains(path, "/.claude/"+own) || p.Root != "" && strings.HasPrefix(path, Slashed(p.Root)+"/"+own) {
			return true
		}
	}
	return false
}

// Of is the place in the form of the model.
func (p *Place) Of() sources.Place {
	return sources.Place{Cwd: cmp.Or(p.original, ProjectOf(p.Cwd)), Branch: p.branch}
}
