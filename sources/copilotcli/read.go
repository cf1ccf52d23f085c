package copilotcli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/moment"
	"github.com/sessionloom/sessionloom/sources/internal/stamp"
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
	src   *Source
	item  sources.Item
	prior sources.Prior
	out   sources.Reading

	log      facts
	hasLog   bool
	start    string // of the log, see startOf
	sidecars []int  // checkpoint numbers known by files
}

// readSession reads the layers in order of authority; a later one is told what
// the earlier ones know.
func (s *Source) readSession(ctx context.Context, item sources.Item, prior sources.Prior) (sources.Reading, error) {
	r := &reading{src: s, item: item, prior: prior}
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
	return l.Name == layerStore && (l.Same || len(l.Session.Turns)+len(l.Session.Checkpoints) > 0)
}

// readEvents reads the event log, or the one file of the oldest layout.
func (r *reading) readEvents(ctx context.Context) error {
	part, ok := r.item.Part(partLog)
	if !ok {
		if part, ok = r.item.Part(partLegacy); !ok {
			return nil
		}
	}
	old := decodeCursor(r.prior.Cursor(layerEvents))
	parts := []sources.Part{part}
	mark := stamp.NewMark(parts, "", r.src.cfg.Now())
	if old.Facts != nil && old.Stands(mark) {
		r.keepLog(old, r.prior.Cursor(layerEvents))
		return nil
	}
	resumed := false
	lr, err := r.parseLog(ctx, part, old, &resumed)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.problem(r.item.File(part), err)
		if old.Facts != nil {
			r.keepLog(old, r.prior.Cursor(layerEvents))
		}
		return nil
	}
	r.out.BytesRead += lr.BytesRead
	r.out.Unknown = lr.Unknown
	r.addProblems(lr.Problems)
	r.start = lr.Start
	next := cursor{Mark: mark, Log: lr.Cursor, Began: old.Began}
	if lr.Same && old.Facts != nil {
		next.Facts = old.Facts
		r.keepLog(next, next.encode())
		return nil
	}
	f := logFacts(lr.Session)
	if resumed && len(old.Facts.First) > 0 && old.Facts.Turn == f.Turn {
		f.First = old.Facts.First // the kept text is redacted and no longer equal
	}
	next.Facts = &f
	r.log, r.hasLog = f, true
	r.add(layerEvents, sources.RankLog, lr.Session, next)
	return nil
}

// parseLog reads the log, resuming where the last read ended. It sets resumed
// when the kept session was asked for.
func (r *reading) parseLog(ctx context.Context, part sources.Part, old cursor, resumed *bool) (logReading, error) {
	if part.Name == partLegacy {
		return readLegacy(ctx, r.item.File(part))
	}
	var prior *logPrior
	if old.Facts != nil && old.Log != nil {
		prior = &logPrior{Cursor: old.Log, Session: func() (*sources.Session, error) {
			*resumed = true
			return r.prior.Layer(layerEvents)
		}}
	}
	return readLog(ctx, r.item.File(part), sources.FoldUUID(sessionName(r.item)), prior)
}

func (r *reading) keepLog(c cursor, raw []byte) {
	r.log, r.hasLog = *c.Facts, true
	r.out.Layers = append(r.out.Layers, sources.Layer{Name: layerEvents, Rank: sources.RankLog, Same: true, Cursor: raw})
}

func logFacts(s *sources.Session) facts {
	f := facts{Whole: s.Whole, Damaged: len(s.Damage) > 0, Rewound: s.Rewound, Fork: s.Parent != ""}
	for _, c := range s.Checkpoints {
		f.Numbers = append(f.Numbers, c.Number)
	}
	for _, t := range s.Turns {
		if strings.TrimSpace(t.User) == "" {
			continue
		}
		if len(f.First) == 0 || !t.Inherited {
			f.First, f.Turn = promptHashes(t.User), stamp.Hash(t.ID)[:8]
		}
		if !t.Inherited {
			break
		}
	}
	return f
}

// derived reads a layer unless it stands as it was read last. A layer that
// cannot be read now stays as it was kept and is told as a problem.
func (r *reading) derived(name string, rank sources.Rank, parts []sources.Part, basis string,
	read func() (*sources.Session, cursor, error)) {
	mark := stamp.NewMark(parts, basis, r.src.cfg.Now())
	raw := r.prior.Cursor(name)
	old := decodeCursor(r.prior.Cursor(name))
	if old.Stands(mark) {
		r.keep(name, rank, raw)
		return
	}
	session, next, err := read()
	if err != nil {
		if raw != nil {
			r.keep(name, rank, raw)
		}
		return
	}
	if session == nil {
		return
	}
	next.Mark = mark
	r.add(name, rank, session, next)
}

func (r *reading) keep(name string, rank sources.Rank, raw []byte) {
	r.out.Layers = append(r.out.Layers, sources.Layer{Name: name, Rank: rank, Same: true, Cursor: raw})
}

// add appends a layer that was read. Its session gets what all layers share.
func (r *reading) add(name string, rank sources.Rank, s *sources.Session, c cursor) {
	s.ID, s.Agent = r.item.Session, agentName
	moment.SetUpdated(s)
	c.Began = r.began(name, s)
	s.Parent = r.parent(s.Parent)
	r.out.Layers = append(r.out.Layers, sources.Layer{Name: name, Rank: rank, Session: s, Cursor: c.encode()})
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

// basisOf hashes values a layer depends on beside its parts.
func basisOf(values ...any) string {
	parts := make([]string, len(values))
	for i, v := range values {
		b, err := json.Marshal(v)
		if err != nil {
			b = fmt.Append(nil, v)
		}
		parts[i] = string(b)
	}
	return stamp.Hash(parts...)
}
