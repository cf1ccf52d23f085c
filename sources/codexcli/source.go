// Package codexcli reads the history OpenAI Codex CLI keeps below its home, ~/.codex: the rollouts of its threads in every
// format it has used, the names it gave them, what it summed up and remembers, and the list of typed prompts. The format changes
// every few weeks and has no contract: it is told by content, never by version, what is unknown is counted, what is damaged is
// told, and the rest is read.
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
	agentName = "codex-cli" // of all sessions
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

// New returns a reader; nothing is opened yet. The database changes all the time, and a new name is written into the index too.
func New(c Config) *Source {
	return &Source{Reader: homes.Reader{Config: c, Agent: agentName, Program: "Codex", Version: tested, Watched: []string{
		"sessions/*/*/*/rollout-*.jsonl", "sessions/rollout-*.json", "archived_sessions/rollout-*.jsonl", partIndex,
		"memories/*.md", "memories/rollout_summaries/*.md",
	}}}
}

// List finds the threads and what lies beside them, by folder walks and stat alone.
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

// Digest reports whether the name of a thread changed.
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

// Close ends a pass: names are looked at anew in the next one.
func (s *Source) Close() error { return s.names.Close() }

// Details tells of each home what only the first records of its rollouts tell.
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

// Ends of the keys of what is no thread.
const (
	keyPrompts   = "/history"
	keyMemories  = "/memories"
	keySummaries = "/summaries"
)

// home is one folder with the layout of ~/.codex, and the rollouts in it by their threads.
type home struct {
	*homes.Home
	threads map[string][]rollout
}

// rollout is a file of a thread. Its name tells when it was begun, the thread, and behind a rewind the rollout itself.
type rollout struct {
	part     string // base name without the suffix of an archive
	path     string
	entry    fs.DirEntry // that it was listed as
	begun    string      // as the name has it: local time
	own      string      // id of the rollout; that of the thread for its first one
	archived bool        // put aside by the user
	packed   bool
	size     int64 // of one that is read
	end      int64 // ordinal of one that is read from which on it is dead
}

// parseName takes the name of a file apart, rollout-TIME-THREAD.jsonl, where what follows a rewind has _ROLLOUT behind the thread;
// that of the CLI in TypeScript has a date alone and ends with .json. ok says that it is a rollout.
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

// compare orders rollouts of a thread by when they were begun. Ids of rollouts are UUIDs of version 7, in order of time too.
func (r rollout) compare(o rollout) int {
	return cmp.Or(strings.Compare(r.begun, o.begun), strings.Compare(r.own, o.own))
}

// found returns the homes with their threads, and the ids of these: they decide what only the list of prompts knows.
func (s *Source) found(ctx context.Context) (all []*home, ids map[string]bool) {
	const maxDepth = 4 // rollouts lie in folders by year, month and day
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

// add records a rollout. Of two the plain file wins over the packed one, as in Codex, then the one that is not
// archived.
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

// list makes the items of a home: its threads, and what is none.
func (h *home) list(ids map[string]bool) {
	if !h.Root.Found {
		return
	}
	names := h.names()
	for id, all := range h.threads {
		key := h.Tag + "/" + id // moving it into the archive does not change it
		parts := h.Parts(key)
		for _, r := range all {
			parts.File(r.part, r.path, r.entry)
		}
		h.Add(sources.Item{Key: key, Kind: sources.KindSession, Session: id, Path: slices.MaxFunc(all, rollout.compare).path}, parts, names...)
	}
	h.AddFile(h.Tag+keyPrompts, partPrompts, h.In(partPrompts), nil, files.Known(h.In("sessions"), ids))
	// What Codex remembers of its user, whatever they work on, and what it summed up. raw_memories.md is what the others were made of.
	h.texts(keyMemories, h.In("memories"), "MEMORY.md", "memory_summary.md")
	h.texts(keySummaries, h.In("memories/rollout_summaries"), ".md")
}

// names returns the parts that hold the names of all threads: the index, and the database of the newest version, which the version
// of its tables tells: 5 in 0.169.
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

// rollouts returns those of the item, the oldest first.
func (r *reading) rollouts() (all []rollout) {
	for _, p := range r.Item.Parts {
		one, _, ok := parseName(p.Name)
		if !ok {
			continue
		}
		one.path, one.size, one.end = r.Item.File(p), p.Stamp.Size, math.MaxInt64
		if strings.HasSuffix(one.path, ".zst") {
			one.size *= 8 // about what it unpacks to
		}
		one.archived = strings.Contains(filepath.ToSlash(one.path), "/archived_sessions/")
		all = append(all, one)
	}
	slices.SortFunc(all, rollout.compare)
	return all
}
