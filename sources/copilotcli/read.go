package copilotcli

import (
	"context"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/copilotcli/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// reading is one Read of a session under way.
type reading struct {
	files.Reading
	cfg   Config
	store *store

	log   facts
	start string // of the log, see eventlog.Reading
	known []int  // checkpoints that log or files know
	// poorer says that the log, or a file beside it, tells less than it may have told
	// before: so does what is made in its light.
	poorer bool
}

// facts are what the log says that decides how the derived layers are read.
type facts struct {
	read    bool
	prompt  string // the first one
	whole   bool   // nothing needs to be filled in from derived layers
	rewound bool
	fork    bool
}

// readSession reads the layers in order of authority; a later one is told what
// the earlier ones know.
func (s *Source) readSession(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{cfg: s.cfg, Reading: files.Reading{Item: item, Source: agentName, Agent: agentName, Program: programName}}
	if p, ok := item.Part(partStore); ok {
		r.store = s.store(p.Path)
	}
	for _, layer := range []func(context.Context) error{r.readEvents, r.readSidecars, r.readPlan, r.readTodos, r.readRows} {
		if err := layer(ctx); err != nil {
			return sources.Reading{}, err
		}
	}
	if item.Scaffold && !slices.ContainsFunc(r.Out.Layers, speaksRows) {
		r.Out.Layers = nil // a folder and nothing in it
	}
	r.identify()
	return r.Out, ctx.Err()
}

// speaksRows tells whether a layer holds what was said, as rows of the store.
func speaksRows(l sources.Layer) bool {
	return l.Name == layerStore && l.Session != nil && len(l.Session.Turns)+len(l.Session.Checkpoints) > 0
}

// readEvents reads the event log, or the one file of the oldest layout.
func (r *reading) readEvents(ctx context.Context) error {
	part, read := partLog, eventlog.Read
	if _, ok := r.Item.Part(partLog); !ok {
		part, read = partLegacy, eventlog.ReadLegacy
	}
	return r.Layer(ctx, sources.Layer{Name: layerEvents, Rank: sources.RankLog}, part, func(la *sources.Layer, path string) error {
		log, err := read(ctx, path, sources.FoldUUID(sessionName(r.Item)))
		if err != nil {
			r.poorer = true
			return err
		}
		s := log.Session
		r.Out.BytesRead += log.BytesRead
		r.Unknown(log.Unknown)
		r.start, r.poorer = log.Start, log.Empty
		r.log = facts{read: true, prompt: firstPrompt(s.Turns), whole: s.Whole && len(s.Damage) == 0, rewound: s.Rewound, fork: s.Parent != ""}
		for _, c := range s.Checkpoints {
			r.known = append(r.known, c.Number)
		}
		s.Parent = forkedFrom(s.Parent, log.Start)
		la.Session, la.Provisional = s, r.poorer
		return nil
	})
}

// firstPrompt is the first prompt of the session itself, where it is a fork.
func firstPrompt(turns []sources.Turn) (first string) {
	for _, t := range turns {
		if strings.TrimSpace(t.User) != "" && (first == "" || !t.Inherited) {
			first = t.User
		}
		if first != "" && !t.Inherited {
			break
		}
	}
	return first
}

// identify gives the layers of a session whose name is no UUID the id that the
// best of them tells. Under what others tell, and under its bare name, it may have
// been known before.
func (r *reading) identify() {
	if r.Item.Session != "" || len(r.Out.Layers) == 0 {
		return
	}
	name := sessionName(r.Item)
	var ids []string
	for _, l := range r.Out.Layers {
		began := ""
		switch {
		case l.Session == nil:
		case l.Name == layerEvents:
			began = r.start // none where it is cut at its start
		default:
			began = createdAt(l.Session.Created)
		}
		if began != "" {
			ids = append(ids, namedID(name, began))
		}
	}
	ids = append(ids, namedID(name, r.Item.Key), bareID(name)) // where nothing tells, it is the one in this folder
	for _, l := range r.Out.Layers {
		if l.Session != nil {
			l.Session.ID, l.Session.Aka = ids[0], otherIDs(ids[1:], ids[0])
		}
	}
	r.Out.Sessions, r.Out.Layers = []sources.SessionLayers{{ID: ids[0], Layers: r.Out.Layers}}, nil
}
