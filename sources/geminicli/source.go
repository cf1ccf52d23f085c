// Package geminicli reads the history that Gemini CLI keeps below its home, ~/.gemini: chats in both formats,
// those of sub-agents, plans, memory and the lists of typed lines; and the transcripts and artifacts of its
// successor, Antigravity CLI (agy), in the same home. Settings, credentials, the shadow repositories in
// history/ and the databases of agy are never opened.
package geminicli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
)

const (
	agentName   = "gemini-cli"      // the agent of sessions of Gemini CLI
	agyName     = "antigravity-cli" // the agent of sessions of agy, and its folder in the home
	desktopName = "antigravity"     // agent of sessions of the desktop program
	tested      = "0.61.0"          // the newest version whose chats the tests read
)

// The layers of a session. They are listed in notes, so they never change.
const (
	layerChat       = agentName + "/chat"
	layerSubagents  = agentName + "/subagents"
	layerPlans      = agentName + "/plans"
	layerPrompts    = agentName + "/logs" // prompts of sessions whose chats are gone
	layerMemory     = agentName + "/memory"
	layerTranscript = agentName + "/transcript" // transcript of agy
	layerArtifacts  = agentName + "/artifacts"  // artifacts of agy
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config = homes.Config

// Source reads the history of Gemini CLI and of its successor.
type Source struct {
	homes.Reader

	lists files.Pass[listed]          // lists by path and stamp
	names files.Pass[map[string]bool] // short ids of the sessions that have a chat
}

// New returns a reader; it opens nothing.
func New(c Config) *Source {
	return &Source{Reader: homes.Reader{Config: c, Agent: agentName, Program: "Gemini CLI", Version: tested, Watched: []string{
		"tmp/*/chats/session-*.jsonl", "tmp/*/chats/session-*.json", partMemory,
		desktopName + "*/brain/*/.system_generated/logs/transcript*.jsonl", desktopName + "*/brain/*/*.md",
	}}}
}

// List finds the sessions and the files beside them. It only walks folders and calls stat.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	all, _, err := s.listed(ctx)
	return homes.Listing(ctx, all, err)
}

type reading struct {
	files.Reading
	src *Source
}

// Read returns the layers of an item.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{src: s, Reading: s.Begin(item)}
	_, isMemory := item.Part(partMemory)
	_, isLogs := item.Part(partLogs)
	read := r.subagent
	switch {
	case item.Session != "":
		read = r.conversation
	case item.Kind == sources.KindSession:
		read = r.session
	case isMemory:
		read = r.memory
	case isLogs:
		read = r.prompts
	}
	return r.Done(ctx, read(ctx))
}

// Close ends a pass: lists are read again in the next one.
func (s *Source) Close() error { return errors.Join(s.lists.Close(), s.names.Close()) }

// known returns the short ids of the sessions that have a chat.
func (s *Source) known(ctx context.Context) map[string]bool {
	return s.names.At("", func() map[string]bool {
		_, names, _ := s.listed(context.WithoutCancel(ctx)) // it only fails if cancelled
		return names
	})
}

// Details counts in each home what is not a session of Gemini CLI.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	all, _, err := s.listed(ctx)
	if err != nil {
		return nil, err
	}
	return homes.Details(ctx, &s.Reader, all, func(h *home) (homes.Tally, error) {
		n := map[string]int{"conversation of Antigravity without a transcript": h.sealed}
		for _, it := range h.Out.Items {
			switch _, isLogs := it.Part(partLogs); {
			case it.Session != "":
				n["conversation of Antigravity"]++
			case strings.HasPrefix(it.Key, h.Tag+"/agent/"):
				n["chat of a sub-agent"]++
			case isLogs && it.Kind == sources.KindMemory:
				r := &reading{src: s, Reading: files.Reading{Item: it}}
				if err := r.prompts(ctx); err == nil { // else List and Read report it
					n["session with nothing but typed lines left"] += len(r.Out.RowsOnly)
				}
			}
		}
		return homes.Tally{Counts: n}, nil
	})
}

// Names of parts. A chat is named by its folder and file.
const (
	partRoot      = ".project_root"
	partProjects  = "projects.json"
	partLogs      = "logs.json"
	partMemory    = "GEMINI.md"
	foldPlans     = "plans/"
	partTyped     = "history.jsonl" // typed lines of agy
	partLast      = "cache/last_conversations.json"
	partFull      = "transcript_full.jsonl"
	partCut       = "transcript.jsonl"
	foldChunks    = "chunks/"
	foldArtifacts = "artifacts/"
)

// keptDays is after how many days Gemini CLI deletes an unused chat, unless its settings say otherwise. These
// are not read, as they may hold keys.
const keptDays = 30

// home is a folder with the layout of ~/.gemini, with its content.
type home struct {
	*homes.Home
	tmp    string                    // its real path, empty if missing or given by another home already
	chats  map[string][]chatFile     // chats by short id
	plans  map[string][]string       // folders of sessions, by short id
	places map[string][]sources.Part // parts with the folders of projects, by name
	agents map[string]bool           // keys of the chats of sub-agents
	sealed int                       // conversations of agy without a transcript
}

// chatFile is a file with the chat of a session, or a part of it.
type chatFile struct {
	project string // name of its folder
	entry   fs.DirEntry
}

// short returns the beginning of a session's id that the names of its files have.
func short(id string) string { return id[:min(len(id), shortSize)] }

const shortSize = 8

