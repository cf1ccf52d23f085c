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

	"github.com/sessionloom/sessionloom/sources/internal/editor"
)

// Storage is one folder that may hold chats. Storages of one id in two editions are two storages.
type Storage struct {
	Root Root
	// Name is unique within the root: the id below workspaceStorage ("no-workspace" among them),
	// "empty-window" or "transferred"; of a profile "profiles/<profile>/<name>".
	Name string
	Path string // workspaceStorage/<id> or globalStorage

	Chats     string // folder of chat sessions; it may not exist
	Edits     string // chatEditingSessions; it may not exist; empty in a globalStorage, which has none
	Copilot   string // folder of the Copilot Chat extension; empty: there is none, or "empty-window" tells it
	StateDB   string // state.vscdb, or its backup where it is missing; empty: neither is there, or "empty-window" tells it
	Workspace string // workspace.json, its own or that of a storage with the same id; empty: nothing tells the folder
	Global    bool   // Path is a globalStorage
}

// Storages lists the storages of the roots that were found, in their order and sorted by name. A
// folder that several names lead to is listed once. Nothing but folders is opened. One that could not
// be looked at is told as a problem, and the others are still found.
func Storages(roots []Root, problem func(path string, err error)) []Storage {
	l := lister{seen: map[string]bool{}, problem: problem}
	for _, r := range roots {
		if !r.Found {
			continue
		}
		from := len(l.storages)
		l.half(r, "")
		for _, e := range l.read(filepath.Join(r.Path, "profiles")) {
			if editor.IsDir(filepath.Join(r.Path, "profiles", e.Name())) {
				l.half(r, "profiles/"+e.Name()+"/")
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
	problem  func(path string, err error)
}

// half lists what lies in a user folder or in a profile of it.
func (l *lister) half(r Root, prefix string) {
	dir := filepath.Join(r.Path, filepath.FromSlash(prefix))
	base, global := filepath.Join(dir, "workspaceStorage"), filepath.Join(dir, "globalStorage")
	entries := l.read(base)
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { // what lies here goes before links to it
		return cmp.Compare(a.Type()&fs.ModeSymlink, b.Type()&fs.ModeSymlink)
	})
	for _, e := range entries {
		if path := filepath.Join(base, e.Name()); e.IsDir() || e.Type()&fs.ModeSymlink != 0 {
			chats, edits := filepath.Join(path, "chatSessions"), filepath.Join(path, "chatEditingSessions")
			l.add(Storage{Root: r, Name: prefix + e.Name(), Path: path, Chats: chats, Edits: edits}, "GitHub.copilot-chat")
		}
	}
	chats, transferred := filepath.Join(global, "emptyWindowChatSessions"), filepath.Join(global, "transferredChatSessions")
	if l.add(Storage{Root: r, Name: prefix + "empty-window", Path: global, Chats: chats, Global: true}, "github.copilot-chat") && editor.IsDir(transferred) {
		l.storages = append(l.storages, Storage{Root: r, Name: prefix + "transferred", Path: global, Chats: transferred, Global: true})
	}
}

// add lists a storage that was not listed before, with what stands in its folder. copilot is the
// extension's folder as it is spelled here; others are accepted.
func (l *lister) add(st Storage, copilot string) bool {
	real, err := filepath.EvalSymlinks(st.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.problem(st.Path, err)
	}
	if err != nil || !editor.IsDir(real) || l.seen[real] {
		return false
	}
	l.seen[real] = true
	for _, e := range l.read(st.Path) {
		path := filepath.Join(st.Path, e.Name())
		switch name := e.Name(); {
		case strings.EqualFold(name, copilot):
			if (st.Copilot == "" || name == copilot) && editor.IsDir(path) {
				st.Copilot = path
			}
		case e.IsDir():
		case name == "state.vscdb", name == "state.vscdb.backup" && st.StateDB == "": // in order of name
			st.StateDB = path
		case name == "workspace.json" && !st.Global:
			st.Workspace = path
		}
	}
	l.storages = append(l.storages, st)
	return true
}

// read lists a folder. What is not there, or vanished meanwhile, is no problem.
func (l *lister) read(dir string) []fs.DirEntry {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		l.problem(dir, err)
	}
	return entries
}

// digest is the id in a storage's name; those of empty windows are the time at which they were opened.
// A second extension host of one workspace works in "<id>-1".
var digest = regexp.MustCompile(`(?:^|/)([0-9a-f]{32})(?:-\d+)?$`)

// tellWorkspaces gives storages without a workspace.json that of a storage with the same id. An id is
// a digest of what is open in the window: of a remote folder's address, the same on client and
// server, or of a folder on this machine, the same in all editions.
func tellWorkspaces(all []Storage) {
	told := map[string]string{}
	for _, missing := range []bool{false, true} {
		for i := range all {
			id := digest.FindStringSubmatch(all[i].Name)
			switch {
			case id == nil:
			case missing:
				all[i].Workspace = cmp.Or(all[i].Workspace, told[id[1]])
			default:
				told[id[1]] = cmp.Or(told[id[1]], all[i].Workspace)
			}
		}
	}
}
