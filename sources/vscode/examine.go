package vscode

import (
	"cmp"
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/statedb"
)

// Names of parts. Memories of a session are named "memory/<folder>/<path>".
const (
	partLog        = "chat.jsonl"
	partDocument   = "chat.json"
	partTranscript = "transcript.jsonl"
	partEdits      = "edits"
	partWorkspace  = "workspace.json"
	partState      = "state.vscdb"
	partStore      = "store"
	partMetadata   = "metadata"
	partHost       = "agent-host"
	partExport     = "export"
	editsFolder    = "edits/" // of sessions that the state tells
	memoryFolder   = "memory/"
	repoMemory     = "repo-memory/"
	userMemory     = "user-memory/"
)

// Bounds of what is looked at beside a chat.
const (
	memoryDepth = 4
	memoryFiles = 200
)

// What the extension keeps.
const (
	memoryKept      = 14 * 24 * time.Hour // memory of a session, since it was last used
	transcriptsKept = 20                  // transcripts of a workspace, the newest ones
)

// examiner stats one storage.
type examiner struct {
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

func (l *lister) examine(st places.Storage) {
	e := &examiner{lister: l, Storage: st, name: st.Root.Tag + "/" + st.Name, chats: map[string]*candidate{}}
	e.chatFiles()
	if st.Copilot != "" {
		e.transcripts()
		e.memories()
	}
	hashed := e.edits()
	for _, id := range slices.Sorted(maps.Keys(e.chats)) {
		c := e.chats[id]
		e.addHere("chat/"+id, c.Item, &c.parts)
	}
	if st.StateDB != "" {
		e.addFile("state", partState, st.StateDB, hashed...)
	}
	if st.Global && st.Copilot != "" { // what the extension keeps for all workspaces
		names := sources.Part{Name: files.Names, Path: st.Root.Path}
		e.addFile("store", partStore, filepath.Join(st.Copilot, "session-store.db"), names)
		e.addFile("metadata", partMetadata, filepath.Join(st.Copilot, "copilotcli", "copilotcli.session.metadata.json"))
	}
}

// addHere lists an item of the storage, with the file that tells its folder.
func (e *examiner) addHere(key string, it sources.Item, parts *files.Parts) {
	if len(parts.List) > 0 && e.Workspace != "" {
		parts.File(partWorkspace, e.Workspace, nil)
	}
	it.Key, it.Root = e.name+"/"+key, e.Root.Path
	e.add(it, parts)
}

// addFile lists an item that is one file, with what is to be known beside it.
func (e *examiner) addFile(key, part, path string, more ...sources.Part) {
	parts := e.Parts(e.name)
	if part == partMetadata {
		parts.File(part, path, nil)
	} else {
		parts.Database(part, path)
	}
	if len(parts.List) > 0 {
		parts.List = append(parts.List, more...)
	}
	e.add(sources.Item{Key: e.name + "/" + key, Kind: sources.KindMemory, Root: e.Root.Path, Path: path}, &parts)
}

// at is the candidate of an id, first found at a path, which is shown to the user.
func (e *examiner) at(id, path string) *candidate {
	key := sources.FoldUUID(id)
	c := e.chats[key]
	if c == nil {
		it := sources.Item{Kind: sources.KindSession, Session: identity(id, e.Name), Path: path}
		c = &candidate{Item: it, parts: e.Parts(e.name)}
		e.chats[key] = c
	}
	return c
}

// chatFiles finds <id>.jsonl and <id>.json.
func (e *examiner) chatFiles() {
	for _, entry := range e.ReadDir(e.name, e.Chats) {
		base := entry.Name()
		part := map[string]string{".jsonl": partLog, ".json": partDocument}[filepath.Ext(base)]
		if part == "" || strings.HasPrefix(base, ".") || entry.IsDir() {
			continue
		}
		path := filepath.Join(e.Chats, base)
		c := e.at(strings.TrimSuffix(base, filepath.Ext(base)), path)
		c.parts.File(part, path, entry)
		if part == partLog {
			c.Path = path
		}
	}
}

// transcripts of the extension; most belong to a chat, some stand alone. It is told
// after how many newer ones each is deleted.
func (e *examiner) transcripts() {
	type transcript struct {
		of *candidate
		sources.Part
	}
	var all []transcript
	dir := filepath.Join(e.Copilot, "transcripts")
	for _, entry := range e.ReadDir(e.name, dir) {
		name, ok := strings.CutSuffix(entry.Name(), ".jsonl")
		if !ok || name == "" || entry.IsDir() {
			continue
		}
		path := filepath.Join(dir, entry.Name())
		c := e.at(name, path)
		from := len(c.parts.List)
		c.parts.File(partTranscript, path, entry)
		for _, p := range c.parts.List[from:] {
			all = append(all, transcript{c, p})
		}
	}
	slices.SortFunc(all, func(a, b transcript) int {
		return cmp.Or(cmp.Compare(b.Stamp.MTime, a.Stamp.MTime), strings.Compare(a.Path, b.Path))
	})
	for newer, t := range all {
		t.of.Expires = append(t.of.Expires, sources.Expiry{
			What: "transcript", Path: t.Path, Used: time.Unix(0, t.Stamp.MTime), After: max(0, transcriptsKept-newer),
		})
	}
}

// memories gives each session those of its own scope; what belongs to none is of
// the repository, and in the global storage of the user (section 5.2).
func (e *examiner) memories() {
	dir := filepath.Join(e.Copilot, "memory-tool", "memories")
	shared, left, scope := e.Parts(e.name), memoryFiles, repoMemory
	if e.Global {
		scope = userMemory
	}
	for _, entry := range e.ReadDir(e.name, dir) {
		name, path := entry.Name(), filepath.Join(dir, entry.Name())
		id, ofSession := sidecars.Segment(name)
		switch {
		case !entry.IsDir():
			shared.File(scope+name, path, entry)
		case e.Global || !ofSession && name != "repo":
			shared.Tree(scope+name, path, memoryDepth, &left)
		case !ofSession:
			shared.Tree(strings.TrimSuffix(scope, "/"), path, memoryDepth, &left)
		default:
			e.memory(e.at(id, path), name, path)
		}
	}
	e.addHere("memory", sources.Item{Kind: sources.KindMemory, Path: dir}, &shared)
}

// memory gives a session its own, and tells when it is deleted: when the oldest of
// its files was not used for two weeks. A look at it may count as a use, of which
// no file tells, so it may last longer.
func (e *examiner) memory(c *candidate, name, path string) {
	from, left := len(c.parts.List), memoryFiles
	c.parts.Tree(memoryFolder+name, path, memoryDepth, &left)
	var first int64
	for _, p := range c.parts.List[from:] {
		if !files.IsMore(p) && (first == 0 || p.Stamp.MTime < first) {
			first = p.Stamp.MTime
		}
	}
	if used := time.Unix(0, first); first != 0 {
		c.Expires = append(c.Expires, sources.Expiry{What: "memory", Path: path, Used: used, At: used.Add(memoryKept)})
	}
}

// edits adds what the editor kept of changes to files, by the id of the session: the
// chat of an empty window lies elsewhere. The others are given back: they are called
// by a hash of the session's address, which the state tells.
func (e *examiner) edits() []sources.Part {
	hashed := e.Parts(e.name)
	for _, entry := range e.ReadDir(e.name, e.Edits) {
		path := filepath.Join(e.Edits, entry.Name(), "state.json")
		key := sources.FoldUUID(entry.Name())
		switch {
		case !entry.IsDir():
		case e.chats[key] != nil || sources.IsUUID(key):
			e.at(key, path).parts.File(partEdits, path, nil)
		default:
			hashed.File(editsFolder+key, path, nil)
		}
	}
	return hashed.List
}

// identity is a UUID in lower case, else the id with the storage it counts in.
func identity(id, storage string) string {
	if id = sources.FoldUUID(id); sources.IsUUID(id) {
		return id
	}
	return sourceName + ":" + path.Base(storage) + ":" + id
}

// Details lists the sessions that stand in an index and have no chat on this
// disk: deleted ones, and those another provider runs.
// An index that cannot be read is told as such.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	listed, err := s.listedSessions(ctx)
	if err != nil {
		return nil, err
	}
	untold := func(string, error) {} // List tells the problems
	for _, st := range places.Storages(places.Roots(s.places()), untold) {
		if st.StateDB == "" {
			continue
		}
		state, err := statedb.Read(ctx, st.StateDB, s.cfg.TempDir)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		root := st.Root.Path
		if err != nil {
			out[root] = append(out[root], "index of "+st.Name+" cannot be read: "+err.Error())
			continue
		}
		for _, e := range state.Entries {
			if e.Title != "" && !listed[identity(e.ID, st.Name)] {
				out[root] = append(out[root], indexLine(e))
			}
		}
	}
	return out, nil
}

// indexLine tells of a session of which only an index entry is here.
func indexLine(e statedb.Entry) string {
	words := []string{"no chat on this disk", string(e.Status), e.Changes, path.Base(e.Place.Cwd)}
	if e.Scheme != statedb.SchemeLocal {
		words[0] = "run by " + e.Scheme
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" || w == "." })
	return e.ID + " " + e.Title + " (" + strings.Join(words, ", ") + ")"
}
