package vscode

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
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
	partNames      = "sessions"
	partMetadata   = "metadata"
	partHost       = "agent-host"
	partExport     = "export"
	memoryFolder   = "memory/"
	repoMemory     = "repo-memory/"
	userMemory     = "user-memory/"
)

// Bounds of what is looked at beside a chat.
const (
	memoryDepth = 4
	memoryFiles = 200
)

// storageScan is what one storage holds.
type storageScan struct {
	items    []sources.Item
	problems []sources.Problem
}

// examiner stats one storage.
type examiner struct {
	src     *Source
	storage places.Storage
	out     storageScan
	chats   map[string]*candidate // by id as it was written, in lower case
}

// candidate is a session on its way into the listing.
type candidate struct {
	name  string // as it was written
	parts files.Parts
	path  string // shown to the user

	expires []sources.Expiry
}

func (s *Source) examine(st places.Storage) storageScan {
	e := &examiner{src: s, storage: st, chats: map[string]*candidate{}}
	e.chatFiles()
	e.transcripts()
	e.memories()
	e.edits()
	e.sessionItems()
	e.state()
	if st.Global {
		e.globals()
	}
	return e.out
}

func (e *examiner) at(name string) *candidate {
	key := sources.FoldUUID(name)
	c := e.chats[key]
	if c == nil {
		c = &candidate{name: name, parts: files.Parts{Problem: e.problem}}
		e.chats[key] = c
	}
	return c
}

// chatFiles finds <id>.jsonl and <id>.json.
func (e *examiner) chatFiles() {
	for _, entry := range e.readDir(e.storage.Chats) {
		base := entry.Name()
		name, part := "", ""
		if n, ok := strings.CutSuffix(base, ".jsonl"); ok {
			name, part = n, partLog
		} else if n, ok := strings.CutSuffix(base, ".json"); ok {
			name, part = n, partDocument
		}
		if name == "" || strings.HasPrefix(base, ".") || entry.IsDir() {
			continue
		}
		c := e.at(name)
		path := filepath.Join(e.storage.Chats, base)
		c.parts.File(part, path, entry)
		if c.path == "" || part == partLog {
			c.path = path
		}
	}
}

// transcripts of the extension; most belong to a chat, some stand alone.
func (e *examiner) transcripts() {
	if e.storage.Copilot == "" {
		return
	}
	dir := filepath.Join(e.storage.Copilot, "transcripts")
	var all []transcript
	for _, entry := range e.readDir(dir) {
		name, ok := strings.CutSuffix(entry.Name(), ".jsonl")
		if !ok || name == "" || entry.IsDir() {
			continue
		}
		c, path := e.at(name), filepath.Join(dir, entry.Name())
		from := len(c.parts.List)
		c.parts.File(partTranscript, path, entry)
		c.showPath(path)
		for _, p := range c.parts.List[from:] {
			all = append(all, transcript{of: c, path: path, used: p.Stamp.MTime})
		}
	}
	expireTranscripts(all)
}

func (c *candidate) showPath(path string) {
	if c.path == "" {
		c.path = path
	}
}

// memories gives each session those of its own scope; what belongs to none is of
// the repository, and in the global storage of the user (section 5.2).
func (e *examiner) memories() {
	if e.storage.Copilot == "" {
		return
	}
	dir := filepath.Join(e.storage.Copilot, "memory-tool", "memories")
	shared, left, scope := files.Parts{Problem: e.problem}, memoryFiles, repoMemory
	if e.storage.Global {
		scope = userMemory
	}
	for _, entry := range e.readDir(dir) {
		name, path := entry.Name(), filepath.Join(dir, entry.Name())
		id, ofSession := sidecars.Segment(name)
		switch {
		case !entry.IsDir():
			shared.File(scope+name, path, entry)
		case e.storage.Global || !ofSession && name != "repo":
			shared.Tree(scope+name, path, memoryDepth, &left)
		case !ofSession:
			shared.Tree(strings.TrimSuffix(scope, "/"), path, memoryDepth, &left)
		default:
			c, own := e.at(id), memoryFiles
			from := len(c.parts.List)
			c.parts.Tree(memoryFolder+name, path, memoryDepth, &own)
			c.expireMemory(path, c.parts.List[from:])
			c.showPath(path)
		}
	}
	if len(shared.List) > 0 {
		e.workspace(&shared)
		e.add(sources.Item{Key: e.key("memory"), Kind: sources.KindMemory, Path: dir, Parts: shared.Sorted()})
	}
}

