// Package codexcli reads the history that OpenAI Codex CLI keeps below its home, ~/.codex: the rollouts
// of its threads in every format, their names, its summaries and memories, and the list of typed
// prompts. The format changes every few weeks and has no contract: it is recognized by content, never
// by version; unknown records are counted, damage is reported, and the rest is read.
//
// Settings, logs, credentials and shell snapshots are never opened.
package codexcli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/homes"
)

const (
	agentName = "codex-cli" // agent of all sessions
	tested    = "0.169.0"   // the newest version whose rollouts the tests read
)

// The layers of a session. They are listed in notes, so they never change.
const (
	layerRollout   = agentName + "/rollout"
	layerNames     = agentName + "/names"
	layerAgents    = agentName + "/subagents"
	layerSummaries = agentName + "/summaries"
	layerMemories  = agentName + "/memories"
	layerPrompts   = agentName + "/history"
)

// Config says where to look and how much to take. The zero value looks nowhere.
type Config = homes.Config

// Source reads the history of Codex CLI.
type Source struct {
	homes.Reader
	names files.Pass[*nameList]
}

// New returns a reader; it opens nothing. The database changes all the time, and a new name is also written to the
// index.
func New(c Config) *Source {
	return &Source{Reader: homes.Reader{Config: c, Agent: agentName, Program: "Codex", Version: tested, Watched: []string{
		"sessions/*/*/*/rollout-*.jsonl", "sessions/rollout-*.json", "archived_sessions/rollout-*.jsonl", partIndex,
		"memories/*.md", "memories/rollout_summaries/*.md",
	}}}
}

// List finds the threads and the files beside them. It only walks folders and calls stat.
func (s *Source) List(ctx context.Context) (sources.Listing, error) {
	all, ids := s.found(ctx)
	for _, h := range all {
		h.list(ids)
	}
	return homes.Listing(ctx, all, nil)
}

type reading struct {
	files.Reading
	src *Source
}

// Read returns the layers of an item: a thread, the list of prompts, memories or summaries.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{src: s, Reading: s.Begin(item)}
	read := r.readMemories
	switch {
	case item.Kind == sources.KindSession:
		read = r.readThread
	case strings.HasSuffix(item.Key, keyPrompts):
		read = r.readPrompts
	case strings.HasSuffix(item.Key, keySummaries):
		read = r.readSummaries
	}
	return r.Done(ctx, read(ctx))
}

// Digest returns a value that changes if the name of a thread does.
func (s *Source) Digest(ctx context.Context, item sources.Item, part string) (string, error) {
	p, ok := item.Part(part)
	if !ok {
		return "", nil
	}
	list := s.nameList(ctx, item, p)
	if list.err != nil {
		return "", fmt.Errorf("look for names in %q: %w", p.Path, list.err)
	}
	return list.digest(item.Session), ctx.Err()
}

// Close ends a pass: names are read again in the next one.
func (s *Source) Close() error { return s.names.Close() }

// Details describes each home by the first records of its rollouts.
func (s *Source) Details(ctx context.Context) (map[string][]string, error) {
	all, _ := s.found(ctx)
	return homes.Details(ctx, &s.Reader, all, func(h *home) (homes.Tally, error) {
		t, newest := homes.Tally{Counts: map[string]int{}}, ""
		for id, all := range h.threads {
			slices.SortFunc(all, rollout.compare)
			last, d := all[len(all)-1], firstOf(all[0].path)
			class, headless := classOf(&d)
			switch {
			case rootOf(&d, id) != "":
				t.Counts["thread of sub-agents, which stand in the note of the session that they worked for"]++
			case class == sources.Automatic:
				t.Counts["thread automatic: begun by another program"]++
			case headless:
				t.Counts["thread begun by codex exec"]++
			}
			if last.archived {
				t.Counts["thread archived"]++
			}
			if last.begun > newest && d.Version != "" {
				newest, t.Version = last.begun, d.Version
			}
		}
		return t, nil
	})
}

// Names of parts. A rollout is named by its file, without the suffix of an archive.
const (
	partState   = "state"
	partIndex   = "session_index.jsonl"
	partPrompts = "history.jsonl"
)

// Suffixes of the keys of items that are not threads.
const (
	keyPrompts   = "/history"
	keyMemories  = "/memories"
	keySummaries = "/summaries"
)

// home is a folder with the layout of ~/.codex, with its rollouts by thread.
type home struct {
	*homes.Home
	threads map[string][]rollout
}

// rollout is a file of a thread. Its name has the time of its beginning, the thread, and after a rewind its own id.
type rollout struct {
	part     string // base name without the suffix of an archive
	path     string
	entry    fs.DirEntry // entry that listed it
	begun    string      // in the name: local time
	own      string      // id of the rollout; for the first one, of the thread
	archived bool        // archived by the user
	packed   bool
	size     int64 // size once read
	end      int64 // ordinal from which on it is dead, once read
}

