package claudecode

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/decode"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Sizes in bytes of what is read beside a transcript.
const (
	maxText = 1 << 20
	maxList = 1 << 20
)

// reading is one Read under way.
type reading struct{ files.Reading }

// count takes in what a transcript counted.
func (r *reading) count(t *transcript) {
	r.Out.Records += t.records
	t.decoder.Unknown(t.unknown)
	r.Unknown(t.unknown)
}

// session reads a transcript and what lies beside it.
func (r *reading) session(ctx context.Context) error {
	if err := r.transcript(ctx); err != nil {
		return err
	}
	if err := r.title(ctx); err != nil {
		return err
	}
	return r.lists(ctx)
}

// transcript reads the log of a session. A title in it that is of another session, and the
// plans, are layers of their own.
func (r *reading) transcript(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerTranscript, Rank: sources.RankLog}, partTranscript, func(la *sources.Layer, path string) error {
		p := newParser(r.Item.Session)
		p.place.root = r.Item.Root
		t := transcript{take: p.take, root: p.root}
		if err := t.readFile(ctx, path); err != nil {
			return err
		}
		r.count(&t)
		la.Session = p.finish()
		la.Session.Damage = t.damage()
		la.Provisional = t.records == 0
		if len(p.plans) > 0 {
			r.Add(sources.Layer{Name: layerPlanned, Rank: sources.RankSidecar, Accumulates: true, Session: &sources.Session{Artifacts: p.plans}})
		}
		for _, leaf := range p.titles.leaves {
			r.give(leafID(leaf), sources.Layer{Name: layerTitle, Rank: sources.RankIndex,
				Session: &sources.Session{Title: strings.TrimSpace(p.titles.of[leaf]), TitleFrom: sources.TrustNamed}})
		}
		return nil
	})
}

// give adds a layer of a session that the item does not name.
func (r *reading) give(id string, la sources.Layer) {
	la.Session.ID, la.Session.Agent = id, agentName
	files.SetUpdated(la.Session)
	r.Out.Sessions = append(r.Out.Sessions, sources.SessionLayers{ID: id, Layers: []sources.Layer{la}})
}

// title reads the title that the user gave, as it lies beside the transcript.
func (r *reading) title(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerTitle, Rank: sources.RankSidecar}, partTitle, func(la *sources.Layer, path string) error {
		var file struct {
			Title string `json:"customTitle"`
		}
		text, err := files.ReadText(path, maxList)
		if err != nil {
			return err
		}
		la.Session = &sources.Session{}
		if decode.Text(text.Body, &file) != nil {
			la.Session.Damage = []string{partTitle + " is damaged"}
		} else if title := strings.TrimSpace(file.Title); title != "" {
			la.Session.Title, la.Session.TitleFrom = title, sources.TrustUser
		}
		return nil
	})
}

// lists reads what the agent had to do, as it lies beside the transcript: what the
// transcript says wins. Files that are damaged are told, and the others are read.
func (r *reading) lists(ctx context.Context) error {
	la := sources.Layer{Name: layerTasks, Rank: sources.RankSidecar, Session: &sources.Session{}}
	s, none := la.Session, true
	for _, p := range r.Item.Parts {
		if p.Name != partTodos && !strings.HasPrefix(p.Name, foldTasks) {
			continue
		}
		none = false
		text, err := files.ReadText(r.Item.File(p), maxList)
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r.Problem(r.Item.File(p), err)
			la.Failed = true
			continue
		}
		var list []todo
		var one task
		into := any(&one)
		if p.Name == partTodos {
			into = &list
		}
		if decode.Text(text.Body, into) != nil || text.Left != "" {
			s.Damage = append(s.Damage, p.Name+" is damaged")
			la.Provisional = true
		}
		s.Todos = append(s.Todos, todosOf(list, "todo list", time.Time{})...)
		if one.ID.Text != "" {
			s.Todos = append(s.Todos, todoOf(one, time.Time{}))
		}
	}
	if none {
		return nil
	}
	if la.Failed {
		la.Session = nil
	}
	r.Add(la)
	return nil
}

// agent reads the transcript of a sub-agent. It is a layer of the session that it worked for,
// which its folder names or, before version 2.1, its lines do.
func (r *reading) agent(ctx context.Context) error {
	part, _ := r.Item.Part(partAgent)
	path := r.Item.File(part)
	h := newHelper(strings.TrimPrefix(strings.TrimSuffix(filepath.Base(path), ".jsonl"), "agent-"))
	h.place.root = r.Item.Root
	parent := parentIn(path)
	t := transcript{take: func(line *record) {
		h.take(line)
		if parent == "" {
			parent = sources.FoldUUID(line.SessionID)
		}
		if line.AgentID != "" {
			h.ID = line.AgentID
		}
	}}
	if err := t.readFile(ctx, path); err != nil {
		return err
	}
	r.count(&t)
	if h.isOfHarness() || h.At.IsZero() || parent == "" {
		return nil
	}
	h.Name = r.agentName()
	s := &sources.Session{Class: sources.Automatic, Place: h.place.of(), Damage: t.damage(), Files: h.files, Delegated: []sources.Delegation{h.delegation()}}
	r.give(parent, sources.Layer{Name: layerSubagents, Rank: sources.RankSidecar, Session: s})
	return nil
}

// parentIn is the session whose folder holds the transcript of a sub-agent, empty where
// none does.
func parentIn(path string) string {
	_, below, ok := strings.Cut(slashed(path), "/subagents/")
	dir := filepath.Base(strings.TrimSuffix(slashed(path), "/subagents/"+below))
	if id := sources.FoldUUID(dir); ok && sources.IsUUID(id) {
		return id
	}
	return ""
}

// agentName is what the meta file calls a sub-agent.
func (r *reading) agentName() string {
	part, ok := r.Item.Part(partAgentMeta)
	if !ok {
		return ""
	}
	var meta struct {
		Description string `json:"description"`
		AgentType   string `json:"agentType"`
	}
	text, err := files.ReadText(r.Item.File(part), maxList)
	if err == nil {
		err = decode.Text(text.Body, &meta)
	}
	if err != nil {
		r.Problem(r.Item.File(part), err)
	}
	return words.OneLine(cmp.Or(meta.Description, meta.AgentType), detailSize)
}
