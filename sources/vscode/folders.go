package vscode

import (
	"cmp"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/editor"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/internal/words"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
)

// usual returns the user folders of all editions and forks, and of their servers, that exist at the usual
// places and store something. main is Code's folder, existing or not, or "" if unknown.
func (c Config) usual() (main string, all []string) {
	places := [][2]string{{c.Env("VSCODE_PORTABLE"), "user-data/User"}, {c.Env("VSCODE_APPDATA"), "*/User"}}
	for i, base := range editor.AppFolders(c.GOOS, c.Home, c.Env) {
		if places = append(places, [2]string{base, "*/User"}); i == 0 {
			main = filepath.Join(base, "Code", "User")
		}
	}
	if c.GOOS == "linux" { // flatpaks; it may also be WSL
		places = append(places, [2]string{c.Home, ".var/app/*/config/*/User"}, [2]string{cmp.Or(c.drives, "/mnt"), "c/Users/*/AppData/Roaming/*/User"})
	}
	places = append(places, [2]string{c.Env("VSCODE_AGENT_FOLDER"), "data/User"}, [2]string{c.Home, ".*/data/User"},
		[2]string{c.Env("XDG_DATA_HOME"), "code-server/User"}, [2]string{c.Home, ".local/share/code-server/User"})
	for _, at := range places {
		if !filepath.IsAbs(at[0]) { // unknown, or dependent on where a program was started
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

// user is a user folder, with its content.
type user struct {
	homes.Home
	halves []*half
}

// half is the folder itself, or a profile in it.
type half struct {
	prefix             string // "profiles/<name>/" of a profile
	global, workspaces string // paths of globalStorage and workspaceStorage, empty if missing or given by another folder already
}

// users finds the user folders in order of preference. A named folder is listed, with the reason if it is not
// found. If there is none at all, Code's folder is listed.
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

// edition names the edition of a user folder by its path: "…/Code/User", a server's
// "…/.vscode-server/data/User", a portable install's "…/data/user-data/User", or a renamed one.
func edition(user string) string {
	for slices.Contains([]string{"User", "user-data", "data"}, filepath.Base(user)) {
		user = filepath.Dir(user)
	}
	return strings.TrimPrefix(filepath.Base(user), ".")
}

// storages returns the folders of a listing that may hold chats, with their workspace.json. A folder without
// one gets that of a storage with the same id: the id is a digest of what is open in the window, the same on
// client and server for a remote folder, the same in all editions for a local one. A second extension host of
// one workspace works in "<id>-1".
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

// storage opens a folder with a name; copilot are the spellings of the extension's folder in it. The global
// storage has the chats of windows without a folder.
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

const (
	// Limits of what is examined beside a chat.
	memoryDepth = 4
	memoryFiles = 200
	// Limits of the extension: days that it keeps an unused memory of a session, and number of transcripts it keeps.
	memoryDays      = 14
	transcriptsKept = 20
)

// storage is a folder that may hold chats, with its content. Storages of one id in two editions are two.
type storage struct {
	*user
	name, tag string                // "<id>", "empty-window" or "transferred", after the name of a profile; tag also has the user folder's tag
	dir       string                // workspaceStorage/<id> or globalStorage
	folder    string                // folder of chat sessions; it may not exist
	copilot   string                // folder of the Copilot Chat extension; empty: none, or the folder of "empty-window"
	workspace string                // workspace.json, its own or from a storage with the same id; empty: the folder is unknown
	global    bool                  // dir is a globalStorage
	chats     map[string]*candidate // candidates by id as written, in lower case
}

type candidate struct {
	sources.Item
	parts files.Parts
}

// isTransferred reports whether this is a second chat folder in a global storage; the first one has
// everything else.
func (s *storage) isTransferred() bool { return path.Base(s.name) == "transferred" }

func (s *storage) list() {
	for _, entry := range s.ReadDir(s.tag, s.folder) {
		base := entry.Name()
		part := map[string]string{".jsonl": partLog, ".json": partDocument}[filepath.Ext(base)]
		if part == "" || strings.HasPrefix(base, ".") || entry.IsDir() {
			continue
		}
		path := files.Below(s.folder, base)
		c := s.at(strings.TrimSuffix(base, filepath.Ext(base)), path)
		c.parts.File(part, path, entry)
		if part == partLog {
			c.Path = path
		}
	}
	if s.copilot != "" {
		s.transcripts()
		s.memories()
	}
	if !s.global {
		s.edits()
	}
	for _, id := range slices.Sorted(maps.Keys(s.chats)) {
		s.addHere("chat/"+id, s.chats[id].Item, &s.chats[id].parts)
	}
	if !s.isTransferred() {
		s.addFile("state", partState, files.Below(s.dir, partState))
	}
	if s.global && s.copilot != "" { // memories of the extension, for all workspaces
		s.addFile("store", partStore, filepath.Join(s.copilot, "session-store.db"), sources.Part{Name: files.Names, Path: s.Root.Path})
		s.addFile("metadata", partMetadata, filepath.Join(s.copilot, "copilotcli", "copilotcli.session.metadata.json"))
	}
}

// addHere lists an item of the storage, with the file that names its folder.
func (s *storage) addHere(key string, it sources.Item, parts *files.Parts) {
	if len(parts.List) > 0 && s.workspace != "" {
		parts.File(partWorkspace, s.workspace, nil)
	}
	it.Key = s.tag + "/" + key
	s.Add(it, *parts)
}

// addFile lists an item that is one file, with files that its reading needs.
func (s *storage) addFile(key, part, path string, more ...sources.Part) {
	parts := s.Parts(s.tag)
	if parts.Database(part, path); len(parts.List) > 0 {
		parts.List = append(parts.List, more...)
	}
	s.Add(sources.Item{Key: s.tag + "/" + key, Kind: sources.KindMemory, Path: path}, parts)
}

// at returns the candidate with an id, whose path is shown to the user.
func (s *storage) at(id, path string) *candidate {
	key := sources.FoldUUID(id)
	if s.chats[key] == nil {
		it := sources.Item{Kind: sources.KindSession, Session: identity(id, s.name), Path: path}
		s.chats[key] = &candidate{Item: it, parts: s.Parts(s.tag)}
	}
	return s.chats[key]
}

// transcripts finds the extension's transcripts, and says after how many newer ones each is deleted.
func (s *storage) transcripts() {
	type transcript struct {
		of *candidate
		sources.Part
	}
	var all []transcript
	dir := filepath.Join(s.copilot, "transcripts")
	for _, entry := range s.ReadDir(s.tag, dir) {
		name, ok := strings.CutSuffix(entry.Name(), ".jsonl")
		if !ok || name == "" || entry.IsDir() {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		c := s.at(name, path)
		from := len(c.parts.List)
		if c.parts.File(partTranscript, path, entry); len(c.parts.List) > from {
			all = append(all, transcript{c, c.parts.List[from]})
		}
	}
	slices.SortFunc(all, func(a, b transcript) int {
		return cmp.Or(cmp.Compare(b.Stamp.MTime, a.Stamp.MTime), strings.Compare(a.Path, b.Path))
	})
	for newer, t := range all {
		x := sources.Expiry{What: "transcript", Path: t.Path, Used: time.Unix(0, t.Stamp.MTime), After: max(0, transcriptsKept-newer)}
		t.of.Expires = append(t.of.Expires, x)
	}
}

// memories assigns memories to their sessions; the others are the repository's, or in the global storage the user's.
func (s *storage) memories() {
	dir := filepath.Join(s.copilot, "memory-tool", "memories")
	shared, left, scope := s.Parts(s.tag), memoryFiles, repoMemory
	if s.global {
		scope = userMemory
	}
	for _, entry := range s.ReadDir(s.tag, dir) {
		name, path := entry.Name(), filepath.Join(dir, entry.Name())
		id, ofSession := sidecars.Segment(name)
		switch {
		case !entry.IsDir():
			shared.File(scope+name, path, entry)
		case s.global || !ofSession && name != "repo":
			shared.Tree(scope+name, path, memoryDepth, &left)
		case !ofSession:
			shared.Tree(strings.TrimSuffix(scope, "/"), path, memoryDepth, &left)
		default:
			s.memory(s.at(id, path), name, path)
		}
	}
	s.addHere("memory", sources.Item{Kind: sources.KindMemory, Path: dir}, &shared)
}

// memory adds a session's memory, and says when it is deleted: when the oldest of its files was unused for
// two weeks. Viewing may count as a use without a trace, so it may last longer.
func (s *storage) memory(c *candidate, name, path string) {
	from, left := len(c.parts.List), memoryFiles
	c.parts.Tree(memoryFolder+name, path, memoryDepth, &left)
	var first int64
	for _, p := range c.parts.List[from:] {
		if !files.IsMore(p) && (first == 0 || p.Stamp.MTime < first) {
			first = p.Stamp.MTime
		}
	}
	if first != 0 {
		c.Expires = append(c.Expires, homes.Expires("memory", path, first, memoryDays)...)
	}
}

// edits adds the editor's records of changed files, by the id of the session, as the chat of an empty window is elsewhere.
// Those of sessions of another provider are named by a hash, and not read: their own logs have them.
func (s *storage) edits() {
	dir := filepath.Join(s.dir, "chatEditingSessions")
	for _, entry := range s.ReadDir(s.tag, dir) {
		path := filepath.Join(dir, entry.Name(), "state.json")
		if key := sources.FoldUUID(entry.Name()); entry.IsDir() && (s.chats[key] != nil || sources.IsUUID(key)) {
			s.at(key, path).parts.File(partEdits, path, nil)
		}
	}
}
