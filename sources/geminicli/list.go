package geminicli

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
)

// listed looks at all homes, and gives the beginnings of the ids of all sessions that have a
// chat.
func (c Config) listed(ctx context.Context) (all []*home, names map[string]bool, err error) {
	all = c.homes()
	names = map[string]bool{} // a chat may lie in another home than the line that was typed
	for _, h := range all {
		for _, e := range h.ReadDir(h.Tag, h.tmp) {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			if e.IsDir() {
				h.project(e.Name())
			}
		}
		maps.Copy(names, h.names)
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

// project looks into the folder of a project: tmp/<slug>, or before version 0.2x the hash of
// its path.
func (h *home) project(name string) {
	dir := files.Below(h.tmp, name)
	for _, e := range h.ReadDir(h.Tag, dir) {
		switch {
		case e.IsDir() && e.Name() == "chats":
			h.chatsIn(name, files.Below(dir, e.Name()))
		case e.IsDir() && sources.IsUUID(sources.FoldUUID(e.Name())):
			id := sources.FoldUUID(e.Name())
			h.plans[short(id)] = append(h.plans[short(id)], files.Below(dir, e.Name()))
		}
	}
}

// chatsIn finds the chats of a project, and in a folder for each session those of its sub-agents.
func (h *home) chatsIn(project, dir string) {
	for _, e := range h.ReadInfo(h.Tag, dir) {
		name, path := e.Name(), files.Below(dir, e.Name())
		if s, ok := shortID(name); ok && !e.IsDir() {
			h.names[s] = true
			h.chats[s] = append(h.chats[s], chatFile{project, name, path, e})
		} else if e.IsDir() {
			h.agentsIn(project, path)
		}
	}
}

// agentsIn finds the chats of the sub-agents of a session.
func (h *home) agentsIn(project, dir string) {
	parent := sources.FoldUUID(filepath.Base(dir))
	for _, e := range h.ReadDir(h.Tag, dir) {
		id, ok := strings.CutSuffix(e.Name(), ".jsonl")
		key, path := h.Tag+"/agent/"+parent+"/"+id, files.Below(dir, e.Name())
		if !ok || e.IsDir() || h.agents[key] { // a project's folder may have been copied to another name
			continue
		}
		h.agents[key] = true
		parts := h.Parts(key)
		if parts.File(e.Name(), path, e); len(parts.List) > 0 {
			h.place(&parts, project)
			h.item(sources.Item{Key: key, Kind: sources.KindMemory, Path: path}, parts)
		}
	}
}

// item adds an item, where there is anything of it.
func (h *home) item(it sources.Item, parts files.Parts) {
	if len(parts.List) > 0 {
		it.Source, it.Root, it.Parts = agentName, h.Root.Path, parts.Sorted()
		h.Out.Items = append(h.Out.Items, it)
	}
}

// place adds what tells the folder of a project.
func (h *home) place(p *files.Parts, project string) {
	all, known := h.places[project]
	if !known {
		found := h.Parts(h.Tag)
		if found.File(partRoot, filepath.Join(h.tmp, project, partRoot), nil); len(found.List) == 0 {
			shared(&found, partProjects, h.in(partProjects))
		}
		all = found.List
		h.places[project] = all
	}
	p.List = append(p.List, all...)
}

// shared adds a file that tells of several items.
func shared(p *files.Parts, name, path string) {
	n := len(p.List)
	if p.File(name, path, nil); len(p.List) > n {
		p.List[n].Shared = true
	}
}

// list makes the items of a home.
func (h *home) list(names map[string]bool) {
	for s, all := range h.chats {
		h.session(s, all)
	}
	for _, e := range h.ReadDir(h.Tag, h.tmp) {
		if e.IsDir() {
			h.logs(e.Name(), names)
		}
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

// logs adds the lines that were typed in a project. They tell of the sessions that have no
// chat: the names of the others are a part of it.
func (h *home) logs(project string, names map[string]bool) {
	key, path := h.Tag+"/logs/"+project, filepath.Join(h.tmp, project, partLogs)
	parts := h.Parts(key)
	if parts.File(partLogs, path, nil); len(parts.List) > 0 {
		parts.List = append(parts.List, sources.Part{Name: files.Names, Path: h.tmp, Stamp: files.StampNames(names)})
		h.place(&parts, project)
		h.item(sources.Item{Key: key, Kind: sources.KindMemory, Path: path}, parts)
	}
}

// session adds the item of the chats whose names tell one beginning of an id: almost always of
// one session, which may go on in another file, or in one of the other format.
func (h *home) session(s string, all []chatFile) {
	slices.SortFunc(all, func(a, b chatFile) int { return strings.Compare(a.name+"/"+a.project, b.name+"/"+b.project) })
	newest := all[len(all)-1]
	key := h.Tag + "/session/" + s
	parts := h.Parts(key)
	for _, f := range all {
		parts.File(f.project+"/"+f.name, f.path, f.entry)
	}
	if len(parts.List) == 0 {
		return
	}
	used := slices.MaxFunc(parts.List, func(a, b sources.Part) int { return cmp.Compare(a.Stamp.MTime, b.Stamp.MTime) }).Stamp.MTime
	h.place(&parts, newest.project)
	shared(&parts, partLogs, filepath.Join(h.tmp, newest.project, partLogs))
	for _, dir := range h.plans[s] {
		for _, e := range h.ReadDir(h.Tag, files.Below(dir, "plans")) {
			if filepath.Ext(e.Name()) == ".md" && !e.IsDir() {
				parts.File(foldPlans+filepath.Base(dir)+"/"+e.Name(), filepath.Join(dir, "plans", e.Name()), e)
			}
		}
	}
	h.item(sources.Item{Key: key, Kind: sources.KindSession, Path: newest.path, Expires: homes.Expires("transcript", newest.path, used, keptDays)}, parts)
}

// conversations adds the conversations of agy, or of the program with windows, in a folder of
// the home.
func (h *home) conversations(folder string) {
	brain := filepath.Join(h.Root.Path, folder, "brain")
	for _, e := range h.ReadDir(h.Tag, brain) {
		id := sources.FoldUUID(e.Name())
		if !e.IsDir() || !sources.IsUUID(id) {
			continue
		}
		dir := files.Below(brain, e.Name())
		key := h.Tag + "/" + folder + "/" + id
		parts := h.Parts(key)
		if h.transcript(&parts, filepath.Join(dir, ".system_generated", "logs")); len(parts.List) == 0 {
			h.sealed++
			continue
		}
		for _, a := range h.ReadDir(h.Tag, dir) {
			if name := a.Name(); !a.IsDir() && (strings.HasSuffix(name, ".md") || strings.HasSuffix(name, ".md.metadata.json")) {
				parts.File(foldArtifacts+name, files.Below(dir, name), a)
			}
		}
		shared(&parts, partTyped, filepath.Join(h.Root.Path, folder, partTyped))
		shared(&parts, partLast, filepath.Join(h.Root.Path, folder, filepath.FromSlash(partLast)))
		h.item(sources.Item{Key: key, Kind: sources.KindSession, Session: id, Path: dir}, parts)
	}
}

// transcript adds the best there is of a transcript: the whole one, its chunks, or the one that
// is cut.
func (h *home) transcript(p *files.Parts, logs string) {
	if p.File(partFull, files.Below(logs, partFull), nil); len(p.List) > 0 && p.List[0].Stamp.Size > 0 {
		return
	}
	p.List = nil
	chunks := filepath.Join(logs, "chunks", "transcript_full")
	for _, e := range h.ReadDir(h.Tag, chunks) {
		if filepath.Ext(e.Name()) == ".jsonl" && !e.IsDir() {
			p.File(foldChunks+e.Name(), files.Below(chunks, e.Name()), e)
		}
	}
	if len(p.List) == 0 {
		p.File(partCut, files.Below(logs, partCut), nil)
	}
}
