package geminicli

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/geminicli/internal/chat"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// maxText is how many bytes of a text beside a chat are read.
const maxText = 1 << 20

// session reads the chats of an item, each with what it says: a session may stand in several
// files, of which later ones go on.
func (r *reading) session(ctx context.Context) error {
	chats, err := r.chats(ctx)
	if err != nil {
		return err
	}
	typed := r.lines(ctx, partLogs)
	for _, id := range slices.Sorted(maps.Keys(chats)) {
		c := chats[id]
		s := c.Session(r.place(ctx, c))
		r.Out.Records += c.Records
		r.Unknown(c.Unknown)
		if c.IsSubagent {
			s.Class = sources.Automatic
		}
		s.Actions = actions(s, id, typed)
		layers := []sources.Layer{{Name: layerChat, Rank: sources.RankLog, Provisional: c.Torn || len(s.Turns)+len(s.TakenBack) == 0, Session: s}}
		if plans := r.plans(id); plans != nil {
			layers = append(layers, sources.Layer{Name: layerPlans, Rank: sources.RankSidecar, Accumulates: true, Session: plans})
		}
		r.give(id, layers...)
	}
	return nil
}

// chats reads the files of an item by the sessions that they name. One that names none is of
// the one that the others name.
func (r *reading) chats(ctx context.Context) (map[string]*chat.Chat, error) {
	var parts []sources.Part
	for _, p := range r.Item.Parts {
		if _, ok := shortID(path.Base(p.Name)); ok {
			parts = append(parts, p)
		}
	}
	slices.SortStableFunc(parts, func(a, b sources.Part) int { return strings.Compare(path.Base(a.Name), path.Base(b.Name)) })
	ids := make([]string, len(parts))
	nameless := agentName + ":" + projectOf(r.Item) + ":" + path.Base(r.Item.Key)
	for i, p := range parts {
		var err error
		if ids[i], err = chat.ID(ctx, r.Item.File(p)); err != nil {
			return nil, err
		}
		if ids[i] != "" {
			nameless = ids[i]
		}
	}
	out := map[string]*chat.Chat{}
	for i, p := range parts {
		id := cmp.Or(ids[i], nameless)
		c := cmp.Or(out[id], chat.New())
		if err := c.Read(ctx, r.Item.File(p)); err != nil {
			return nil, err
		}
		if c.Records > 0 || ids[i] != "" {
			out[id] = c
		}
	}
	return out, nil
}

// place is where a session worked: as a file beside the chat says it, else as the session
// itself does, which a hash confirms. Else it is a guess, or unknown.
func (r *reading) place(ctx context.Context, c *chat.Chat) sources.Place {
	if p, ok := r.Item.Part(partRoot); ok {
		switch t, err := files.ReadText(r.Item.File(p), 4096); {
		case err != nil:
			r.Problem(r.Item.File(p), err)
		case strings.TrimSpace(t.Body) != "":
			return sources.Place{Cwd: strings.TrimSpace(t.Body)}
		}
	}
	if all := r.lines(ctx, partProjects); len(all) > 0 {
		return sources.Place{Cwd: all[len(all)-1].text}
	}
	for _, folder := range c.Folders {
		if hashOf(folder) == c.Hash {
			return sources.Place{Cwd: folder}
		}
	}
	return sources.Place{Cwd: cmp.Or(append(c.Folders, "")...), Guessed: true}
}

// actions are the commands of the program that the user typed, each behind the turn that it
// followed in time.
func actions(s *sources.Session, id string, typed []line) []sources.Action {
	out := s.Actions
	prompts := map[string]bool{} // commands of the user's own are
	for _, t := range s.Turns {
		prompts[strings.TrimSpace(t.User)] = true
	}
	for _, l := range typed {
		if l.session != id || !strings.HasPrefix(l.text, "/") || prompts[strings.TrimSpace(l.text)] {
			continue
		}
		a := sources.Action{Kind: sources.ActionCommand, Text: l.text, At: l.at, Turn: -1}
		for _, t := range slices.Backward(s.Turns) {
			if !t.At.IsZero() && !t.At.After(l.at) {
				a.Turn = t.Index
				break
			}
		}
		out = append(out, a)
	}
	slices.SortStableFunc(out, func(a, b sources.Action) int { return cmp.Compare(a.Turn, b.Turn) })
	return out
}

// plans are those that lie in the folder of a session, nil where there are none.
func (r *reading) plans(id string) (s *sources.Session) {
	for _, p := range r.Item.Parts {
		name, ok := strings.CutPrefix(p.Name, foldPlans)
		of, name, _ := strings.Cut(name, "/")
		if !ok || sources.FoldUUID(of) != id {
			continue
		}
		a, err := r.Artifact(p, sources.Plan, name, maxText)
		if err != nil {
			r.Problem(r.Item.File(p), err)
			continue
		}
		if s == nil {
			s = &sources.Session{}
		}
		s.Artifacts = append(s.Artifacts, a)
	}
	return s
}

// subagent reads the chat of a sub-agent. It is a layer of the session that it worked for,
// which its folder names; one that another sub-agent asked works for the session of that one.
func (r *reading) subagent(ctx context.Context) error {
	c := chat.New()
	if err := c.Read(ctx, r.Item.Path); err != nil {
		return err
	}
	r.Out.Records += c.Records
	r.Unknown(c.Unknown)
	if c.Records == 0 {
		return nil
	}
	dir := filepath.Dir(r.Item.Path)
	for range 8 { // no one asks deeper
		parent := filepath.Dir(dir)
		above, _ := fs.Glob(os.DirFS(parent), "*/"+filepath.Base(dir)+".jsonl") // of a bad pattern there is none
		if len(above) == 0 {
			break
		}
		dir = filepath.Dir(filepath.Join(parent, above[0]))
	}
	s := c.Work(sources.FoldUUID(strings.TrimSuffix(filepath.Base(r.Item.Path), ".jsonl")), r.place(ctx, c))
	r.give(sources.FoldUUID(filepath.Base(dir)), sources.Layer{Name: layerSubagents, Rank: sources.RankSidecar, Provisional: c.Torn, Session: s})
	return nil
}

// memory reads what the user and the agent keep for all sessions.
func (r *reading) memory() error {
	p, _ := r.Item.Part(partMemory)
	a, err := r.Artifact(p, sources.Memory, partMemory, maxText)
	if err != nil {
		return fmt.Errorf("read memory: %w", err)
	}
	r.give(agentName+":"+r.Item.Key, sources.Layer{Name: layerMemory, Rank: sources.RankStore, Session: &sources.Session{
		IsMemory: true, Scope: sources.ScopeUser, Title: "Gemini memory", TitleFrom: sources.TrustDerived, Artifacts: []sources.Artifact{a},
	}})
	return nil
}
