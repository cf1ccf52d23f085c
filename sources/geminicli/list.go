package geminicli

import (
	"cmp"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
)

// Names of parts. A chat is named by its folder and file.
const (
	partRoot      = ".project_root"
	partProjects  = "projects.json"
	partLogs      = "logs.json"
	partMemory    = "GEMINI.md"
	foldPlans     = "plans/"
	partTyped     = "history.jsonl" // of agy
	partLast      = "cache/last_conversations.json"
	partFull      = "transcript_full.jsonl"
	partCut       = "transcript.jsonl"
	foldChunks    = "chunks/"
	foldArtifacts = "artifacts/"
)

// keptDays is after how many days Gemini CLI deletes a chat that is not used any more, unless its settings say
// otherwise. These are not read: keys stand in them.
const keptDays = 30

// home is one folder with the layout of ~/.gemini, and what was found in it.
type home struct {
	homes.Home
	tmp    string                    // real path of what lies there, empty where there is nothing or another home gave it
	chats  map[string][]chatFile     // by the beginnings of the ids of their sessions
	plans  map[string][]string       // folders of sessions, by the same
	places map[string][]sources.Part // what tells the folders of projects, by their names
	agents map[string]bool           // keys of the chats of sub-agents
	sealed int                       // conversations of agy without a transcript
}

// chatFile is a file with the chat of a session, or a part of it.
type chatFile struct {
	project string // name of its folder
	entry   fs.DirEntry
}

// homes finds the folders to read, in order of preference, each once.
func (c Config) homes() (all []*home) {
	seen := map[string]bool{}
	for path := range homes.Paths(homes.Config(c).Folders(agentName), seen) {
		h := &home{chats: map[string][]chatFile{}, plans: map[string][]string{}, places: map[string][]sources.Part{}, agents: map[string]bool{}}
		h.Lister = files.Lister{Source: agentName, Program: programName}
		h.Open(path, c.Home, seen, map[string]*string{"tmp": &h.tmp})
		all = append(all, h)
	}
	return all
}

// in is the path of something in the home.
func (h *home) in(name string) string { return filepath.Join(h.Root.Path, filepath.FromSlash(name)) }

// short is the beginning of the id of a session, by which the names of its files tell it.
func short(id string) string { return id[:min(len(id), shortSize)] }

const shortSize = 8

// shortID returns that beginning out of the name of a chat; ok is false where it is none.
func shortID(name string) (id string, ok bool) {
	stem, ok := strings.CutSuffix(strings.TrimSuffix(name, "l"), ".json")
	at := len(stem) - shortSize
	if !ok || !strings.HasPrefix(stem, "session-") || at < len("session-") || stem[at-1] != '-' {
		return "", false
	}
	return stem[at:], true
}

// listed looks at all homes, and returns the beginnings of the ids of all sessions that have a chat.
func (c Config) listed(ctx context.Context) (all []*home, names map[string]bool, err error) {
	all, names = c.homes(), map[string]bool{} // a chat may lie in another home than the line that was typed
	for _, h := range all {
		for _, e := range h.ReadDir(h.Tag, h.tmp) {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			if e.IsDir() {
				h.project(e.Name())
			}
		}
		for id := range h.chats {
			names[id] = true
		}
	}
	for _, h := range all {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if h.Root.Found {
			h.list(names)
		}
	}
	return all, names, ctx.Err()
}

// project looks into the folder of a project: tmp/<slug>, or before version 0.2x the hash of its path.
func (h *home) project(name string) {
	dir, place := files.Below(h.tmp, name), h.Parts(h.Tag)
	if place.File(partRoot, files.Below(dir, partRoot), nil); len(place.List) == 0 {
		shared(&place, partProjects, h.in(partProjects))
	}
	h.places[name] = place.List
	for _, e := range h.ReadDir(h.Tag, dir) {
		switch id, path := sources.FoldUUID(e.Name()), files.Below(dir, e.Name()); {
		case e.IsDir() && e.Name() == "chats":
			h.chatsIn(name, path)
		case e.IsDir() && sources.IsUUID(id):
			h.plans[short(id)] = append(h.plans[short(id)], path)
		}
	}
}

// chatsIn finds the chats of a project, and in a folder for each session those of its sub-agents.
func (h *home) chatsIn(project, dir string) {
	for _, e := range h.ReadInfo(h.Tag, dir) {
		if id, ok := shortID(e.Name()); ok && !e.IsDir() {
			h.chats[id] = append(h.chats[id], chatFile{project, e})
		} else if e.IsDir() && !strings.HasPrefix(e.Name(), "skill-extraction-") { // the program's own
			h.agentsIn(project, files.Below(dir, e.Name()))
		}
	}
}

// agentsIn finds the chats of the sub-agents of a session.
func (h *home) agentsIn(project, dir string) {
	parent := sources.FoldUUID(filepath.Base(dir))
	for _, e := range h.ReadDir(h.Tag, dir) {
		id, ok := strings.CutSuffix(strings.TrimSuffix(e.Name(), "l"), ".json")
		key, path := h.Tag+"/agent/"+parent+"/"+id, files.Below(dir, e.Name())
		if !ok || e.IsDir() || h.agents[key] { // a project's folder may have been copied to another name
			continue
		}
		h.agents[key] = true
		parts := h.Parts(key)
		parts.File(e.Name(), path, e)
		h.item(sources.Item{Key: key, Kind: sources.KindMemory, Path: path}, parts, h.places[project]...)
	}
}

