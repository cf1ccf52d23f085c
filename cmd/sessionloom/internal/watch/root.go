package watch

import (
	"path"
	"slices"
	"strings"
)

// Root is a folder below which changes matter. It need not exist.
type Root struct {
	Path string
	// Files are patterns of path.Match of what is worth a pass when it changes,
	// from Path on, with slashes: "*/events.jsonl". Only folders on the way to
	// them are watched.
	Files []string
}

// level is what matters among the entries of one folder.
type level struct {
	files   []string          // patterns of what is worth a pass
	folders map[string]*level // by pattern: those to be watched too
}

// levelOf joins the patterns of a root to a tree of levels.
func levelOf(files []string) *level {
	top := &level{}
	for _, f := range files {
		at := top
		for rest := f; ; {
			first, more, deeper := strings.Cut(rest, "/")
			if !deeper {
				at.files = append(at.files, first)
				break
			}
			if at.folders == nil {
				at.folders = map[string]*level{}
			}
			if at.folders[first] == nil {
				at.folders[first] = &level{}
			}
			at, rest = at.folders[first], more
		}
	}
	return top
}

// below gives what matters in the folder of that name, nil where nothing does.
// What several patterns say of it counts together.
func (l *level) below(name string) *level {
	var found *level
	for pattern, sub := range l.folders {
		switch {
		case !matches(pattern, name):
		case found == nil:
			found = sub
		default:
			found = found.with(sub)
		}
	}
	return found
}

// with is both levels in one.
func (l *level) with(other *level) *level {
	sum := &level{files: slices.Concat(l.files, other.files), folders: map[string]*level{}}
	for _, from := range []*level{l, other} {
		for pattern, sub := range from.folders {
			if have := sum.folders[pattern]; have != nil {
				sub = have.with(sub)
			}
			sum.folders[pattern] = sub
		}
	}
	return sum
}

// hasFile tells whether a change of the entry is worth a pass.
func (l *level) hasFile(name string) bool {
	return slices.ContainsFunc(l.files, func(pattern string) bool { return matches(pattern, name) })
}

// matches is path.Match without wildcards standing for a dot at the start: what
// is hidden is named or does not matter.
func matches(pattern, name string) bool {
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(pattern, ".") {
		return false
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}
