package copilotcli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
)

// Names of parts. Files below a folder of the session are named by their path.
const (
	partLog    = "events.jsonl"
	partLegacy = "legacy.json"
	partPlan   = "plan.md"
	partTodos  = "session.db"
	partStore  = "store"
	partCache  = "vscode-cache"
	partNames  = "sessions"
)

// reading is one Read of a session under way.
type reading struct {
	files.Reading
	src *Source

	hasLog   bool
	log      facts
	start    string // of the log, see startOf
	sidecars []int  // checkpoint numbers known by files
	// poorer says that the log, or a file beside it, tells less than it may have told
	// before: so does what is made in its light.
	poorer bool
}

// readSession reads the layers in order of authority; a later one is told what
// the earlier ones know.
func (s *Source) readSession(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{src: s, Reading: newReading(item)}
	for _, layer := range []func(context.Context) error{r.readEvents, r.readSidecars, r.readPlan, r.readTodos, r.readStore} {
		if err := layer(ctx); err != nil {
			return sources.Reading{}, err
		}
		if err := ctx.Err(); err != nil {
			return sources.Reading{}, err
		}
	}
	if item.Scaffold && !slices.ContainsFunc(r.Out.Layers, speaksRows) {
		r.Out.Layers = nil // a folder and nothing in it
	}
	r.identify()
	return r.Out, nil
}

// speaksRows tells whether a layer holds what was said, as rows of the store.
func speaksRows(l sources.Layer) bool {
	return l.Name == layerStore && l.Session != nil && len(l.Session.Turns)+len(l.Session.Checkpoints) > 0
}

// readEvents reads the event log, or the one file of the oldest layout.
func (r *reading) readEvents(ctx context.Context) error {
	part, ok := r.Item.Part(partLog)
	read := func(ctx context.Context, path, id string) (logReading, error) {
		return readLog(ctx, path, id, &r.src.windows)
	}
	if !ok {
		if part, ok = r.Item.Part(partLegacy); !ok {
			return nil
		}
		read = readLegacy
	}
	layer := sources.Layer{Name: layerEvents, Rank: sources.RankLog}
	return r.Layer(ctx, layer, part.Name, func(la *sources.Layer, path string) error {
		log, err := read(ctx, path, sources.FoldUUID(sessionName(r.Item)))
		if err != nil {
			r.poorer = true
			return err
		}
		r.Out.BytesRead += log.BytesRead
		r.Unknown(log.Unknown)
		for _, p := range log.Problems {
			p.Item = cmp.Or(p.Item, r.Item.Key)
			r.Out.Problems = append(r.Out.Problems, p)
		}
		r.hasLog, r.log, r.start, r.poorer = true, factsOf(log.Session), log.Start, log.Empty
		log.Session.Parent = forkedFrom(log.Session.Parent, log.Start)
		la.Session, la.Provisional = log.Session, r.poorer
		return nil
	})
}

// newReading begins to read an item.
func newReading(item sources.Item) files.Reading {
	return files.Reading{Item: item, Source: agentName, Agent: agentName, Program: programName}
}

// facts are what the log says that decides how the derived layers are read.
type facts struct {
	first   []string // forms of the first prompt, see promptForms
	numbers []int    // checkpoints the log knows
	whole   bool     // nothing needs to be filled in from derived layers
	rewound bool
	fork    bool
}

func factsOf(s *sources.Session) facts {
	f := facts{whole: s.Whole && len(s.Damage) == 0, rewound: s.Rewound, fork: s.Parent != ""}
	for _, c := range s.Checkpoints {
		f.numbers = append(f.numbers, c.Number)
	}
	for _, t := range s.Turns {
		if strings.TrimSpace(t.User) == "" {
			continue
		}
		if len(f.first) == 0 || !t.Inherited {
			f.first = promptForms(t.User)
		}
		if !t.Inherited {
			break
		}
	}
	return f
}

// hasLog says that an item has a log of its own, readable or not.
func hasLog(item sources.Item) bool {
	_, now := item.Part(partLog)
	_, old := item.Part(partLegacy)
	return now || old
}

// digestOf hashes what makes a digest.
func digestOf(values ...any) string {
	parts := make([]string, len(values))
	for i, v := range values {
		b, err := json.Marshal(v)
		if err != nil {
			b = fmt.Append(nil, v)
		}
		parts[i] = string(b)
	}
	return files.Hash(parts...)
}
