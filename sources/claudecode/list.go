package claudecode

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// Names of parts.
const (
	partTranscript = "transcript.jsonl"
	partAgent      = "agent.jsonl"
	partAgentMeta  = "agent.meta.json"
	partPlan       = "plan.md"
	partHistory    = "history.jsonl"
	partTitle      = "custom-title.json"
	partTodos      = "todos.json"
	foldTasks      = "tasks/"
	foldMemory     = "memory/"
)

// listed looks at all homes. The list of prompts tells of the sessions that none of them
// has: their names are a part of it.
func (c Config) listed(ctx context.Context) ([]*home, error) {
	all := c.homes()
	for _, h := range all {
		h.todos = h.lists()
		for _, e := range h.ReadDir(h.Tag, h.projects) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if path := files.Below(h.projects, e.Name()); e.IsDir() {
				h.project(path)
			} else if e.Type()&fs.ModeSymlink != 0 {
				h.link(path)
			}
		}
		for _, e := range h.ReadDir(h.Tag, h.plans) {
			if slug, ok := strings.CutSuffix(e.Name(), ".md"); ok && !e.IsDir() {
				h.file("/plan/"+slug, partPlan, files.Below(h.plans, e.Name()), e)
			}
		}
	}
	names := files.StampNames(namesIn(all))
	for _, h := range all {
		if h.history != "" {
			h.file("/history", partHistory, h.history, nil, sources.Part{Name: files.Names, Path: h.projects, Stamp: names})
		}
	}
	return all, ctx.Err()
}

// namesIn are the ids of the sessions that have a transcript, in whichever home.
func namesIn(homes []*home) map[string]bool {
	names := map[string]bool{}
	for _, h := range homes {
		maps.Copy(names, h.sessions)
	}
	return names
}

// link tells of a link, unless it leads to a folder that is read anyway: so people keep a
// project together that moved.
func (h *home) link(path string) {
	if real, err := filepath.EvalSymlinks(path); err != nil || filepath.Dir(real) != h.projects {
		h.Problem(h.Tag, path, fmt.Errorf("list %q: a symbolic link is not followed", path))
	}
}

// project looks into the folder of a project. A folder of a session comes in front of its
// transcript, and holds its sub-agents.
func (h *home) project(dir string) {
	folder, entries := "", h.ReadInfo(h.Tag, dir)
	h.Out.Items = slices.Grow(h.Out.Items, len(entries))
	for _, e := range entries {
		name, path := e.Name(), files.Below(dir, e.Name())
		base, isLog := strings.CutSuffix(name, ".jsonl")
		id := sources.FoldUUID(base)
		switch {
		case e.IsDir() && name == "memory":
			h.memory(path)
		case e.IsDir() && !isLog && sources.IsUUID(id):
			folder = name
			h.agents(files.Below(path, "subagents"), "/agent/"+id+"/", maxDepth)
		case isLog && strings.HasPrefix(base, "agent-"):
			h.agent("/agent/"+base, path, e)
		case isLog && sources.IsUUID(id):
			h.session(id, path, e, folder == base)
		}
	}
}

// maxDepth is how deep below subagents/ is looked: workflows/<run>/.
const maxDepth = 2

// agents finds the transcripts of sub-agents, but for those that the program runs for
// itself: they compact, suggest prompts, or answer a question aside with a copy of all.
func (h *home) agents(dir, key string, depth int) {
	for _, e := range h.ReadDir(h.Tag, dir) {
		path := files.Below(dir, e.Name())
		base, ok := strings.CutSuffix(e.Name(), ".jsonl")
		switch {
		case e.IsDir() && depth > 0:
			h.agents(path, key, depth-1)
		case !ok || !strings.HasPrefix(base, "agent-"):
		case strings.HasPrefix(base, "agent-acompact-"), strings.HasPrefix(base, "agent-aprompt_suggestion-"), strings.HasPrefix(base, "agent-aside_question-"):
		default:
			h.agent(key+base, path, e)
		}
	}
}

