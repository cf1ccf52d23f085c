package places

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Roots finds the user folders in order of preference, each real folder once.
// A folder named by the user is always told, with the reason if it is not found.
// A default place that does not exist is left out, unless no folder at all was
// found: then the main one is told.
func Roots(c Config) []Root {
	s := search{home: c.Home}
	for _, path := range c.Users {
		if abs, err := filepath.Abs(path); err == nil {
			s.named(abs)
		}
	}
	if !c.Defaults {
		return s.roots
	}
	places := c.defaults()
	for _, p := range places {
		s.probe(p)
	}
	if !s.any && len(places) > 0 && !places[0].guess {
		main := s.root(places[0].path)
		main.Why = files.WhyMissing(fs.ErrNotExist)
		if _, err := os.Stat(main.Path); err == nil {
			main.Why = "not a folder"
		}
		s.add(main)
	}
	return s.roots
}

// refused is a root that is not read for a reason; that it is not there is no
// error.
func (r Root) refused(err error) Root {
	r.Why = files.WhyMissing(err)
	if !errors.Is(err, fs.ErrNotExist) {
		r.Err = err
	}
	return r
}

type search struct {
	home  string
	roots []Root
	seen  []fs.FileInfo // of the folders that were found
	any   bool
}

// add appends a root, unless its path is told already.
func (s *search) add(r Root) {
	for _, have := range s.roots {
		if have.Path == r.Path {
			return
		}
	}
	s.any = s.any || r.Found
	s.roots = append(s.roots, r)
}

// root is an empty one.
func (s *search) root(path string) Root {
	r := Root{Path: path}
	r.Edition, r.Server = edition(path)
	r.Tag = words.PathTag(r.Path, s.home, r.Edition)
	return r
}

// named looks for the user folder in or around what the user gave.
func (s *search) named(path string) {
	info, err := os.Stat(path)
	if err != nil {
		s.add(s.root(path).refused(err))
		return
	}
	user, why, err := userFolder(path, info)
	r := s.root(user)
	if err != nil {
		r = r.refused(err)
	} else if r.Why = why; why == "" {
		if info, err = os.Stat(user); err != nil {
			r = r.refused(err)
		} else if s.twice(info) {
			r.Why = "a link to another user folder that is read"
		} else {
			r.Found = true
		}
	}
	s.add(r)
}

// probe looks at a default place.
func (s *search) probe(p place) {
	info, err := os.Stat(p.path)
	switch {
	case err != nil && (p.guess || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)):
	case err != nil:
		s.add(s.root(p.path).refused(err))
	case !info.IsDir(), p.ours && !owned(info), s.twice(info):
	default:
		r := s.root(p.path)
		r.Found = true
		s.add(r)
	}
}

// twice reports whether the folder was found before, under whatever name, and
// remembers it.
func (s *search) twice(info fs.FileInfo) bool {
	for _, have := range s.seen {
		if os.SameFile(have, info) {
			return true
		}
	}
	s.seen = append(s.seen, info)
	return false
}

// userFolder finds the user folder when that, a folder above it or one in it
// was given. why is empty when there is one; the error is for one that cannot be
// looked into.
func userFolder(path string, info fs.FileInfo) (user, why string, err error) {
	if !info.IsDir() {
		return path, "not a folder", nil
	}
	if base := filepath.Base(path); base == "workspaceStorage" || base == "globalStorage" {
		return filepath.Dir(path), "", nil
	}
	var around []string
	for _, sub := range []string{"", "User", "data/User", "user-data/User", "data/user-data/User"} {
		around = append(around, filepath.Join(path, filepath.FromSlash(sub)))
	}
	for _, dir := range around {
		if isDir(filepath.Join(dir, "workspaceStorage")) || isDir(filepath.Join(dir, "globalStorage")) {
			return dir, "", nil
		}
	}
	for _, dir := range around { // one in which nothing was stored yet
		if filepath.Base(dir) == "User" && isDir(dir) {
			return dir, "", nil
		}
	}
	if _, err := os.ReadDir(path); err != nil {
		return path, "", err
	}
	return path, "no user folder of VS Code: there is no workspaceStorage and no globalStorage in it", nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