// edits adds what the editor kept of changes to files, by the id of the session
// or a hash of its address.
func (e *examiner) edits() {
	entries := e.readDir(e.storage.Edits)
	if len(entries) == 0 {
		return
	}
	var hashed map[string]*candidate
	for _, entry := range entries {
		key, path := sources.FoldUUID(entry.Name()), filepath.Join(e.storage.Edits, entry.Name(), "state.json")
		c := e.chats[key]
		switch {
		case c != nil:
		case sources.IsUUID(key): // the chat of an empty window lies elsewhere
			c = e.at(entry.Name())
		default:
			if hashed == nil {
				hashed = e.hashed()
			}
			c = hashed[key]
		}
		if c == nil || !entry.IsDir() {
			continue
		}
		c.parts.File(partEdits, path, nil)
		c.showPath(path)
	}
}

// hashed gives the candidates by the names of their edits where another provider
// runs them.
func (e *examiner) hashed() map[string]*candidate {
	out := make(map[string]*candidate, len(externalSchemes)*len(e.chats))
	for id, c := range e.chats {
		for _, scheme := range externalSchemes {
			out[sidecars.EditKey(scheme+":/"+id)] = c
		}
	}
	return out
}

// externalSchemes are the addresses of sessions another provider runs
// (section 3.1).
var externalSchemes = []string{"copilotcli", "agent-host-copilotcli", "claude-code"}

// sessionItems makes items of the candidates that hold anything.
func (e *examiner) sessionItems() {
	for id, c := range e.chats {
		if len(c.parts.List) == 0 {
			continue
		}
		e.workspace(&c.parts)
		e.add(sources.Item{
			Key: e.key("chat/" + id), Kind: sources.KindSession, Session: e.sessionID(c.name), Path: c.path, Parts: c.parts.Sorted(),
			Expires: c.expires,
		})
	}
}

// workspace adds the file that tells the folder of the storage.
func (e *examiner) workspace(to *files.Parts) {
	if e.storage.Workspace != "" {
		to.File(partWorkspace, e.storage.Workspace, nil)
	}
}

// state adds the database with the indexes of the storage.
func (e *examiner) state() {
	if e.storage.StateDB == "" {
		return
	}
	parts := files.Parts{Problem: e.problem}
	parts.Database(partState, e.storage.StateDB)
	if len(parts.List) > 0 {
		e.add(sources.Item{Key: e.key("state"), Kind: sources.KindMemory, Path: e.storage.StateDB, Parts: parts.Sorted()})
	}
}

// globals adds what the extension keeps for all workspaces.
func (e *examiner) globals() {
	if e.storage.Copilot == "" {
		return
	}
	store := filepath.Join(e.storage.Copilot, "session-store.db")
	parts := files.Parts{Problem: e.problem}
	parts.Database(partStore, store)
	if len(parts.List) > 0 {
		parts.List = append(parts.List, sources.Part{Name: partNames, Path: e.storage.Root.Path})
		e.add(sources.Item{Key: e.key("store"), Kind: sources.KindMemory, Path: store, Parts: parts.Sorted()})
	}
	meta := filepath.Join(e.storage.Copilot, "copilotcli", "copilotcli.session.metadata.json")
	parts = files.Parts{Problem: e.problem}
	parts.File(partMetadata, meta, nil)
	if len(parts.List) > 0 {
		e.add(sources.Item{Key: e.key("metadata"), Kind: sources.KindMemory, Path: meta, Parts: parts.Sorted()})
	}
}

func (e *examiner) add(it sources.Item) {
	it.Source, it.Root = sourceName, e.storage.Root.Path
	e.out.items = append(e.out.items, it)
}

// key names something in the storage, the same on every machine where it can be.
func (e *examiner) key(rest string) string {
	return e.storage.Root.Tag + "/" + e.storage.Name + "/" + rest
}

// sessionID makes the identity of a session from the name of its file.
func (e *examiner) sessionID(name string) string { return identity(name, e.storage.Name) }

// identity is a UUID in lower case, else the id with the storage it counts in.
func identity(id, storage string) string {
	if id = sources.FoldUUID(id); sources.IsUUID(id) {
		return id
	}
	return sourceName + ":" + path.Base(storage) + ":" + id
}

func (e *examiner) readDir(path string) []os.DirEntry {
	if path == "" {
		return nil
	}
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		e.problem(path, err)
	}
	return entries
}

func (e *examiner) problem(path string, err error) {
	e.out.problems = append(e.out.problems, newProblem(e.storage.Root.Tag+"/"+e.storage.Name, path, err))
}
