// Package places knows where VS Code, its forks and their servers keep chats: user folders, the
// storages in them, and which folder or workspace a storage belongs to.
package places

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Root is one user folder: it holds workspaceStorage and globalStorage.
type Root struct {
	Path    string // …/User
	Tag     string // stands for it in keys: "~/.config/Code/User", elsewhere a name and a hash of the path
	Edition string // Code, Code - Insiders, VSCodium, vscode-server, code-server, …
	Found   bool
	Why     string // why it is not found; empty otherwise
	Err     error  // the same, where it may be there and cannot be looked at
}

// Roots finds the user folders in order of preference, each real folder once. A folder named by the
// user is always told, with the reason if it is not found. A default place that does not exist is
// left out, unless no folder at all was found: then the main one is told.
func Roots(c Config) []Root {
	s := search{home: c.Home}
	for _, path := range c.Users {
		if abs, err := filepath.Abs(path); err == nil {
			s.look(editor.UserFolder(abs), true)
		}
	}
	if !c.Defaults {
		return s.roots
	}
	own := c.defaults()
	for _, path := range append(own, c.windows()...) {
		s.look(path, false)
	}
	if len(s.found) == 0 && len(own) > 0 {
		s.look(own[0], true)
	}
	return s.roots
}

type search struct {
	home  string
	roots []Root
	found []fs.FileInfo // the folders
}

// look looks at a folder. named says that it is told even where it is not there, or was found before.
func (s *search) look(path string, named bool) {
	r := Root{Path: path, Edition: edition(path)}
	r.Tag = words.PathTag(path, s.home, r.Edition)
	info, err := os.Stat(path)
	if err == nil {
		_, err = os.ReadDir(path)
	}
	known := err == nil && slices.ContainsFunc(s.found, func(have fs.FileInfo) bool { return os.SameFile(have, info) })
	switch {
	case slices.ContainsFunc(s.roots, func(have Root) bool { return have.Path == path }):
		return
	case !named && (known || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)):
		return
	case errors.Is(err, syscall.ENOTDIR):
		r.Why = "not a folder"
	case err != nil:
		if r.Why = files.WhyMissing(err); !errors.Is(err, fs.ErrNotExist) {
			r.Err = err
		}
	case named && filepath.Base(path) != "User" && !editor.IsUserFolder(path):
		r.Why = "no user folder of VS Code: there is no workspaceStorage and no globalStorage in it"
	case known:
		r.Why = "a link to another user folder that is read"
	default:
		r.Found, s.found = true, append(s.found, info)
	}
	s.roots = append(s.roots, r)
}

// apps are the editions and forks by the name of their folder, the commonest first.
var apps = []string{
	"Code", "Code - Insiders", "Code - Exploration", "Code - OSS", "code-oss-dev",
	"VSCodium", "VSCodium - Insiders", "Cursor", "Windsurf", "Windsurf - Next",
	"Trae", "Kiro", "Positron", "Antigravity",
}

// servers are the remote halves by the name of their folder in the home folder.
var servers = []string{
	".vscode-server", ".vscode-server-insiders", ".vscode-server-exploration", ".vscode-server-oss", ".vscode-remote",
	".vscodium-server", ".vscodium-server-insiders", ".cursor-server", ".windsurf-server", ".windsurf-server-next",
	".trae-server", ".kiro-server", ".positron-server", ".antigravity-server", ".openvscode-server",
}

// flatpaks are the packaged editions, which keep their settings in a folder of their own.
var flatpaks = []string{
	"com.visualstudio.code/config/Code", "com.visualstudio.code.insiders/config/Code - Insiders", "com.visualstudio.code-oss/config/Code - OSS",
	"com.vscodium.codium/config/VSCodium", "com.vscodium.codium-insiders/config/VSCodium - Insiders",
}

// Config says where to look. The zero value looks nowhere.
type Config struct {
	// Users are folders named by the user: a user folder ("…/Code/User"), the folder above it, a
	// server's ("~/.vscode-server") or a portable install.
	Users    []string
	Defaults bool                // also look at the user folder of every edition
	Env      func(string) string // looks up environment variables; nil: none is set
	Home     string              // the user's home folder
	GOOS     string              // operating system the default places are those of: linux, darwin, windows
	Drives   string              // where WSL mounts the drives of Windows; empty means /mnt
}

// defaults are the user folders of all editions, the present one of Code first.
func (c Config) defaults() (all []string) {
	add := func(base string, below ...string) {
		for _, dir := range below {
			if base != "" {
				all = append(all, filepath.Join(base, filepath.FromSlash(dir), "User"))
			}
		}
	}
	bases, data := editor.AppFolders(c.GOOS, c.Home, c.env), []string{c.env("XDG_DATA_HOME"), c.home(".local/share")}
	if c.GOOS == "darwin" {
		data = append(data, bases...)
	}
	add(c.env("VSCODE_PORTABLE"), "user-data")
	for _, base := range append([]string{c.env("VSCODE_APPDATA")}, bases...) {
		add(base, apps...)
	}
	if c.GOOS == "linux" {
		add(c.home(".var/app"), flatpaks...)
	}
	add(c.env("VSCODE_AGENT_FOLDER"), "data")
	for _, server := range servers {
		add(c.home(server), "data")
	}
	for _, base := range data {
		add(base, "code-server")
	}
	return all
}

// windows are the user folders on the Windows side, seen from WSL. They may be those of other people: they count only
// if they can be read.
func (c Config) windows() (all []string) {
	if c.GOOS != "linux" {
		return nil
	}
	for _, app := range apps {
		found, _ := filepath.Glob(filepath.Join(cmp.Or(c.Drives, "/mnt"), "c", "Users", "*", "AppData", "Roaming", app, "User"))
		all = append(all, found...)
	}
	return slices.DeleteFunc(all, func(user string) bool {
		_, err := os.ReadDir(user)
		return err != nil
	})
}

// env is a folder named by a variable; a relative one depends on where a program was started and says nothing.
func (c Config) env(name string) string {
	if c.Env == nil || !filepath.IsAbs(c.Env(name)) {
		return ""
	}
	return c.Env(name)
}

// home is a folder below the home folder, empty if that is not known.
func (c Config) home(below string) string {
	if c.Home == "" {
		return ""
	}
	return filepath.Join(c.Home, filepath.FromSlash(below))
}

// edition tells from its path whose user folder it is: "…/Code/User", a server's "…/.vscode-server/data/User", a
// portable install's "…/data/user-data/User", or one that was given another name.
func edition(user string) string {
	for slices.Contains([]string{"User", "user-data", "data"}, filepath.Base(user)) {
		user = filepath.Dir(user)
	}
	return strings.TrimPrefix(filepath.Base(user), ".")
}
