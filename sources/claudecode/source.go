// Package claudecode reads the history that Claude Code keeps below its home, ~/.claude: the transcript of each
// session, in every form from version 1.0 on, its sub-agents, plans, lists of tasks and auto memory, and the list of
// typed prompts. The format is undocumented and changes every few weeks: unknown records are counted, damage is
// reported, the rest is read.
//
// Credentials, keys, caches and backups are never opened. From settings.json only the days are read that transcripts
// are kept.
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
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
)

const (
	agentName = "claude-code" // agent of all sessions
	tested    = "2.1.332"     // the newest version whose files the tests read
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config = homes.Config

// Source reads the history of Claude Code.
type Source struct{ homes.Reader }

// New returns a reader; it opens nothing. A line in the transcript announces what sub-agents write.
func New(c Config) *Source {
	return &Source{homes.Reader{Config: c, Agent: agentName, Program: "Claude Code", Version: tested,
		Watched: []string{partHistory, "projects/*/*.jsonl", "projects/*/memory/*.md", "plans/*.md"}}}
}

// List finds the sessions and the files beside them. It only walks folders and calls stat, but for one number in
// settings.json.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	all, _, err := s.listed(ctx)
	return homes.Listing(ctx, all, err)
}

// Read returns the layers of an item.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{s.Begin(item)}
	read := r.memory
	for part, with := range map[string]func(context.Context) error{
		partTranscript: r.session, partAgent: r.agent, partPlan: r.plan,
		partHistory: func(ctx context.Context) error { return r.history(ctx, s) },
	} {
		if _, ok := item.Part(part); ok {
			read = with
		}
	}
	return r.Done(ctx, read(ctx))
}

// Details returns, for each home, the newest writer's version and counts of what gets no note, from the beginnings of
// transcripts.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	all, names, err := s.listed(ctx)
	if err != nil {
		return nil, err
	}
	return homes.Details(ctx, &s.Reader, all, func(h *home) (t homes.Tally, err error) {
		newest, prompts := int64(0), newPromptList(names)
		t.Counts = map[string]int{}
		for _, item := range h.Out.Items {
			if _, ok := item.Part(partAgent); ok {
				t.Counts["transcript of sub-agents"]++
			}
			if p, ok := item.Part(partHistory); ok {
				err = prompts.ReadFile(ctx, item.File(p))
			}
			if p, ok := item.Part(partTranscript); ok && ctx.Err() == nil {
				begun := begin(ctx, item.File(p), item.Session)
				if p.Stamp.MTime >= newest && begun.version != "" {
					newest, t.Version = p.Stamp.MTime, begun.version
				}
				if begun.finish().Class == sources.Automatic {
					t.Counts["session in which nobody typed a prompt"]++
				}
			}
		}
		t.Counts["session of which only the list of prompts is left"] = len(prompts.all.Left())
		t.Counts["line in the list of prompts without a session, of version 1"] = prompts.nameless
		return t, err
	})
}

// Names of parts.
const (
	partTranscript = "transcript.jsonl"
	partAgent      = "agent.jsonl"
	partAgentMeta  = "agent.meta.json"
	partPlan       = "plan.md"
	partHistory    = "history.jsonl"
	partTitle      = "custom-title.json"
	partTodos      = "todos.json"
	foldTodos      = "todos/"
	foldTasks      = "tasks/"
	foldMemory     = "memory/"
)

// home is a folder with the layout of ~/.claude, with its content.
type home struct {
	*homes.Home
	lists    map[string]fs.DirEntry // lists of tasks, by their names in todos/ and tasks/
	sessions map[string]bool        // listed sessions
}

// keptDays reads from the settings after how many days the program deletes transcripts. Below one it
// returns the default; beyond a century 0, for never.
func keptDays(path string) int {
	var settings struct {
		Days decode.Whole `json:"cleanupPeriodDays"`
	}
	switch damaged, err := decode.File(path, maxText, &settings); {
	case damaged || err != nil || settings.Days < 1:
		return 30
	case settings.Days >= 36500:
		return 0
	}
	return int(settings.Days)
}

