package copilotcli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/eventlog"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/sqlite"
)

type reading struct {
	files.Reading
	tempDir string
	store   *store

	log   facts
	start string // Start of the log, see eventlog.Reading
	known []int  // checkpoints in log or files
	// poorer says that the log, or a file beside it, may have less than before; so may derived layers.
	poorer bool
}

// facts are facts of the log that decide how derived layers are read.
type facts struct {
	read    bool
	said    bool   // it has turns
	prompt  string // the first one
	whole   bool   // derived layers need not fill in anything
	rewound bool
	fork    bool
}

// readSession reads the layers in order of authority: later ones know what earlier ones have.
func (s *Source) readSession(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{tempDir: s.TempDir, Reading: s.Begin(item)}
	if p, ok := item.Part(partStore); ok {
		r.store = s.store(p.Path)
	}
	for _, layer := range []func(context.Context) error{r.readEvents, r.readSidecars, r.readPlan, r.readTodos, r.readRows} {
		if err := layer(ctx); err != nil {
			return sources.Reading{}, err
		}
	}
	isSpoken := func(l sources.Layer) bool {
		return l.Name == layerStore && l.Session != nil && len(l.Session.Turns)+len(l.Session.Checkpoints) > 0
	}
	if item.Scaffold && !slices.ContainsFunc(r.Out.Layers, isSpoken) {
		r.Out.Layers = nil // an empty folder
	}
	r.identify()
	return r.Out, ctx.Err()
}

// readEvents reads the event log. If it has no words, the log of an older layout is used.
func (r *reading) readEvents(ctx context.Context) error {
	for _, part := range []string{partLog, partFlat, partLegacy} {
		err := r.Layer(ctx, sources.Layer{Name: layerEvents, Rank: sources.RankLog}, part, func(la *sources.Layer, path string) error {
			log, err := eventlog.Read(ctx, path, sources.FoldUUID(sessionName(r.Item)))
			s := log.Session
			switch {
			case err != nil:
				r.poorer = true
				return err
			case r.log.read && len(s.Turns) == 0:
				return nil
			}
			r.Unknown(log.Unknown)
			r.Out.Records, r.Out.Layers = log.Records, nil
			r.start, r.poorer = log.Start, log.Empty
			r.log = facts{true, len(s.Turns) > 0, firstPrompt(s.Turns), s.Complete && len(s.Damage) == 0, s.Rewound, s.Parent != ""}
			for _, c := range s.Checkpoints {
				r.known = append(r.known, c.Number)
			}
			s.Parent = forkedFrom(s.Parent, log.Start)
			la.Session, la.Provisional = s, r.poorer
			return nil
		})
		if err != nil || r.log.said || len(r.Out.Problems) > 0 {
			return err
		}
	}
	return nil
}

// firstPrompt returns the first prompt of the session itself if it is a fork.
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

// readPlan reads plan.md, which the agent and its user share.
func (r *reading) readPlan(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerPlan, Rank: sources.RankSidecar}, partPlan, func(la *sources.Layer, _ string) error {
		p, _ := r.Item.Part(partPlan)
		a, err := r.Artifact(p, sources.Plan, partPlan, maxArtifact)
		la.Session = &sources.Session{Artifacts: []sources.Artifact{a}}
		return err
	})
}

// readTodos reads the agent's own list from session.db, which may lack that table.
func (r *reading) readTodos(ctx context.Context) error {
	return r.Layer(ctx, sources.Layer{Name: layerTodos, Rank: sources.RankSidecar}, partTodos, func(la *sources.Layer, path string) error {
		return sqlite.View(ctx, path, r.tempDir, func(db *sqlite.DB) error {
			list, ok, err := db.Todos(ctx, partTodos)
			if la.Session = nil; ok {
				la.Session = &sources.Session{Todos: list}
			}
			return err
		})
	})
}

// A session that the SDK started may have any name, and the same one in several homes. So its id also
// has its start, which never changes: that in its log, else the time of creation in workspace.yaml,
// else that in the store. A copied folder is then the same session, another one is not.

// identify gives the layers of a session whose name is not a UUID the id from the best of them. The other
// ids, and its bare name, become aliases.
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
			began = r.start // none if it is cut at its start
		default:
			began = createdAt(l.Session.Created)
		}
		if began != "" {
			ids = append(ids, namedID(name, began))
		}
	}
	ids = append(ids, namedID(name, r.Item.Key), bareID(name)) // else by this folder
	for _, l := range r.Out.Layers {
		if l.Session != nil {
			l.Session.ID, l.Session.Aliases = ids[0], otherIDs(ids[1:], ids[0])
		}
	}
	r.Out.Sessions, r.Out.Layers = []sources.SessionLayers{{ID: ids[0], Layers: r.Out.Layers}}, nil
}

// sessionName returns the name of a session's folder or file.
func sessionName(item sources.Item) string {
	return item.Key[strings.LastIndexByte(item.Key, '/')+1:]
}

// sessionID returns the id of a session whose name is a UUID, or "".
func sessionID(name string) string {
	if id := sources.FoldUUID(name); sources.IsUUID(id) {
		return id
	}
	return ""
}

// namedID returns the id of a session whose name is not a UUID, with a digest of its start. The digest has
// only letters: a number would read as part of a session's name.
func namedID(name, began string) string {
	letters := strings.Map(func(r rune) rune {
		if r <= '9' {
			return r - '0' + 'g'
		}
		return r
	}, files.Hash(name, began)[:8])
	return bareID(name) + ":" + letters
}

// bareID returns an id made only of the name, under which rows of a store may be known.
func bareID(name string) string { return agentName + ":" + name }

// createdAt returns the start of a session whose log has none, or "" if unknown.
func createdAt(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// otherIDs returns the ids except one, each once, ready to be stored by line.
func otherIDs(ids []string, but string) (out []string) {
	for _, id := range ids {
		if id != but && !slices.Contains(out, id) && !strings.Contains(id, "\n") {
			out = append(out, id)
		}
	}
	return out
}

// forkedFrom returns the id of the parent that a log names; the id of a fork begins with its start.
func forkedFrom(name, start string) string {
	if id := sessionID(name); id != "" || name == "" {
		return id
	}
	return namedID(name, start)
}
