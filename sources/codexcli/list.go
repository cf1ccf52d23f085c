package codexcli

import (
	"cmp"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// thread is a conversation and the files that hold it.
type thread struct {
	id       string
	rollouts []rollout // each of another part
}

// rollout is a file of a thread. A name is made of when the file was begun, the thread, and
// for what follows a rewind the rollout itself.
type rollout struct {
	part     string // base name without the suffix of an archive
	path     string
	entry    fs.DirEntry // that it was listed as
	begun    string      // as the name has it: local time
	own      string      // id of the rollout; that of the thread for its first one
	archived bool        // put aside by the user
	packed   bool
	size     int64 // of one that is read
}

// parseName takes the name of a file apart, rollout-TIME-THREAD.jsonl, where what follows a
// rewind has _ROLLOUT behind the thread; that of the CLI in TypeScript has a date alone and
// ends with .json. ok says that it is a rollout.
func parseName(name string) (r rollout, id string, ok bool) {
	r.part, r.packed = strings.CutSuffix(name, ".zst")
	stem := strings.TrimSuffix(strings.TrimSuffix(r.part, ".jsonl"), ".json")
	rest, ok := strings.CutPrefix(stem, "rollout-")
	for _, form := range []string{"2006-01-02T15-04-05", time.DateOnly} {
		if at := len(form); ok && stem != r.part && len(rest) > at && rest[at] == '-' {
			thread, own, rewound := strings.Cut(rest[at+1:], "_")
			id = sources.FoldUUID(thread)
			if r.own = id; rewound {
				r.own = sources.FoldUUID(own)
			}
			if r.begun = rest[:at]; sources.IsUUID(id) && sources.IsUUID(r.own) {
				return r, id, true
			}
		}
	}
	return rollout{}, "", false
}

// found are the homes with their threads, and the ids of these: they decide what only the
// list of prompts knows.
func (c Config) found(ctx context.Context) ([]*home, map[string]bool, error) {
	ids := map[string]bool{}
	homes := c.homes()
	for _, h := range homes {
		h.walk(ctx, h.in("sessions"), false, maxDepth)
		h.walk(ctx, h.in("archived_sessions"), true, maxDepth)
		for id := range h.threads {
			ids[id] = true
		}
	}
	return homes, ids, ctx.Err()
}

// maxDepth is how deep rollouts lie in folders: by year, month and day.
const maxDepth = 4

// walk finds the rollouts below a folder.
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

// add takes in a rollout. Of one that lies there twice the plain file wins over the packed
// one, which is what Codex does, then the one that is not archived.
func (h *home) add(id string, r rollout) {
	t := h.threads[id]
	if t == nil {
		t = &thread{id: id}
		h.threads[id] = t
	}
	i := slices.IndexFunc(t.rollouts, func(was rollout) bool { return was.part == r.part })
	switch {
	case i < 0:
		t.rollouts = append(t.rollouts, r)
	case t.rollouts[i].packed && !r.packed:
		t.rollouts[i] = r
	}
}

// list makes the items of a home.
func (h *home) list(ids map[string]bool) {
	shared := h.Parts(h.Tag)
	if !h.Root.Found {
		return
	}
	if name := h.stateName(); name != "" {
		shared.Database(partState, h.in(name))
	}
	shared.File(partIndex, h.in(partIndex), nil)
	for i := range shared.List {
		shared.List[i].Shared = true
	}
	for _, t := range h.threads {
		parts, newest := h.Parts(h.key(t.id)), rollout{}
		for _, r := range t.rollouts {
			parts.File(r.part, r.path, r.entry)
			if newest.part == "" || r.compare(newest) > 0 {
				newest = r
			}
		}
		if len(parts.List) > 0 {
			parts.List = append(parts.List, shared.List...)
			h.item(h.key(t.id), sources.KindSession, t.id, newest.path, parts)
		}
	}
	h.listMemory(ids)
}

// key is the key of a thread: moving it into the archive does not change it.
func (h *home) key(id string) string { return h.Tag + "/" + id }

func (h *home) item(key string, kind sources.ItemKind, session, path string, parts files.Parts) {
	h.Out.Items = append(h.Out.Items, sources.Item{
		Source: agentName, Key: key, Kind: kind, Session: session, Root: h.Root.Path, Path: path, Parts: parts.Sorted(),
	})
}

// listMemory adds what is no thread: the list of prompts, what Codex remembers, and what it
// summed up.
func (h *home) listMemory(ids map[string]bool) {
	prompts := h.Parts(h.Tag + "/history")
	if prompts.File(partPrompts, h.in(partPrompts), nil); len(prompts.List) > 0 {
		prompts.List = append(prompts.List, sources.Part{Name: files.Names, Path: h.in("sessions"), Stamp: files.StampNames(ids)})
		h.item(h.Tag+"/history", sources.KindMemory, "", h.in(partPrompts), prompts)
	}
	for name, dir := range map[string]string{"memories": h.in("memories"), "summaries": filepath.Join(h.in("memories"), "rollout_summaries")} {
		parts := h.Parts(h.Tag + "/" + name)
		parts.Dir = dir
		for _, e := range h.ReadDir(h.Tag, dir) {
			if name == "summaries" && filepath.Ext(e.Name()) == ".md" || slices.Contains(memoryFiles, e.Name()) {
				parts.File(e.Name(), files.Below(dir, e.Name()), e)
			}
		}
		if len(parts.List) > 0 {
			h.item(h.Tag+"/"+name, sources.KindMemory, "", dir, parts)
		}
	}
}

// compare orders rollouts of a thread by when they were begun. Ids of rollouts are UUIDs of
// version 7, which are in order of time too.
func (r rollout) compare(o rollout) int {
	return cmp.Or(strings.Compare(r.begun, o.begun), strings.Compare(r.own, o.own))
}
