package repo

import (
	"path/filepath"
	"strings"
)

// maxSymbolic is how often a symbolic reference may lead on to another.
const maxSymbolic = 5

// Head names the commit that is checked out, or the branch that has none yet.
// It reads two or three small files and starts no process, for idle runs ask
// for it; only where branches are kept in another form than files git is asked.
func (r *Repo) Head() string {
	name := "HEAD"
	for range maxSymbolic {
		text := r.ref(name)
		next, symbolic := strings.CutPrefix(text, "ref: ")
		switch {
		case text == "":
			return name // a branch without a commit
		case !symbolic:
			return text
		case next == "refs/heads/.invalid": // reftable
			return r.askHead()
		}
		name = strings.TrimSpace(next)
	}
	return name
}

// Born tells whether the branch that is checked out has a commit.
func (r *Repo) Born() bool {
	head := r.Head()
	return len(head) >= 40 && strings.Trim(head, "0123456789abcdef") == ""
}

// ref is what a reference holds: a commit, or where it leads on to.
func (r *Repo) ref(name string) string {
	path := filepath.FromSlash(name)
	if !filepath.IsLocal(path) {
		return ""
	}
	if text := readSmall(filepath.Join(r.gitDir, path)); text != "" {
		return text
	}
	if text := readSmall(filepath.Join(r.common, path)); text != "" {
		return text
	}
	for line := range strings.Lines(readSmall(filepath.Join(r.common, "packed-refs"))) {
		if hash, ok := strings.CutSuffix(strings.TrimSpace(line), " "+name); ok {
			return hash
		}
	}
	return ""
}
