package claudecode

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// Names of parts. The first part of an item tells what it is.
const (
	partTranscript = "0-transcript.jsonl"
	partAgent      = "agent.jsonl"
	partAgentMeta  = "agent.meta.json"
	partPlan       = "plan.md"
	partHistory    = "history.jsonl"
	partTitle      = "custom-title.json"
	partTodos      = "todos.json"
	foldTasks      = "tasks/"
	foldMemory     = "memory/"
)

// What goes by itself.
const expiresTranscript = "transcript"

// found is what there is in a home.
type found struct {
	sessions []candidate
	agents   []agentFile
	memories []string // folders
}

// candidate is a session: its transcript and the folder of its name beside it.
type candidate struct {
	id, path string
	entry    fs.DirEntry
	twin     string // tells it from another transcript of the same name; empty: there is none
	title    bool   // there may be a custom-title.json
}

// agentFile is the transcript of a sub-agent.
type agentFile struct {
	name, parent string // the parent is empty where only the file tells
	path         string
	entry        fs.DirEntry
}

// found looks at all homes.
func (c Config) found(ctx context.Context) ([]*home, error) {
	all := c.homes()
	for _, h := range all {
		for _, e := range h.ReadDir(h.tag, h.projects) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if path := files.Below(h.projects, e.Name()); e.IsDir() {
				h.project(path)
			} else if e.Type()&fs.ModeSymlink != 0 {
				h.link(path)
			}
		}
		h.tellTwins()
	}
	return all, ctx.Err()
}

// namesIn are the ids of the sessions that have a transcript.
func namesIn(homes []*home) map[string]bool {
	names := map[string]bool{}
	for _, h := range homes {
		for _, c := range h.found.sessions {
			names[c.id] = true
		}
	}
	return names
}

// link tells of a link, unless it leads to a folder that is read anyway: so people keep a
// project together that moved.
func (h *home) link(path string) {
	if real, err := filepath.EvalSymlinks(path); err != nil || filepath.Dir(real) != h.projects {
		h.Problem(h.tag, path, fmt.Errorf("list %q: a symbolic link is not followed", path))
	}
}

// project looks into the folder of a project. Folders of sessions without a transcript hold
// at most their sub-agents.
func (h *home) project(dir string) {
	folders := map[string]bool{}
	var own []candidate
	for _, e := range h.ReadDir(h.tag, dir) {
		name, path := e.Name(), files.Below(dir, e.Name())
		base, isLog := strings.CutSuffix(name, ".jsonl")
		switch {
		case e.IsDir() && name == "memory":
			h.found.memories = append(h.found.memories, path)
		case e.IsDir() && sources.IsUUID(sources.FoldUUID(name)):
			folders[name] = true
			h.agents(files.Below(path, "subagents"), sources.FoldUUID(name), maxDepth)
		case isLog && strings.HasPrefix(base, "agent-"):
			h.agentFile(base, "", path, e)
		case isLog && sources.IsUUID(sources.FoldUUID(base)):
			own = append(own, candidate{id: sources.FoldUUID(base), path: path, entry: e})
		}
	}
	for _, c := range own {
		c.title = folders[strings.TrimSuffix(filepath.Base(c.path), ".jsonl")]
		h.found.sessions = append(h.found.sessions, c)
	}
}

// maxDepth is how deep below subagents/ is looked: workflows/<run>/.
const maxDepth = 2

// agents finds the transcripts of sub-agents.
func (h *home) agents(dir, parent string, depth int) {
	for _, e := range h.ReadDir(h.tag, dir) {
		path := files.Below(dir, e.Name())
		if e.IsDir() && depth > 0 {
			h.agents(path, parent, depth-1)
		} else if base, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok && strings.HasPrefix(base, "agent-") {
			h.agentFile(base, parent, path, e)
		}
	}
}

// agentFile notes the transcript of a sub-agent, but for those that the program runs for
// itself: they compact, suggest prompts, or answer a question aside with a copy of all.
func (h *home) agentFile(name, parent, path string, e fs.DirEntry) {
	for _, own := range []string{"agent-acompact-", "agent-aprompt_suggestion-", "agent-aside_question-"} {
		if strings.HasPrefix(name, own) {
			return
		}
	}
	h.found.agents = append(h.found.agents, agentFile{name, parent, path, e})
}

// tellTwins tells transcripts of one name apart that lie in several folders. The key of a
// session holds no folder, since one that moves takes its transcript along.
func (h *home) tellTwins() {
	seen := map[string]bool{}
	for i, c := range h.found.sessions {
		if seen[c.id] {
			h.found.sessions[i].twin = "/" + files.Hash(filepath.Base(filepath.Dir(c.path)))[:8]
		}
		seen[c.id] = true
	}
}

