package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
)

// more is the last element of the name of a part that stands for files that were
// not looked at.
const more = "…"

// IsMore tells whether a part stands for files that were not looked at.
func IsMore(p sources.Part) bool { return path.Base(p.Name) == more }

// Parts gathers the parts of one item. What cannot be examined is told to Problem
// and the rest is still gathered.
type Parts struct {
	Dir     string // path of the item, where its parts lie below it by their names
	List    []sources.Part
	Problem func(path string, err error)
}

// Below is the path of a name in a folder whose path is clean: filepath.Join without
// cleaning what needs none, for there are many.
func Below(dir, name string) string { return dir + string(filepath.Separator) + name }

// Sorted returns the parts in the order of the contract, of their exact size.
func (l *Parts) Sorted() []sources.Part {
	slices.SortFunc(l.List, func(a, b sources.Part) int { return strings.Compare(a.Name, b.Name) })
	return slices.Concat(l.List) // of the exact size: there are many items
}

// File adds a part that must be a plain file; one that vanished is left out. The
// entry may be nil.
func (l *Parts) File(name, path string, entry fs.DirEntry) {
	if info, ok := l.stat(path, entry); ok {
		l.add(name, path, StampOf(info))
	}
}

// add leaves the path out where name and folder tell it: there are many parts.
func (l *Parts) add(name, path string, st sources.Stamp) {
	if l.Dir != "" && path == Below(l.Dir, filepath.FromSlash(name)) {
		path = ""
	}
	l.List = append(l.List, sources.Part{Name: name, Path: path, Stamp: st})
}

// Database adds a SQLite database, stamped together with what holds its newest
// rows.
func (l *Parts) Database(name, path string) {
	if info, ok := l.stat(path, nil); ok {
		l.add(name, path, StampDatabase(path, info))
	}
}

// Tree adds the files below a folder in order of name, to a depth and a number.
// What lies beyond is told by one part of its own, see IsMore.
func (l *Parts) Tree(name, dir string, depth int, left *int) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			l.Problem(dir, err)
		}
		return
	}
	for _, entry := range entries {
		part, at := name+"/"+entry.Name(), Below(dir, entry.Name())
		switch {
		case *left <= 0 || entry.IsDir() && depth == 0:
			l.List = append(l.List, sources.Part{Name: name + "/" + more, Path: dir})
			return
		case entry.IsDir():
			l.Tree(part, at, depth-1, left)
		default:
			*left--
			l.File(part, at, entry)
		}
	}
}

// stat looks at a file without following a link, which could lead anywhere.
func (l *Parts) stat(path string, entry fs.DirEntry) (info fs.FileInfo, ok bool) {
	var err error
	if entry != nil {
		info, err = entry.Info()
	} else {
		info, err = os.Lstat(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist): // it vanished since the folder was read
	case err != nil:
		l.Problem(path, err)
	case !info.Mode().IsRegular():
		l.Problem(path, fmt.Errorf("list %q: %w", path, ErrNotRegular))
	default:
		return info, true
	}
	return nil, false
}
