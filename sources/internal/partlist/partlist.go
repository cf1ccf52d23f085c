// Package partlist finds the parts of an item by folder reads and stat alone.
package partlist

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
	"github.com/sessionloom/sessionloom/sources/internal/stamp"
	"github.com/sessionloom/sessionloom/sources/internal/textfile"
)

// More is the last element of the name of a part that stands for files that were
// not looked at.
const More = "…"

// IsMore tells whether a part stands for files that were not looked at.
func IsMore(p sources.Part) bool { return path.Base(p.Name) == More }

// List gathers the parts of one item. What cannot be examined is told to Problem
// and the rest is still gathered.
type List struct {
	Dir     string // path of the item, where its parts lie below it by their names
	Parts   []sources.Part
	Problem func(path string, err error)
}

// Below is the path of a name in a folder whose path is clean: filepath.Join without
// cleaning what needs none, for there are many.
func Below(dir, name string) string { return dir + string(filepath.Separator) + name }

// Sorted returns the parts in the order of the contract, of their exact size.
func (l *List) Sorted() []sources.Part {
	slices.SortFunc(l.Parts, func(a, b sources.Part) int { return strings.Compare(a.Name, b.Name) })
	return slices.Concat(l.Parts) // of the exact size: there are many items
}

// File adds a part that must be a plain file; one that vanished is left out. The
// entry may be nil.
func (l *List) File(name, path string, entry fs.DirEntry) {
	if info, ok := l.Stat(path, entry); ok {
		l.add(name, path, stamp.Of(info))
	}
}

// add leaves the path out where name and folder tell it: there are many parts.
func (l *List) add(name, path string, st sources.Stamp) {
	if below, ok := strings.CutPrefix(path, l.Dir); ok && l.Dir != "" && below != "" && os.IsPathSeparator(below[0]) && filepath.ToSlash(below[1:]) == name {
		path = ""
	}
	l.Parts = append(l.Parts, sources.Part{Name: name, Path: path, Stamp: st})
}

// Database adds a SQLite database, stamped together with what holds its newest
// rows.
func (l *List) Database(name, path string) {
	info, ok := l.Stat(path, nil)
	if !ok {
		return
	}
	l.add(name, path, stamp.Database(path, info))
}

// Tree adds the files below a folder in order of name, to a depth and a number.
// What lies beyond is told by one part of its own, see More.
func (l *List) Tree(name, dir string, depth int, left *int) {
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
			l.Parts = append(l.Parts, sources.Part{Name: name + "/" + More, Path: dir})
			return
		case entry.IsDir():
			l.Tree(part, at, depth-1, left)
		default:
			*left--
			l.File(part, at, entry)
		}
	}
}

// Stat looks at a file without following a link, which could lead anywhere.
func (l *List) Stat(path string, entry fs.DirEntry) (info fs.FileInfo, ok bool) {
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
		l.Problem(path, fmt.Errorf("list %q: %w", path, textfile.ErrNotRegular))
	default:
		return info, true
	}
	return nil, false
}