// listed lists all homes, and returns the ids of the sessions that have a transcript: the list of prompts is read for
// others.
func (s *Source) listed(ctx context.Context) (all []*home, names map[string]bool, err error) {
	names = map[string]bool{}
	for _, one := range s.Open("projects", "plans", partHistory) {
		h := &home{one, map[string]fs.DirEntry{}, map[string]bool{}}
		all = append(all, h)
		if h.Root.Found {
			h.Root.KeptDays = keptDays(h.In("settings.json"))
		}
		for _, dir := range []string{foldTodos, foldTasks} {
			for _, e := range h.ReadDir(h.Tag, h.In(dir)) {
				h.lists[dir+e.Name()] = e
			}
		}
		projects, plans := h.Real["projects"], h.Real["plans"]
		for _, e := range h.ReadDir(h.Tag, projects) {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			switch path := files.Below(projects, e.Name()); {
			case e.IsDir():
				h.project(path)
			case e.Type()&fs.ModeSymlink != 0: // a moved project may be linked this way
				if real, err := filepath.EvalSymlinks(path); err != nil || filepath.Dir(real) != projects {
					h.Problem(h.Tag, path, fmt.Errorf("list %q: a symbolic link is not followed", path))
				}
			}
		}
		for _, e := range h.ReadDir(h.Tag, plans) {
			if slug, ok := strings.CutSuffix(e.Name(), ".md"); ok && !e.IsDir() {
				h.AddFile(h.Tag+"/plan/"+slug, partPlan, files.Below(plans, e.Name()), e)
			}
		}
		maps.Copy(names, h.sessions)
	}
	for _, h := range all {
		if path := h.Real[partHistory]; path != "" {
			h.AddFile(h.Tag+"/history", partHistory, path, nil, files.Known(h.Real["projects"], names))
		}
	}
	return all, names, ctx.Err()
}

// project lists the folder of a project. A session's folder comes before its transcript.
func (h *home) project(dir string) {
	folder, entries := "", h.ReadInfo(h.Tag, dir)
	h.Out.Items = slices.Grow(h.Out.Items, len(entries))
	for _, e := range entries {
		name, path := e.Name(), files.Below(dir, e.Name())
		base, isLog := strings.CutSuffix(name, ".jsonl")
		id := sources.FoldUUID(base)
		switch {
		case e.IsDir() && name == "memory":
			key := h.Tag + "/memory/" + memoryID(filepath.Base(dir))
			parts := h.Parts(key)
			parts.Each(foldMemory, path, h.ReadDir(key, path), ".md")
			h.Add(sources.Item{Key: key, Kind: sources.KindMemory, Path: path}, parts)
		case e.IsDir() && !isLog && sources.IsUUID(id):
			folder = name
			h.agents(files.Below(path, "subagents"), h.Tag+"/agent/"+id+"/", 2) // workflows/<run>/
		case isLog && strings.HasPrefix(base, "agent-"):
			h.agent(h.Tag+"/agent/"+base, path, e)
		case isLog && sources.IsUUID(id):
			h.session(id, path, e, folder == base)
		}
	}
}

// agents lists the transcripts of sub-agents, except those that compact, suggest prompts or answer a side question with
// a copy of everything.
func (h *home) agents(dir, key string, depth int) {
	for _, e := range h.ReadDir(h.Tag, dir) {
		path := files.Below(dir, e.Name())
		base, isLog := strings.CutSuffix(e.Name(), ".jsonl")
		name, isAgent := strings.CutPrefix(base, "agent-")
		switch kind, _, _ := strings.Cut(name, "-"); {
		case e.IsDir() && depth > 0:
			h.agents(path, key, depth-1)
		case isLog && isAgent && kind != "acompact" && kind != "aprompt_suggestion" && kind != "aside_question":
			h.agent(key+base, path, e)
		}
	}
}

// agent adds the item of a sub-agent, whose name may not be unique.
func (h *home) agent(key, path string, e fs.DirEntry) {
	key = h.once(key, key, filepath.Dir(path))
	meta := h.Parts(key)
	meta.File(partAgentMeta, strings.TrimSuffix(path, ".jsonl")+".meta.json", nil)
	h.AddFile(key, partAgent, path, e, meta.List...)
}

// once returns a unique key: a second item with a name gets its folder added.
func (h *home) once(name, key, folder string) string {
	if h.sessions[name] {
		key += "/" + files.Hash(folder)[:8]
	}
	h.sessions[name] = true
	return key
}

// session adds the item of a session. Its key holds no folder, as a moved project keeps its transcripts.
func (h *home) session(id, path string, e fs.DirEntry, hasFolder bool) {
	it := sources.Item{Key: h.once(id, h.Tag+"/session/"+id, filepath.Base(filepath.Dir(path))), Kind: sources.KindSession, Session: id, Path: path}
	parts := h.Parts(it.Key)
	if parts.File(partTranscript, path, e); len(parts.List) == 0 {
		return
	}
	if h.Root.KeptDays > 0 {
		it.Expires = homes.Expires("transcript", path, parts.List[0].Stamp.MTime, h.Root.KeptDays)
	}
	base := strings.TrimSuffix(e.Name(), ".jsonl")
	if hasFolder {
		parts.File(partTitle, files.Below(files.Below(filepath.Dir(path), base), partTitle), nil)
	}
	if list := h.lists[foldTodos+base+"-agent-"+base+".json"]; list != nil {
		parts.File(partTodos, h.In(foldTodos+list.Name()), list)
	}
	if h.lists[foldTasks+base] != nil {
		dir := h.In(foldTasks + base)
		parts.Each(foldTasks, dir, h.ReadDir(it.Key, dir), ".json")
	}
	h.Add(it, parts)
}

// memoryID returns an id for the folder of a project, whose name is a path.
func memoryID(folder string) string { return files.Hash(folder)[:12] }
