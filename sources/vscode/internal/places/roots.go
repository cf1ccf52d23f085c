// Package places knows where VS Code, its forks and their servers keep chats:
// user folders, the storages in them, and which folder or workspace a storage
// belongs to.
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
			s.look(userFolder(abs), named)
		}
	}
	if !c.Defaults {
		return s.roots
	}
	own := c.defaults()
	for _, path := range own {
		s.look(path, usual)
	}
	for _, path := range c.windows() {
		s.look(path, guessed)
	}
	if len(s.seen) == 0 && len(own) > 0 {
		_, err := os.ReadDir(own[0])
		s.refuse(own[0], err)
	}
	return s.roots
}

type search struct {
	home  string
	roots []Root
	seen  []fs.FileInfo // of the folders that were found
}

// add appends a root, unless its path is told already.
func (s *search) add(r Root) {
	for _, have := range s.roots {
		if have.Path == r.Path {
			return
		}
	}
	r.Edition = edition(r.Path)
	r.Tag = words.PathTag(r.Path, s.home, r.Edition)
	s.roots = append(s.roots, r)
}

// refuse adds a root that is not read for a reason; that it is not there is no
// error.
func (s *search) refuse(path string, err error) {
	r := Root{Path: path, Why: files.WhyMissing(err)}
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		r.Why = "not a folder"
	case !errors.Is(err, fs.ErrNotExist):
		r.Err = err
	}
	s.add(r)
}

// Where a folder is looked for: where the user said so, which is always told, at a default
// place, which is not told where it is not there, or at a guess, told only if it is found.
const (
	named = iota
	usual
	guessed
)

// look looks at a folder.
func (s *search) look(path string, how int) {
	info, err := os.Stat(path)
	if err == nil {
		_, err = os.ReadDir(path)
	}
	missing := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	switch {
	case how == guessed && err != nil, how == usual && missing:
	case err != nil:
		s.refuse(path, err)
	case how == named && filepath.Base(path) != "User" && !isUserFolder(path):
		const why = "no user folder of VS Code: there is no workspaceStorage and no globalStorage in it"
		s.add(Root{Path: path, Why: why})
	case !s.twice(info):
		s.add(Root{Path: path, Found: true})
	case how == named:
		s.add(Root{Path: path, Why: "a link to another user folder that is read"})
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

// userFolder finds the user folder when that, a folder above it or one in it was
// given; else it is what was given.
func userFolder(path string) string {
	if base := filepath.Base(path); base == "workspaceStorage" || base == "globalStorage" {
		return filepath.Dir(path)
	}
	var around []string
	for _, sub := range []string{"", "User", "data/User", "user-data/User", "data/user-data/User"} {
		around = append(around, filepath.Join(path, filepath.FromSlash(sub)))
	}
	for _, dir := range around {
		if isUserFolder(dir) {
			return dir
		}
	}
	for _, dir := range around[1:] { // one in which nothing was stored yet
		if isDir(dir) {
			return dir
		}
	}
	return path
}

func isUserFolder(dir string) bool {
	return isDir(filepath.Join(dir, "workspaceStorage")) || isDir(filepath.Join(dir, "globalStorage"))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Config says where to look. The zero value looks nowhere.
type Config struct {
	// Users are folders named by the user: a user folder ("…/Code/User"), the
	// folder above it, a server's ("~/.vscode-server") or a portable install.
	Users    []string
	Defaults bool // also look at the user folder of every edition

	Env  func(string) string // looks up environment variables; nil: none is set
	Home string              // the user's home folder
	GOOS string              // operating system the default places are those of: linux, darwin, windows

	// Drives is where WSL mounts the drives of Windows; empty means /mnt.
	Drives string
}

// Root is one user folder: it holds workspaceStorage and globalStorage.
type Root struct {
	Path    string // …/User
	Tag     string // stands for it in keys: "~/.config/Code/User", elsewhere a name and a hash of the path
	Edition string // Code, Code - Insiders, VSCodium, vscode-server, code-server, …
	Found   bool
	Why     string // why it is not found; empty otherwise
	Err     error  // the same, where it may be there and cannot be looked at
}

// Storage is one folder that may hold chats. Storages of one id in two editions
// are two storages.
type Storage struct {
	Root Root
	// Name is unique within the root: the id below workspaceStorage ("no-workspace"
	// among them), "empty-window" or "transferred"; of a profile
	// "profiles/<profile>/<name>".
	Name string
	Path string // workspaceStorage/<id> or globalStorage

	Chats     string // folder of chat sessions; it may not exist
	Edits     string // chatEditingSessions; it may not exist; empty in a globalStorage, which has none
	Copilot   string // folder of the Copilot Chat extension; empty: there is none, or "empty-window" tells it
	StateDB   string // state.vscdb, or its backup where it is missing; empty: neither is there, or "empty-window" tells it
	Workspace string // workspace.json, its own or that of a storage with the same id; empty: nothing tells the folder
	Global    bool   // Path is a globalStorage
}
