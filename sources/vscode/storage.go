package vscode

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
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

// storage stats one storage.
type storage struct {
	*lister
	places.Storage
	name  string                // stands for the storage in keys, the same on every machine where it can be
	chats map[string]*candidate // by id as it was written, in lower case
}

// candidate is a session on its way into the listing.
type candidate struct {
	sources.Item
	parts files.Parts
}

// storage lists the items of a storage.
func (l *lister) storage(st places.Storage) {
	s := &storage{lister: l, Storage: st, name: st.Root.Tag + "/" + st.Name, chats: map[string]*candidate{}}
	for _, entry := range s.ReadDir(s.name, s.Chats) {
		base := entry.Name()
		part := map[string]string{".jsonl": partLog, ".json": partDocument}[filepath.Ext(base)]
		if part == "" || strings.HasPrefix(base, ".") || entry.IsDir() {
			continue
		}
		path := filepath.Join(s.Chats, base)
		c := s.at(strings.TrimSuffix(base, filepath.Ext(base)), path)
		c.parts.File(part, path, entry)
		if part == partLog {
			c.Path = path
		}
	}
	if st.Copilot != "" {
		s.transcripts()
		s.memories()
	}
	hashed := s.edits()
	for _, id := range slices.Sorted(maps.Keys(s.chats)) {
		s.addHere("chat/"+id, s.chats[id].Item, &s.chats[id].parts)
	}
	if st.StateDB != "" {
		s.addFile("state", partState, st.StateDB, hashed...)
	}
	if st.Global && st.Copilot != "" { // what the extension keeps for all workspaces
		s.addFile("store", partStore, filepath.Join(st.Copilot, "session-store.db"), sources.Part{Name: files.Names, Path: st.Root.Path})
		s.addFile("metadata", partMetadata, filepath.Join(st.Copilot, "copilotcli", "copilotcli.session.metadata.json"))
	}
}

// addHere lists an item of the storage, with the file that tells its folder.
func (s *storage) addHere(key string, it sources.Item, parts *files.Parts) {
	if len(parts.List) > 0 && s.Workspace != "" {
		parts.File(partWorkspace, s.Workspace, nil)
	}
	it.Key, it.Root = s.name+"/"+key, s.Root.Path
	s.add(it, parts)
}

// addFile lists an item that is one file, with what is to be known beside it.
func (s *storage) addFile(key, part, path string, more ...sources.Part) {
	parts := s.Parts(s.name)
	if parts.Database(part, path); len(parts.List) > 0 {
		parts.List = append(parts.List, more...)
	}
	s.add(sources.Item{Key: s.name + "/" + key, Kind: sources.KindMemory, Root: s.Root.Path, Path: path}, &parts)
}

// at is the candidate of an id, first found at a path, which is shown to the user.
func (s *storage) at(id, path string) *candidate {
	key := sources.FoldUUID(id)
	if s.chats[key] == nil {
		it := sources.Item{Kind: sources.KindSession, Session: identity(id, s.Name), Path: path}
		s.chats[key] = &candidate{Item: it, parts: s.Parts(s.name)}
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
	dir := filepath.Join(s.Copilot, "transcripts")
	for _, entry := range s.ReadDir(s.name, dir) {
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
	dir := filepath.Join(s.Copilot, "memory-tool", "memories")
	shared, left, scope := s.Parts(s.name), memoryFiles, repoMemory
	if s.Global {
		scope = userMemory
	}
	for _, entry := range s.ReadDir(s.name, dir) {
		name, path := entry.Name(), filepath.Join(dir, entry.Name())
		id, ofSession := sidecars.Segment(name)
		switch {
		case !entry.IsDir():
			shared.File(scope+name, path, entry)
		case s.Global || !ofSession && name != "repo":
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
// elsewhere. The others are given back: they are called by a hash of the session's address, which the state tells.
func (s *storage) edits() []sources.Part {
	hashed := s.Parts(s.name)
	for _, entry := range s.ReadDir(s.name, s.Edits) {
		path := filepath.Join(s.Edits, entry.Name(), "state.json")
		key := sources.FoldUUID(entry.Name())
		switch {
		case !entry.IsDir():
		case s.chats[key] != nil || sources.IsUUID(key):
			s.at(key, path).parts.File(partEdits, path, nil)
		default:
			hashed.File(editsFolder+key, path, nil)
		}
	}
	return hashed.List
}