// shortID returns the short id in the name of a chat, or the name without one: a program that embeds the client gives one
// id to all chats, which names none of them. ok is false for other files.
func shortID(name string) (id string, ok bool) {
	stem, ok := strings.CutSuffix(strings.TrimSuffix(name, "l"), ".json")
	at := len(stem) - shortSize
	if !ok || !strings.HasPrefix(stem, "session-") || at < len("session-") || stem[at-1] != '-' {
		return "", false
	}
	if strings.TrimLeft(stem[at:], "0123456789abcdefABCDEF") != "" {
		return stem, true
	}
	return stem[at:], true
}

// listed lists all homes, and returns the short ids of all sessions that have a chat.
func (s *Source) listed(ctx context.Context) (all []*home, names map[string]bool, err error) {
	names = map[string]bool{} // a chat may be in another home than the typed line
	for _, one := range s.Open("tmp") {
		h := &home{one, one.Real["tmp"], map[string][]chatFile{}, map[string][]string{}, map[string][]sources.Part{}, map[string]bool{}, 0}
		all = append(all, h)
		for _, e := range h.ReadDir(h.Tag, h.tmp) {
			if e.IsDir() && ctx.Err() == nil {
				h.project(e.Name())
			}
		}
		for id := range h.chats {
			names[id] = true
		}
	}
	for _, h := range all {
		if h.Root.Found && ctx.Err() == nil {
			h.list(names)
		}
	}
	return all, names, ctx.Err()
}

// project lists the folder of a project: tmp/<slug>, or before version 0.2x the hash of its path.
func (h *home) project(name string) {
	dir, place := files.Below(h.tmp, name), h.Parts(h.Tag)
	if place.File(partRoot, files.Below(dir, partRoot), nil); len(place.List) == 0 {
		place.Shared(partProjects, h.In(partProjects))
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

// chatsIn finds the chats of a project, and its sub-agents' chats in a folder for each session.
func (h *home) chatsIn(project, dir string) {
	for _, e := range h.ReadInfo(h.Tag, dir) {
		if id, ok := shortID(e.Name()); ok && !e.IsDir() {
			h.chats[id] = append(h.chats[id], chatFile{project, e})
		} else if e.IsDir() && !strings.HasPrefix(e.Name(), "skill-extraction-") { // the program's own
			h.agentsIn(project, files.Below(dir, e.Name()))
		}
	}
}

func (h *home) agentsIn(project, dir string) {
	parent := sources.FoldUUID(filepath.Base(dir))
	for _, e := range h.ReadDir(h.Tag, dir) {
		id, ok := strings.CutSuffix(strings.TrimSuffix(e.Name(), "l"), ".json")
		key, path := h.Tag+"/agent/"+parent+"/"+id, files.Below(dir, e.Name())
		if !ok || e.IsDir() || h.agents[key] { // a project's folder may have been copied under another name
			continue
		}
		h.agents[key] = true
		h.AddFile(key, e.Name(), path, e, h.places[project]...)
	}
}

// list creates the items of a home. Typed lines are read for sessions without a chat, so the names of the others are a
// part.
func (h *home) list(names map[string]bool) {
	for id, all := range h.chats {
		h.session(id, all)
	}
	for project, place := range h.places {
		more := append([]sources.Part{files.Known(h.tmp, names)}, place...)
		h.AddFile(h.Tag+"/logs/"+project, partLogs, filepath.Join(h.tmp, project, partLogs), nil, more...)
	}
	h.AddFile(h.Tag+"/memory", partMemory, h.In(partMemory), nil)
	for _, e := range h.ReadDir(h.Tag, h.Root.Path) {
		if e.IsDir() && strings.HasPrefix(e.Name(), desktopName) {
			h.conversations(e.Name())
		}
	}
	if len(h.chats) > 0 {
		h.Root.KeptDays = keptDays
	}
}

// session adds the item of the chats with one short id: almost always one session, which may continue in
// another file, or in one of the other format.
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
	parts.Shared(partLogs, filepath.Join(h.tmp, newest.project, partLogs))
	for _, dir := range h.plans[id] {
		plans := files.Below(dir, "plans")
		parts.Each(foldPlans+sources.FoldUUID(filepath.Base(dir))+"/", plans, h.ReadDir(h.Tag, plans), ".md")
	}
	h.Add(it, parts, h.places[newest.project]...)
}

// conversations adds the conversations of agy, or of the desktop program, in a folder of the home.
func (h *home) conversations(folder string) {
	brain := h.In(folder + "/brain")
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
		parts.Each(foldArtifacts, dir, h.ReadDir(h.Tag, dir), ".md", ".md.metadata.json")
		parts.Shared(partTyped, h.In(folder+"/"+partTyped))
		parts.Shared(partLast, h.In(folder+"/"+partLast))
		h.Add(sources.Item{Key: key, Kind: sources.KindSession, Session: id, Path: dir}, parts)
	}
}

// transcript adds the best available transcript: the whole one, its chunks, or the cut one.
func (h *home) transcript(p *files.Parts, logs string) {
	if p.File(partFull, files.Below(logs, partFull), nil); len(p.List) > 0 && p.List[0].Stamp.Size > 0 {
		return
	}
	p.List = nil
	chunks := filepath.Join(logs, "chunks", "transcript_full")
	if p.Each(foldChunks, chunks, h.ReadDir(h.Tag, chunks), ".jsonl"); len(p.List) == 0 {
		p.File(partCut, files.Below(logs, partCut), nil)
	}
}
