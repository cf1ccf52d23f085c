package vscode

import (
	"cmp"
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

// usual are the user folders of all editions and forks, and of their servers: those at the usual places in which
// something is stored. main is that of Code, whatever is there; empty: nobody knows.
func (c Config) usual() (main string, all []string) {
	places := [][2]string{{c.Env("VSCODE_PORTABLE"), "user-data/User"}, {c.Env("VSCODE_APPDATA"), "*/User"}}
	for i, base := range editor.AppFolders(c.GOOS, c.Home, c.Env) {
		if places = append(places, [2]string{base, "*/User"}); i == 0 {
			main = filepath.Join(base, "Code", "User")
		}
	}
	if c.GOOS == "linux" { // flatpaks; and it may be WSL
		places = append(places, [2]string{c.Home, ".var/app/*/config/*/User"}, [2]string{cmp.Or(c.drives, "/mnt"), "c/Users/*/AppData/Roaming/*/User"})
	}
	places = append(places, [2]string{c.Env("VSCODE_AGENT_FOLDER"), "data/User"}, [2]string{c.Home, ".*/data/User"},
		[2]string{c.Env("XDG_DATA_HOME"), "code-server/User"}, [2]string{c.Home, ".local/share/code-server/User"})
	for _, at := range places {
		if !filepath.IsAbs(at[0]) { // it is not known, or depends on where a program was started
			continue
		}
		found, _ := fs.Glob(os.DirFS(at[0]), at[1])
		for _, name := range found {
			if dir := filepath.Join(at[0], filepath.FromSlash(name)); editor.IsUserFolder(dir) {
				all = append(all, dir)
			}
		}
	}
	return main, all
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
// If there is none at all, that of Code is told.
func (s *Source) users() (all []*user) {
	var folders []string
	for _, dir := range s.cfg.UserDirs {
		if abs, err := filepath.Abs(dir); err == nil {
			folders = append(folders, editor.UserFolder(abs))
		}
	}
	if s.cfg.Defaults {
		main, usual := s.cfg.usual()
		if folders = append(folders, usual...); len(folders) == 0 && main != "" {
			folders = []string{main}
		}
	}
	seen := map[string]bool{}
	for path := range homes.Paths(folders, seen) {
		all = append(all, s.open(path, seen))
	}
	return all
}

func (s *Source) open(path string, seen map[string]bool) *user {
	u := &user{Home: homes.Home{Lister: lister()}, halves: []*half{{}}}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		for _, e := range u.ReadDir("", filepath.Join(path, "profiles")) {
			if e.IsDir() {
				u.halves = append(u.halves, &half{prefix: "profiles/" + e.Name() + "/"})
			}
		}
	}
	var names []string
	for _, h := range u.halves {
		names = append(names, h.prefix+"workspaceStorage", h.prefix+"globalStorage")
	}
	u.Open(path, s.cfg.Home, seen, names)
	u.Tag = words.PathTag(path, s.cfg.Home, edition(path))
	for _, h := range u.halves {
		h.workspaces, h.global = u.Real[h.prefix+"workspaceStorage"], u.Real[h.prefix+"globalStorage"]
	}
	if u.Root.Found && u.Root.Why == "" && len(u.Real) == 0 && filepath.Base(path) != "User" {
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
