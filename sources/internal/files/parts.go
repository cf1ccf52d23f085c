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
	"time"

	"github.com/sessionloom/sessionloom/sources"
)

// more ends the name of a part for files that were not looked at.
const more = "…"

// IsMore reports whether a part stands for files that were not looked at.
func IsMore(p sources.Part) bool { return path.Base(p.Name) == more }

// Parts collects the parts of one item. A file that cannot be examined is reported to Problem.
type Parts struct {
	Dir     string // path of the item, if its parts are below it by name
	List    []sources.Part
	Problem func(path string, err error)
}

// Below joins a clean folder and a name, faster than filepath.Join.
func Below(dir, name string) string { return dir + string(filepath.Separator) + name }

// Sorted returns the parts in the order of the contract, with no spare capacity.
func (l *Parts) Sorted() []sources.Part {
	slices.SortFunc(l.List, func(a, b sources.Part) int { return strings.Compare(a.Name, b.Name) })
	return slices.Concat(l.List) // no spare capacity, as there are many items
}

// File adds a plain file if it still exists. The entry may be nil.
func (l *Parts) File(name, path string, entry fs.DirEntry) {
	if info, ok := l.stat(path, entry); ok {
		l.add(name, path, StampOf(info))
	}
}

// add leaves out a path that follows from name and folder, as there are many parts.
func (l *Parts) add(name, path string, st sources.Stamp) {
	if l.Dir != "" && path == Below(l.Dir, filepath.FromSlash(name)) {
		path = ""
	}
	l.List = append(l.List, sources.Part{Name: name, Path: path, Stamp: st})
}

// Each adds the files among the entries of a folder whose names have one of these suffixes.
func (l *Parts) Each(name, dir string, entries []fs.DirEntry, ends ...string) {
	for _, e := range entries {
		if !e.IsDir() && slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(e.Name(), end) }) {
			l.File(name+e.Name(), Below(dir, e.Name()), e)
		}
	}
}

// Shared adds a file that is also a part of other items.
func (l *Parts) Shared(name, path string) {
	n := len(l.List)
	if l.File(name, path, nil); len(l.List) > n {
		l.List[n].Shared = true
	}
}

// Database adds a SQLite database, stamped together with its newest rows.
func (l *Parts) Database(name, path string) {
	if info, ok := l.stat(path, nil); ok {
		l.add(name, path, stampDatabase(path, info))
	}
}

// Tree adds the files below a folder in order of name, up to a depth and a number. One part stands for
// the rest, see IsMore.
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

// Folder adds one part for all files of a folder, stamped together, if there are any.
func (l *Parts) Folder(name, dir string, entries []fs.DirEntry) {
	p, names := sources.Part{Name: name, Path: dir}, map[string]bool{}
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist): // it vanished since the folder was read
		case err != nil:
			l.Problem(dir, err)
		default:
			names[e.Name()] = true
			p.Stamp.Size += info.Size()
			p.Stamp.MTime = max(p.Stamp.MTime, info.ModTime().UnixNano())
		}
	}
	if len(names) > 0 {
		p.Stamp.Inode = StampNames(names).Inode
		l.List = append(l.List, p)
	}
}

// stat examines a file without following a link, which could lead anywhere.
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
	case isPointer(path, info.Size()):
		l.Problem(filepath.Dir(path), ErrPointer)
	default:
		return info, true
	}
	return nil, false
}

// isPointer reports whether Git LFS wrote a file in place of another one. Only files of that size are opened.
func isPointer(path string, size int64) bool {
	const least, most = 120, 150
	if size < least || size > most {
		return false
	}
	text, err := ReadText(path, most)
	return err == nil && strings.HasPrefix(text.Body, "version https://git-lfs.github.com/spec/v1\n")
}

// Lister builds a listing.
type Lister struct {
	Source  string // name of the source
	Program string // display name of the program
	Out     sources.Listing
}

// Problem reports something that was not looked at.
func (l *Lister) Problem(item, path string, err error) {
	l.Out.Problems = append(l.Out.Problems, Problem(l.Source, l.Program, item, path, err))
}

// Parts returns a collector for the parts of an item; problems are reported under name.
func (l *Lister) Parts(name string) Parts {
	return Parts{Problem: func(path string, err error) { l.Problem(name, path, err) }}
}

// ReadDir lists a folder; a missing one is empty.
func (l *Lister) ReadDir(item, path string) []os.DirEntry {
	if path == "" {
		return nil
	}
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.Problem(item, path, err)
	}
	return entries
}

// ReadInfo is ReadDir for a folder whose entries are all stamped: it is faster.
func (l *Lister) ReadInfo(item, path string) []os.DirEntry {
	folder, err := os.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return l.ReadDir(item, path)
	}
	defer folder.Close()
	infos, err := folder.Readdir(-1)
	if err != nil {
		return l.ReadDir(item, path)
	}
	entries := make([]os.DirEntry, len(infos))
	for i, info := range infos {
		entries[i] = fs.FileInfoToDirEntry(info)
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries
}

// Names is the part of an item for the set of all sessions.
const Names = "sessions"

// Known returns a part for a set of session ids, on which the reading of an item depends.
func Known(path string, ids map[string]bool) sources.Part {
	return sources.Part{Name: Names, Path: path, Stamp: StampNames(ids)}
}

// Finish sums up the roots and sorts the items. Parts with the name besides belong to another item.
func (l *Lister) Finish(besides string) sources.Listing {
	roots := map[string]*sources.Root{}
	for i := range l.Out.Roots {
		roots[l.Out.Roots[i].Path] = &l.Out.Roots[i]
	}
	for _, it := range l.Out.Items {
		root := roots[it.Root]
		if !it.Scaffold {
			root.Items++
		}
		for _, p := range it.Parts {
			if p.Name == Names {
				continue
			}
			if p.Name != besides && (!p.Shared || it.Kind == sources.KindMemory) {
				root.Bytes += p.Stamp.Size
			}
			if t := time.Unix(0, p.Stamp.MTime).UTC(); p.Stamp.MTime != 0 && t.After(root.New) {
				root.New = t
			}
		}
	}
	slices.SortFunc(l.Out.Items, func(a, b sources.Item) int { return strings.Compare(a.Key, b.Key) })
	return l.Out
}
