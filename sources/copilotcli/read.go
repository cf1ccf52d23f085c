package copilotcli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/internal/words"
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
	src  *Source
	item sources.Item
	out  sources.Reading

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
	r := &reading{src: s, item: item}
	for _, layer := range []func(context.Context) error{r.readEvents, r.readSidecars, r.readPlan, r.readTodos, r.readStore} {
		if err := layer(ctx); err != nil {
			return sources.Reading{}, err
		}
		if err := ctx.Err(); err != nil {
			return sources.Reading{}, err
		}
	}
	if item.Scaffold && !slices.ContainsFunc(r.out.Layers, speaksRows) {
		r.out.Layers = nil // a folder and nothing in it
	}
	r.identify()
	return r.out, nil
}

// speaksRows tells whether a layer holds what was said, as rows of the store.
func speaksRows(l sources.Layer) bool {
	return l.Name == layerStore && l.Session != nil && len(l.Session.Turns)+len(l.Session.Checkpoints) > 0
}

// readEvents reads the event log, or the one file of the oldest layout.
func (r *reading) readEvents(ctx context.Context) error {
	part, ok := r.item.Part(partLog)
	read := func(ctx context.Context, path, id string) (logReading, error) {
		return readLog(ctx, path, id, &r.src.windows)
	}
	if !ok {
		if part, ok = r.item.Part(partLegacy); !ok {
			return nil
		}
		read = readLegacy
	}
	log, err := read(ctx, r.item.File(part), sources.FoldUUID(sessionName(r.item)))
	if err != nil {
		r.poorer = true
		return r.fail(ctx, layerEvents, part, err)
	}
	r.out.BytesRead += log.BytesRead
	r.out.Unknown = log.Unknown
	r.addProblems(log.Problems)
	r.hasLog, r.log, r.start, r.poorer = true, factsOf(log.Session), log.Start, log.Empty
	log.Session.Parent = forkedFrom(log.Session.Parent, log.Start)
	r.add(layerEvents, sources.RankLog, log.Session, r.poorer)
	return nil
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

// add adds a layer that was read. Its session gets what all layers share.
func (r *reading) add(name string, rank sources.Rank, s *sources.Session, provisional bool) {
	s.ID, s.Agent = r.item.Session, agentName
	words.SetUpdated(s)
	r.out.Layers = append(r.out.Layers, sources.Layer{Name: name, Rank: rank, Session: s, Provisional: provisional})
}

// fail tells of a layer that cannot be read now. The error is that of the context.
func (r *reading) fail(ctx context.Context, name string, p sources.Part, err error) error {
	if ctx.Err() == nil {
		r.problem(r.item.File(p), err)
		r.out.Layers = append(r.out.Layers, sources.Layer{Name: name, Failed: true})
	}
	return ctx.Err()
}

// problem tells of a part that was not read.
func (r *reading) problem(path string, err error) {
	r.out.Problems = append(r.out.Problems, newProblem(r.item.Key, path, err))
}

// addProblems takes over problems that do not name the item.
func (r *reading) addProblems(ps []sources.Problem) {
	for _, p := range ps {
		p.Source = agentName
		if p.Item == "" {
			p.Item = r.item.Key
		}
		r.out.Problems = append(r.out.Problems, p)
	}
}

// noteUnknown counts something this reader does not know.
func (r *reading) noteUnknown(what string) {
	if r.out.Unknown == nil {
		r.out.Unknown = map[string]int{}
	}
	r.out.Unknown[what]++
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
