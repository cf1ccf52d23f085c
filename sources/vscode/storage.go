package vscode

import (
	"cmp"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
)

const (
	// Bounds of what is looked at beside a chat.
	memoryDepth = 4
	memoryFiles = 200
	// What the extension keeps: the memory of a session since it was last used, and the newest transcripts.
	memoryDays      = 14
	transcriptsKept = 20
)

// storage is one folder that may hold chats, and what was found in it. Storages of one id in two editions are two.
type storage struct {
	*user
	name, tag string                // "<id>", "empty-window" or "transferred", of a profile behind its name; the same behind the tag of the user folder
	dir       string                // workspaceStorage/<id> or globalStorage
	folder    string                // of chat sessions; it may not exist
	copilot   string                // folder of the Copilot Chat extension; empty: there is none, or "empty-window" tells it
	workspace string                // workspace.json, its own or that of a storage with the same id; empty: nothing tells the folder
	global    bool                  // dir is a globalStorage
	chats     map[string]*candidate // by id as it was written, in lower case
}

type candidate struct {
	sources.Item
	parts files.Parts
}

// isTransferred tells a second folder of chats in a global storage, which the first one tells all else of.
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
	if s.global && s.copilot != "" { // what the extension keeps for all workspaces
		s.addFile("store", partStore, filepath.Join(s.copilot, "session-store.db"), sources.Part{Name: files.Names, Path: s.Root.Path})
		s.addFile("metadata", partMetadata, filepath.Join(s.copilot, "copilotcli", "copilotcli.session.metadata.json"))
	}
}

// addHere lists an item of the storage, with the file that tells its folder.
func (s *storage) addHere(key string, it sources.Item, parts *files.Parts) {
	if len(parts.List) > 0 && s.workspace != "" {
		parts.File(partWorkspace, s.workspace, nil)
	}
	it.Key = s.tag + "/" + key
	s.Add(it, *parts)
}

// addFile lists an item that is one file, with what is to be known beside it.
func (s *storage) addFile(key, part, path string, more ...sources.Part) {
	parts := s.Parts(s.tag)
	if parts.Database(part, path); len(parts.List) > 0 {
		parts.List = append(parts.List, more...)
	}
	s.Add(sources.Item{Key: s.tag + "/" + key, Kind: sources.KindMemory, Path: path}, parts)
}

// at is the candidate of an id, first found at a path, which is shown to the user.
func (s *storage) at(id, path string) *candidate {
	key := sources.FoldUUID(id)
	if s.chats[key] == nil {
		it := sources.Item{Kind: sources.KindSession, Session: identity(id, s.name), Path: path}
		s.chats[key] = &candidate{Item: it, parts: s.Parts(s.tag)}
	}
	return s.chats[key]
}

// transcripts finds those of the extension; most belong to a chat, some stand alone. It is told after
// how many newer ones each is deleted.
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

// memories gives each session those of its own scope; what belongs to none is of the repository, and in
// the global storage of the user.
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

// memory gives a session its own, and tells when it is deleted: when the oldest of its files was not
// used for two weeks. A look at it may count as a use, of which no file tells, so it may last longer.
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

// edits adds what the editor kept of changes to files, by the id of the session: the chat of an empty window lies
// elsewhere. Those of sessions that another provider runs are called by a hash, and not read: their own logs tell.
func (s *storage) edits() {
	dir := filepath.Join(s.dir, "chatEditingSessions")
	for _, entry := range s.ReadDir(s.tag, dir) {
		path := filepath.Join(dir, entry.Name(), "state.json")
		if key := sources.FoldUUID(entry.Name()); entry.IsDir() && (s.chats[key] != nil || sources.IsUUID(key)) {
			s.at(key, path).parts.File(partEdits, path, nil)
		}
	}
}