// agent adds the item of a sub-agent, whose name another one may have too.
func (h *home) agent(key, path string, e fs.DirEntry) {
	if h.sessions[key] {
		key += "/" + files.Hash(filepath.Dir(path))[:8]
	}
	h.sessions[key] = true
	meta := h.Parts(h.Tag + key)
	meta.File(partAgentMeta, strings.TrimSuffix(path, ".jsonl")+".meta.json", nil)
	h.file(key, partAgent, path, e, meta.List...)
}

// file adds an item of one file, and of what goes with it.
func (h *home) file(key, part, path string, e fs.DirEntry, more ...sources.Part) {
	parts := h.Parts(h.Tag + key)
	if parts.File(part, path, e); len(parts.List) > 0 {
		parts.List = append(parts.List, more...)
		h.item(sources.Item{Key: h.Tag + key, Kind: sources.KindMemory, Path: path}, parts)
	}
}

// item adds an item, where there is anything of it.
func (h *home) item(it sources.Item, parts files.Parts) {
	if len(parts.List) > 0 {
		it.Source, it.Root, it.Parts = agentName, h.Root.Path, parts.Sorted()
		h.Out.Items = append(h.Out.Items, it)
	}
}

// session adds the item of a session. Its key holds no folder, since one that moves takes its
// transcript along; a second transcript of one name is told apart by it.
func (h *home) session(id, path string, e fs.DirEntry, hasFolder bool) {
	key := h.Tag + "/session/" + id
	if h.sessions[id] {
		key += "/" + files.Hash(filepath.Base(filepath.Dir(path)))[:8]
	}
	h.sessions[id] = true
	parts := h.Parts(key)
	parts.File(partTranscript, path, e)
	if len(parts.List) == 0 {
		return
	}
	expires := h.expires(path, parts.List[0].Stamp)
	if hasFolder {
		parts.File(partTitle, files.Below(strings.TrimSuffix(path, ".jsonl"), partTitle), nil)
	}
	if list := h.todos[id]; list != nil {
		parts.File(partTodos, filepath.Join(h.Root.Path, "todos", list.Name()), list)
	}
	if h.todos[foldTasks+id] != nil {
		h.folder(&parts, key, foldTasks, filepath.Join(h.Root.Path, "tasks", id), ".json")
	}
	h.item(sources.Item{Key: key, Kind: sources.KindSession, Session: id, Path: path, Expires: expires}, parts)
}

// lists finds the lists of sessions: todos/<session>-agent-<session>.json by id, and the
// folders in tasks/.
func (h *home) lists() map[string]fs.DirEntry {
	out := map[string]fs.DirEntry{}
	for _, e := range h.ReadDir(h.Tag, filepath.Join(h.Root.Path, "todos")) {
		if id, agent, ok := strings.Cut(strings.TrimSuffix(e.Name(), ".json"), "-agent-"); ok && id == agent {
			out[sources.FoldUUID(id)] = e
		}
	}
	for _, e := range h.ReadDir(h.Tag, filepath.Join(h.Root.Path, "tasks")) {
		if e.IsDir() {
			out[foldTasks+e.Name()] = e
		}
	}
	return out
}

// memory adds the item of the auto memory of a project.
func (h *home) memory(dir string) {
	key := h.Tag + "/memory/" + memoryID(filepath.Base(filepath.Dir(dir)))
	parts := h.Parts(key)
	h.folder(&parts, key, foldMemory, dir, ".md")
	h.item(sources.Item{Key: key, Kind: sources.KindMemory, Path: dir}, parts)
}

// folder adds the files of a folder whose names end alike.
func (h *home) folder(parts *files.Parts, key, name, dir, end string) {
	for _, e := range h.ReadDir(key, dir) {
		if strings.HasSuffix(e.Name(), end) && !e.IsDir() {
			parts.File(name+e.Name(), files.Below(dir, e.Name()), e)
		}
	}
}

// memoryID stands for the folder of a project, whose name is a path.
func memoryID(folder string) string { return files.Hash(folder)[:12] }
