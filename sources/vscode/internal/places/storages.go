package places

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Storages lists the storages of the roots that were found, in their order and
// sorted by name. A folder that several names lead to is listed once. Nothing
// but folders is opened. One that could not be looked at is told as a problem, and
// the others are still found.
func Storages(roots []Root, problem func(path string, err error)) []Storage {
	l := lister{seen: map[string]bool{}, told: problem}
	for _, r := range roots {
		if !r.Found {
			continue
		}
		from := len(l.storages)
		l.half(r, r.Path, "")
		for _, e := range l.read(filepath.Join(r.Path, "profiles")) {
			if dir := filepath.Join(r.Path, "profiles", e.Name()); isDir(dir) {
				l.half(r, dir, "profiles/"+e.Name()+"/")
			}
		}
		slices.SortFunc(l.storages[from:], func(a, b Storage) int { return strings.Compare(a.Name, b.Name) })
	}
	tellWorkspaces(l.storages)
	return l.storages
}

type lister struct {
	seen     map[string]bool // real paths of storages
	storages []Storage
	told     func(path string, err error)
}

// half lists what lies in a user folder or in a profile of it.
func (l *lister) half(r Root, dir, prefix string) {
	base := filepath.Join(dir, "workspaceStorage")
	entries := l.read(base)
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { // what lies here goes before links to it
		return cmp.Compare(a.Type()&fs.ModeSymlink, b.Type()&fs.ModeSymlink)
	})
	for _, e := range entries {
		l.workspace(r, prefix+e.Name(), filepath.Join(base, e.Name()), e)
	}
	l.global(r, prefix, filepath.Join(dir, "globalStorage"))
}

func (l *lister) workspace(r Root, name, dir string, e fs.DirEntry) {
	if !e.IsDir() && e.Type()&fs.ModeSymlink == 0 || !l.enter(dir) {
		return
	}
	st := Storage{Root: r, Name: name, Path: dir, Chats: filepath.Join(dir, "chatSessions"), Edits: filepath.Join(dir, "chatEditingSessions")}
	l.look(&st, "GitHub.copilot-chat")
	l.storages = append(l.storages, st)
}

func (l *lister) global(r Root, prefix, dir string) {
	if !l.enter(dir) {
		return
	}
	st := Storage{Root: r, Name: prefix + "empty-window", Path: dir, Global: true, Chats: filepath.Join(dir, "emptyWindowChatSessions")}
	l.look(&st, "github.copilot-chat")
	l.storages = append(l.storages, st)
	if chats := filepath.Join(dir, "transferredChatSessions"); isDir(chats) {
		l.storages = append(l.storages, Storage{Root: r, Name: prefix + "transferred", Path: dir, Global: true, Chats: chats})
	}
}

// enter reports whether there is a folder that was not listed before.
func (l *lister) enter(dir string) bool {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		l.problem(dir, err)
		return false
	}
	if !isDir(real) || l.seen[real] {
		return false
	}
	l.seen[real] = true
	return true
}

// look fills in what stands in the folder of a storage. copilot is the
// extension's folder as it is spelled here; others are accepted.
func (l *lister) look(st *Storage, copilot string) {
	for _, e := range l.read(st.Path) {
		path := filepath.Join(st.Path, e.Name())
		switch name := e.Name(); {
		case strings.EqualFold(name, copilot):
			if (st.Copilot == "" || name == copilot) && isDir(path) {
				st.Copilot = path
			}
		case e.IsDir():
		case name == "state.vscdb", name == "state.vscdb.backup" && st.StateDB == "": // in order of name
			st.StateDB = path
		case name == "workspace.json" && !st.Global:
			st.Workspace = path
		}
	}
}

// tellWorkspaces gives storages without a workspace.json that of a storage with
// the same id. An id is a digest of what is open in the window: of a remote
// folder's address, the same on client and server, or of a folder on this
// machine, the same in all editions.
func tellWorkspaces(all []Storage) {
	told := map[string]string{}
	for _, st := range all {
		if id := digest.FindStringSubmatch(st.Name); id != nil && st.Workspace != "" && told[id[1]] == "" {
			told[id[1]] = st.Workspace
		}
	}
	for i := range all {
		if id := digest.FindStringSubmatch(all[i].Name); id != nil && all[i].Workspace == "" {
			all[i].Workspace = told[id[1]]
		}
	}
}

// digest is the id in a storage's name; those of empty windows are the time at which
// they were opened. A second extension host of one workspace works in "<id>-1".
var digest = regexp.MustCompile(`(?:^|/)([0-9a-f]{32})(?:-\d+)?$`)

func (l *lister) read(dir string) []fs.DirEntry {
	entries, err := os.ReadDir(dir)
	if err != nil {
		l.problem(dir, err)
	}
	return entries
}

// problem keeps an error; what is not there, or vanished meanwhile, is none.
func (l *lister) problem(path string, err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		l.told(path, err)
	}
}