// parseName splits the name of a file, rollout-TIME-THREAD.jsonl. After a rewind it has _ROLLOUT after the
// thread; from the CLI in TypeScript it has only a date and ends in .json. ok is false for another file.
func parseName(name string) (r rollout, id string, ok bool) {
	r.part, r.packed = strings.CutSuffix(name, ".zst")
	stem := strings.TrimSuffix(strings.TrimSuffix(r.part, ".jsonl"), ".json")
	rest, ok := strings.CutPrefix(stem, "rollout-")
	for _, form := range []string{"2006-01-02T15-04-05", time.DateOnly} {
		if at := len(form); ok && stem != r.part && len(rest) > at && rest[at] == '-' {
			thread, own, _ := strings.Cut(rest[at+1:], "_")
			id = sources.FoldUUID(thread)
			r.begun, r.own = rest[:at], sources.FoldUUID(cmp.Or(own, thread))
			if sources.IsUUID(id) && sources.IsUUID(r.own) {
				return r, id, true
			}
		}
	}
	return rollout{}, "", false
}

// compare orders rollouts of a thread by their beginning, then by id, a UUID of version 7 and so also in order of time.
func (r rollout) compare(o rollout) int {
	return cmp.Or(strings.Compare(r.begun, o.begun), strings.Compare(r.own, o.own))
}

// found returns the homes with their threads, and the threads' ids, which the list of prompts leaves out.
func (s *Source) found(ctx context.Context) (all []*home, ids map[string]bool) {
	const maxDepth = 4 // rollouts are in folders by year, month and day
	ids = map[string]bool{}
	for _, one := range s.Open() {
		h := &home{one, map[string][]rollout{}}
		if all = append(all, h); h.Root.Found {
			h.walk(ctx, h.In("sessions"), false, maxDepth)
			h.walk(ctx, h.In("archived_sessions"), true, maxDepth)
		}
		for id := range h.threads {
			ids[id] = true
		}
	}
	return all, ids
}

func (h *home) walk(ctx context.Context, dir string, archived bool, depth int) {
	for _, e := range h.ReadInfo(h.Tag, dir) {
		path := files.Below(dir, e.Name())
		switch r, id, ok := parseName(e.Name()); {
		case ctx.Err() != nil:
			return
		case e.IsDir() && !ok && depth > 0:
			h.walk(ctx, path, archived, depth-1)
		case ok:
			r.path, r.entry, r.archived = path, e, archived
			h.add(id, r)
		}
	}
}

// add records a rollout. Of two rollouts, a plain file takes precedence over a packed one, as in Codex, then
// one that is not archived.
func (h *home) add(id string, r rollout) {
	all := h.threads[id]
	i := slices.IndexFunc(all, func(was rollout) bool { return was.part == r.part })
	switch {
	case i < 0:
		h.threads[id] = append(all, r)
	case all[i].packed && !r.packed:
		all[i] = r
	}
}

// list creates the items of a home: its threads, and the others.
func (h *home) list(ids map[string]bool) {
	if !h.Root.Found {
		return
	}
	names := h.names()
	for id, all := range h.threads {
		key := h.Tag + "/" + id // archiving does not change it
		parts := h.Parts(key)
		for _, r := range all {
			parts.File(r.part, r.path, r.entry)
		}
		h.Add(sources.Item{Key: key, Kind: sources.KindSession, Session: id, Path: slices.MaxFunc(all, rollout.compare).path}, parts, names...)
	}
	h.AddFile(h.Tag+keyPrompts, partPrompts, h.In(partPrompts), nil, files.Known(h.In("sessions"), ids))
	// Codex's memories of its user, for all projects, and its summaries. raw_memories.md is the source of the others.
	h.texts(keyMemories, h.In("memories"), "MEMORY.md", "memory_summary.md")
	h.texts(keySummaries, h.In("memories/rollout_summaries"), ".md")
}

// names returns the parts with the names of all threads: the index, and the database with the newest
// version of its tables: 5 in 0.169.
func (h *home) names() []sources.Part {
	parts, newest, version := h.Parts(h.Tag), "", -1
	for _, e := range h.ReadDir(h.Tag, h.Root.Path) {
		n := 0
		if _, err := fmt.Sscanf(e.Name(), "state_%d", &n); err == nil && n > version && e.Name() == fmt.Sprintf("state_%d.sqlite", n) {
			newest, version = e.Name(), n
		}
	}
	if newest != "" {
		parts.Database(partState, h.In(newest))
	}
	parts.File(partIndex, h.In(partIndex), nil)
	for i := range parts.List {
		parts.List[i].Shared = true
	}
	return parts.List
}

func (h *home) texts(key, dir string, ends ...string) {
	parts := h.Parts(h.Tag + key)
	parts.Dir = dir
	parts.Each("", dir, h.ReadDir(h.Tag, dir), ends...)
	h.Add(sources.Item{Key: h.Tag + key, Kind: sources.KindMemory, Path: dir}, parts)
}

// rollouts returns the rollouts of the item, oldest first.
func (r *reading) rollouts() (all []rollout) {
	for _, p := range r.Item.Parts {
		one, _, ok := parseName(p.Name)
		if !ok {
			continue
		}
		one.path, one.size, one.end = r.Item.File(p), p.Stamp.Size, math.MaxInt64
		if strings.HasSuffix(one.path, ".zst") {
			one.size *= 8 // about its unpacked size
		}
		one.archived = strings.Contains(filepath.ToSlash(one.path), "/archived_sessions/")
		all = append(all, one)
	}
	slices.SortFunc(all, rollout.compare)
	return all
}
