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

// maxText is the size in bytes of the largest file that is read beside a transcript.
const maxText = 1 << 20

// reading is one Read under way.
type reading struct{ files.Reading }

// count takes in what was counted.
func (r *reading) count(records int, unknown map[string]int) {
	r.Out.Records += records
	r.Unknown(unknown)
}

// session reads a transcript and what lies beside it.
func (r *reading) session(ctx context.Context) error {
	if err := r.transcript(ctx); err != nil {
		return err
	}
	r.lists()
	return r.title(ctx)
}

// transcript reads the log of a session. A title in it that is of another session, and the
// plans, are layers of their own.
func (r *reading) transcript(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerTranscript, Rank: sources.RankLog}, partTranscript, func(la *sources.Layer, path string) error {
		p := newParser(r.Item.Session)
		p.place.root = r.Item.Root
		t := p.transcript()
		if err := t.ReadFile(ctx, path); err != nil {
			return err
		}
		r.count(t.Records, t.Unknown)
		la.Session = p.finish()
		la.Session.Damage = t.Damage()
		la.Provisional = t.Records == 0
		if plans := p.accepted(); len(plans) > 0 {
			r.Add(sources.Layer{Name: layerPlanned, Rank: sources.RankSidecar, Session: &sources.Session{Artifacts: plans}})
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

// json reads a part that holds one value. What is no such value is damaged; the error is for
// one that cannot be read now.
func (r *reading) json(p sources.Part, into any) (damaged bool, err error) {
	text, err := files.ReadText(r.Item.File(p), maxText)
	return err == nil && (text.Left != "" || decode.Text(text.Body, into) != nil), err
}

// title reads the title that the user gave, as it lies beside the transcript.
func (r *reading) title(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerTitle, Rank: sources.RankSidecar}, partTitle, func(la *sources.Layer, _ string) error {
		var file struct {
			Title string `json:"customTitle"`
		}
		p, _ := r.Item.Part(partTitle)
		damaged, err := r.json(p, &file)
		la.Session = &sources.Session{}
		if damaged {
			la.Session.Damage = []string{partTitle + " is damaged"}
		} else if title := strings.TrimSpace(file.Title); title != "" {
			la.Session.Title, la.Session.TitleFrom = title, sources.TrustUser
		}
		return err
	})
}

// lists reads what the agent had to do, as it lies beside the transcript: what the
// transcript says wins. Files that are damaged are told, and the others are read.
func (r *reading) lists() {
	la := sources.Layer{Name: layerTasks, Rank: sources.RankSidecar}
	for _, p := range r.Item.Parts {
		if p.Name != partTodos && !strings.HasPrefix(p.Name, foldTasks) {
			continue
		}
		if la.Session == nil {
			la.Session = &sources.Session{}
		}
		var list []todo
		var one task
		into := any(&one)
		if p.Name == partTodos {
			into = &list
		}
		damaged, err := r.json(p, into)
		if err != nil {
			r.Problem(r.Item.File(p), err)
			la.Failed = true
		}
		if damaged {
			la.Session.Damage, la.Provisional = append(la.Session.Damage, p.Name+" is damaged"), true
		}
		la.Session.Todos = append(la.Session.Todos, todosOf(list, time.Time{})...)
		if one.ID.Text != "" {
			la.Session.Todos = append(la.Session.Todos, todoOf(one, time.Time{}))
		}
	}
	if la.Failed {
		la.Session = nil
	}
	if la.Failed || la.Session != nil {
		r.Add(la)
	}
}

// agent reads the transcript of a sub-agent. It is a layer of the session that it worked for,
// which its folder names or, before version 2.1, its lines do.
func (r *reading) agent(ctx context.Context) error {
	part, _ := r.Item.Part(partAgent)
	path := r.Item.File(part)
	parent, id := parentIn(path), strings.TrimPrefix(strings.TrimSuffix(filepath.Base(path), ".jsonl"), "agent-")
	p := newParser("")
	p.place.root = r.Item.Root
	t := p.transcript()
	take := t.Take
	t.Take = func(line *record) (string, bool) {
		parent, id = cmp.Or(parent, sources.FoldUUID(line.SessionID)), cmp.Or(line.AgentID, id)
		return take(line)
	}
	if err := t.ReadFile(ctx, path); err != nil {
		return err
	}
	r.count(t.Records, t.Unknown)
	h, ok := p.helped(id)
	if !ok || parent == "" {
		return nil
	}
	if meta, has := r.Item.Part(partAgentMeta); has {
		var about struct {
			Description string `json:"description"`
			AgentType   string `json:"agentType"`
		}
		if _, err := r.json(meta, &about); err != nil {
			r.Problem(r.Item.File(meta), err)
		}
		h.Name = words.OneLine(cmp.Or(about.Description, about.AgentType), detailSize)
	}
	s := &sources.Session{Class: sources.Automatic, Place: p.place.of(), Damage: t.Damage(), Files: h.files, Delegated: []sources.Delegation{h.Delegation}}
	r.give(parent, sources.Layer{Name: layerSubagents, Rank: sources.RankSidecar, Session: s})
	return nil
}

// parentIn is the session whose folder holds the transcript of a sub-agent, empty where
// none does.
func parentIn(path string) string {
	above, _, ok := strings.Cut(slashed(path), "/subagents/")
	if id := sources.FoldUUID(filepath.Base(above)); ok && sources.IsUUID(id) {
		return id
	}
	return ""
}