// list makes the items of what was found.
func (h *home) list(names map[string]bool) {
	todos := h.todos()
	for _, c := range h.found.sessions {
		h.session(c, todos)
	}
	for _, a := range h.found.agents {
		key := h.tag + "/agent/" + a.name
		if a.parent != "" {
			key = h.tag + "/agent/" + a.parent + "/" + a.name
		}
		parts := h.Parts(key)
		parts.File(partAgent, a.path, a.entry)
		parts.File(partAgentMeta, strings.TrimSuffix(a.path, ".jsonl")+".meta.json", nil)
		h.item(sources.Item{Key: key, Kind: sources.KindMemory, Path: a.path}, parts)
	}
	for _, e := range h.ReadDir(h.tag, h.plans) {
		if slug, ok := strings.CutSuffix(e.Name(), ".md"); ok && !e.IsDir() {
			key, path := h.tag+"/plan/"+slug, files.Below(h.plans, e.Name())
			parts := h.Parts(key)
			parts.File(partPlan, path, e)
			h.item(sources.Item{Key: key, Kind: sources.KindMemory, Path: path}, parts)
		}
	}
	for _, dir := range h.found.memories {
		h.memories(dir)
	}
	if h.history != "" {
		parts := h.Parts(h.tag)
		parts.File(partHistory, h.history, nil)
		if len(parts.List) > 0 {
			parts.List = append(parts.List, sources.Part{Name: files.Names, Path: h.projects, Stamp: files.StampNames(names)})
		}
		h.item(sources.Item{Key: h.tag + "/history", Kind: sources.KindMemory, Path: h.history}, parts)
	}
	h.tellRetention()
}

// item adds an item, where there is anything of it.
func (h *home) item(it sources.Item, parts files.Parts) {
	if len(parts.List) > 0 {
		it.Source, it.Root, it.Parts = agentName, h.root.Path, parts.Sorted()
		h.Out.Items = append(h.Out.Items, it)
	}
}

// session adds the item of a session.
func (h *home) session(c candidate, todos map[string]fs.DirEntry) {
	key := h.tag + "/session/" + c.id + c.twin
	parts := h.Parts(key)
	parts.File(partTranscript, c.path, c.entry)
	if len(parts.List) == 0 {
		return
	}
	stamp := parts.List[0].Stamp
	if c.title {
		parts.File(partTitle, files.Below(strings.TrimSuffix(c.path, ".jsonl"), partTitle), nil)
	}
	if e := todos[c.id]; e != nil {
		parts.File(partTodos, filepath.Join(h.root.Path, "todos", e.Name()), e)
	}
	if todos[foldTasks+c.id] != nil {
		dir := filepath.Join(h.root.Path, "tasks", c.id)
		for _, e := range h.ReadDir(key, dir) {
			if strings.HasSuffix(e.Name(), ".json") && !e.IsDir() {
				parts.File(foldTasks+e.Name(), files.Below(dir, e.Name()), e)
			}
		}
	}
	h.item(sources.Item{Key: key, Kind: sources.KindSession, Session: c.id, Path: c.path, Expires: h.expires(expiresTranscript, c.path, stamp)}, parts)
}

// todos finds the lists of sessions: todos/<session>-agent-<session>.json by id, and the
// folders in tasks/.
func (h *home) todos() map[string]fs.DirEntry {
	out := map[string]fs.DirEntry{}
	for _, e := range h.ReadDir(h.tag, filepath.Join(h.root.Path, "todos")) {
		if id, agent, ok := strings.Cut(strings.TrimSuffix(e.Name(), ".json"), "-agent-"); ok && id == agent {
			out[sources.FoldUUID(id)] = e
		}
	}
	for _, e := range h.ReadDir(h.tag, filepath.Join(h.root.Path, "tasks")) {
		if e.IsDir() {
			out[foldTasks+e.Name()] = e
		}
	}
	return out
}

// memories adds the item of the auto memory of a project.
func (h *home) memories(dir string) {
	key := h.tag + "/memory/" + memoryID(filepath.Base(filepath.Dir(dir)))
	parts := h.Parts(key)
	for _, e := range h.ReadDir(key, dir) {
		if strings.HasSuffix(e.Name(), ".md") && !e.IsDir() {
			parts.File(foldMemory+e.Name(), files.Below(dir, e.Name()), e)
		}
	}
	h.item(sources.Item{Key: key, Kind: sources.KindMemory, Path: dir}, parts)
}

// memoryID stands for the folder of a project, whose name is a path.
func memoryID(folder string) string { return files.Hash(folder)[:12] }

// firstPart is the part that tells what an item is.
func firstPart(item sources.Item) string {
	for _, known := range []string{partTranscript, partAgent, partPlan, partHistory} {
		if _, ok := item.Part(known); ok {
			return known
		}
	}
	if i := slices.IndexFunc(item.Parts, func(p sources.Part) bool { return strings.HasPrefix(p.Name, foldMemory) }); i >= 0 {
		return item.Parts[i].Name
	}
	return ""
}