// item adds an item, where there is anything of it, with what goes with it.
func (h *home) item(it sources.Item, parts files.Parts, more ...sources.Part) {
	if len(parts.List) > 0 {
		parts.List = append(parts.List, more...)
		it.Source, it.Root, it.Parts = agentName, h.Root.Path, parts.Sorted()
		h.Out.Items = append(h.Out.Items, it)
	}
}

// shared adds a file that tells of several items.
func shared(p *files.Parts, name, path string) {
	n := len(p.List)
	if p.File(name, path, nil); len(p.List) > n {
		p.List[n].Shared = true
	}
}

// list makes the items of a home. What was typed in a project tells of the sessions that have no chat: the names of
// the others are a part of it.
func (h *home) list(names map[string]bool) {
	for id, all := range h.chats {
		h.session(id, all)
	}
	for project, place := range h.places {
		key, path := h.Tag+"/logs/"+project, filepath.Join(h.tmp, project, partLogs)
		parts := h.Parts(key)
		parts.File(partLogs, path, nil)
		chats := sources.Part{Name: files.Names, Path: h.tmp, Stamp: files.StampNames(names)}
		h.item(sources.Item{Key: key, Kind: sources.KindMemory, Path: path}, parts, append([]sources.Part{chats}, place...)...)
	}
	parts := h.Parts(h.Tag + "/memory")
	parts.File(partMemory, h.in(partMemory), nil)
	h.item(sources.Item{Key: h.Tag + "/memory", Kind: sources.KindMemory, Path: h.in(partMemory)}, parts)
	for _, e := range h.ReadDir(h.Tag, h.Root.Path) {
		if e.IsDir() && strings.HasPrefix(e.Name(), desktopName) {
			h.conversations(e.Name())
		}
	}
	if len(h.chats) > 0 {
		h.Root.KeptDays = keptDays
	}
	h.TellOldest("chat", ", unless the settings of Gemini CLI say otherwise")
}

// session adds the item of the chats whose names tell one beginning of an id: almost always of one session, which may
// go on in another file, or in one of the other format.
func (h *home) session(id string, all []chatFile) {
	newest := slices.MaxFunc(all, func(a, b chatFile) int {
		return strings.Compare(a.entry.Name()+"/"+a.project, b.entry.Name()+"/"+b.project)
	})
	it := sources.Item{Key: h.Tag + "/session/" + id, Kind: sources.KindSession, Path: filepath.Join(h.tmp, newest.project, "chats", newest.entry.Name())}
	parts := h.Parts(it.Key)
	for _, f := range all {
		parts.File(f.project+"/"+f.entry.Name(), filepath.Join(h.tmp, f.project, "chats", f.entry.Name()), f.entry)
	}
	if len(parts.List) == 0 {
		return
	}
	used := slices.MaxFunc(parts.List, func(a, b sources.Part) int { return cmp.Compare(a.Stamp.MTime, b.Stamp.MTime) }).Stamp.MTime
	it.Expires = homes.Expires("transcript", it.Path, used, keptDays)
	shared(&parts, partLogs, filepath.Join(h.tmp, newest.project, partLogs))
	for _, dir := range h.plans[id] {
		h.folder(&parts, foldPlans+sources.FoldUUID(filepath.Base(dir))+"/", files.Below(dir, "plans"), ".md")
	}
	h.item(it, parts, h.places[newest.project]...)
}

// folder adds the files of a folder whose names end so.
func (h *home) folder(parts *files.Parts, name, dir string, ends ...string) {
	for _, e := range h.ReadDir(h.Tag, dir) {
		if !e.IsDir() && slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(e.Name(), end) }) {
			parts.File(name+e.Name(), files.Below(dir, e.Name()), e)
		}
	}
}

// conversations adds the conversations of agy, or of the program with windows, in a folder of the home.
func (h *home) conversations(folder string) {
	brain := h.in(folder + "/brain")
	for _, e := range h.ReadDir(h.Tag, brain) {
		id, dir := sources.FoldUUID(e.Name()), files.Below(brain, e.Name())
		if !e.IsDir() || !sources.IsUUID(id) {
			continue
		}
		key := h.Tag + "/" + folder + "/" + id
		parts := h.Parts(key)
		if h.transcript(&parts, filepath.Join(dir, ".system_generated", "logs")); len(parts.List) == 0 {
			h.sealed++
			continue
		}
		h.folder(&parts, foldArtifacts, dir, ".md", ".md.metadata.json")
		shared(&parts, partTyped, h.in(folder+"/"+partTyped))
		shared(&parts, partLast, h.in(folder+"/"+partLast))
		h.item(sources.Item{Key: key, Kind: sources.KindSession, Session: id, Path: dir}, parts)
	}
}

// transcript adds the best there is of a transcript: the whole one, its chunks, or the one that is cut.
func (h *home) transcript(p *files.Parts, logs string) {
	if p.File(partFull, files.Below(logs, partFull), nil); len(p.List) > 0 && p.List[0].Stamp.Size > 0 {
		return
	}
	p.List = nil
	if h.folder(p, foldChunks, filepath.Join(logs, "chunks", "transcript_full"), ".jsonl"); len(p.List) == 0 {
		p.File(partCut, files.Below(logs, partCut), nil)
	}
}
