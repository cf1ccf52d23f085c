package vscode

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

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

// defaults are the user folders of all editions, the present one of Code first.
func (c Config) defaults() (all []string) {
	add := func(base string, below ...string) {
		for _, dir := range below {
			if filepath.IsAbs(base) { // of a variable: a relative one depends on where a program was started
				all = append(all, filepath.Join(base, filepath.FromSlash(dir), "User"))
			}
		}
	}
	bases, data := editor.AppFolders(c.GOOS, c.Home, c.Env), []string{c.Env("XDG_DATA_HOME"), filepath.Join(c.Home, ".local/share")}
	add(c.Env("VSCODE_PORTABLE"), "user-data")
	for _, base := range append([]string{c.Env("VSCODE_APPDATA")}, bases...) {
		add(base, apps...)
	}
	switch c.GOOS {
	case "darwin":
		data = append(data, bases...)
	case "linux": // which may be WSL; a user folder of Windows that is not to be read is another person's
		add(filepath.Join(c.Home, ".var/app"), flatpaks...)
		for _, app := range apps {
			found, _ := filepath.Glob(filepath.Join(cmp.Or(c.drives, "/mnt"), "c", "Users", "*", "AppData", "Roaming", app, "User"))
			all = append(all, slices.DeleteFunc(found, func(user string) bool {
				_, err := os.ReadDir(user)
				return err != nil
			})...)
		}
	}
	add(c.Env("VSCODE_AGENT_FOLDER"), "data")
	for _, server := range servers {
		add(filepath.Join(c.Home, server), "data")
	}
	for _, base := range data {
		add(base, "code-server")
	}
	return all
}

// user is a user folder, and what was found in it.
type user struct {
	homes.Home
	halves []*half
}

// half is the folder itself, or a profile in it.
type half struct {
	prefix             string // "profiles/<name>/" of a profile
	global, workspaces string // paths of globalStorage and workspaceStorage, empty where there is nothing or another folder gave it already
}

// users finds the user folders in order of preference. One that was named is told, with the reason if it is not found.
// A default place that does not exist is left out, unless there is none at all: then the main one is told.
func (s *Source) users() (all []*user) {
	var folders []string
	for _, dir := range s.cfg.UserDirs {
		if abs, err := filepath.Abs(dir); err == nil {
			folders = append(folders, editor.UserFolder(abs))
		}
	}
	if s.cfg.Defaults {
		usual := s.cfg.defaults()
		folders = append(folders, slices.DeleteFunc(slices.Clone(usual), func(dir string) bool {
			_, err := os.Stat(dir)
			return err != nil && !errors.Is(err, fs.ErrPermission)
		})...)
		if len(folders) == 0 {
			folders = usual[:min(1, len(usual))]
		}
	}
	seen := map[string]bool{}
	for path := range homes.Paths(folders, seen) {
		all = append(all, s.open(path, seen))
	}
	return all
}

// open looks at a user folder.
func (s *Source) open(path string, seen map[string]bool) *user {
	u := &user{Home: homes.Home{Lister: lister()}, halves: []*half{{}}}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		for _, e := range u.ReadDir("", filepath.Join(path, "profiles")) {
			if e.IsDir() {
				u.halves = append(u.halves, &half{prefix: "profiles/" + e.Name() + "/"})
			}
		}
	}
	within, stored := map[string]*string{}, false
	for _, h := range u.halves {
		within[h.prefix+"workspaceStorage"], within[h.prefix+"globalStorage"] = &h.workspaces, &h.global
	}
	u.Open(path, s.cfg.Home, seen, within)
	u.Tag = words.PathTag(path, s.cfg.Home, edition(path))
	for _, h := range u.halves {
		stored = stored || h.workspaces+h.global != ""
	}
	if u.Root.Found && u.Root.Why == "" && !stored && filepath.Base(path) != "User" {
		u.Root.Found, u.Root.Why = false, "no user folder of VS Code: there is no workspaceStorage and no globalStorage in it"
	}
	return u
}

// edition tells from its path whose user folder it is: "…/Code/User", a server's "…/.vscode-server/data/User", a
// portable install's "…/data/user-data/User", or one that was given another name.
func edition(user string) string {
	for slices.Contains([]string{"User", "user-data", "data"}, filepath.Base(user)) {
		user = filepath.Dir(user)
	}
	return strings.TrimPrefix(filepath.Base(user), ".")
}

// storages are the folders of a listing that may hold chats, each of which is told its workspace.json. One that has
// none takes that of a storage with the same id: it is a digest of what is open in the window, of a remote folder's
// address, the same on client and server, or of a folder on this machine, the same in all editions. A second extension
// host of one workspace works in "<id>-1".
func storages(users []*user) (all []*storage) {
	for _, u := range users {
		for _, h := range u.halves {
			for _, e := range u.ReadDir(u.Tag, h.workspaces) {
				if dir := files.Below(h.workspaces, e.Name()); e.IsDir() {
					all = append(all, u.storage(h.prefix+e.Name(), dir, "chatSessions", "GitHub.copilot-chat", "github.copilot-chat"))
				}
			}
			if h.global != "" {
				all = append(all, u.storage(h.prefix+"empty-window", h.global, "emptyWindowChatSessions", "github.copilot-chat", "GitHub.copilot-chat"),
					u.storage(h.prefix+"transferred", h.global, "transferredChatSessions"))
			}
		}
	}
	told := map[string]string{}
	id := func(st *storage) string { base := path.Base(st.name); return base[:min(len(base), 32)] }
	for _, st := range all {
		told[id(st)] = cmp.Or(told[id(st)], st.workspace)
	}
	for _, st := range all {
		if st.workspace == "" && len(id(st)) == 32 {
			st.workspace = told[id(st)]
		}
	}
	return all
}

// storage looks at a folder of a name; copilot are the spellings of the extension's folder in it. The global storage
// has the chats of windows without a folder.
func (u *user) storage(name, dir, chats string, copilot ...string) *storage {
	st := &storage{user: u, name: name, tag: u.Tag + "/" + name, dir: dir, folder: files.Below(dir, chats), chats: map[string]*candidate{}}
	st.global = chats != "chatSessions"
	if info, err := os.Stat(files.Below(dir, "workspace.json")); !st.global && err == nil && !info.IsDir() {
		st.workspace = files.Below(dir, "workspace.json")
	}
	for _, name := range copilot {
		if at := files.Below(dir, name); st.copilot == "" && editor.IsDir(at) {
			st.copilot = at
		}
	}
	return st
}
