package vscode

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/stamp"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/chatlog"
)

// The layers of a session. They are listed in notes, so they never change.
const (
	layerLog        = sourceName + "/chatlog"
	layerDocument   = sourceName + "/chat"
	layerExport     = sourceName + "/export"
	layerTranscript = sourceName + "/transcript"
	layerMemory     = sourceName + "/memory"
	layerEdits      = sourceName + "/edits"
	layerHost       = sourceName + "/agenthost"
	layerIndex      = sourceName + "/index"
	layerStore      = sourceName + "/store"
	layerMetadata   = sourceName + "/metadata"
	layerShelf      = sourceName + "/shelf" // carries the cursor of an item that names no session
)

// reading is one Read of a session under way.
type reading struct {
	src   *Source
	item  sources.Item
	prior sources.Prior
	out   sources.Reading

	place    sources.Place // as workspace.json tells it, or told it when it was read last
	told     bool          // something told it
	basis    string        // digest of what tells the place, and of settings
	complete bool          // the mutation log holds the session from its start, undamaged
}

// readSession reads the layers in order of authority; a later one is told what
// the earlier ones know.
func (s *Source) readSession(ctx context.Context, item sources.Item, prior sources.Prior) (sources.Reading, error) {
	r := &reading{src: s, item: item, prior: prior}
	r.readWorkspace()
	for _, layer := range []func(context.Context) error{
		r.readLog, r.readDocument, r.readTranscript, r.readMemory, r.readEdits, r.readHost,
	} {
		if err := layer(ctx); err != nil {
			return sources.Reading{}, err
		}
		if err := ctx.Err(); err != nil {
			return sources.Reading{}, err
		}
	}
	return r.out, nil
}

func boolWord(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// derived reads a layer unless it stands as it was read last. A layer that
// cannot be read now stays as it was kept and is told as a problem. One that was
// read in part only comes back with a cursor that is Young: it is read again.
func (r *reading) derived(ctx context.Context, name string, rank sources.Rank, parts []sources.Part, basis string,
	read func(old cursor) (*sources.Session, cursor, error)) error {
	if len(parts) == 0 {
		return nil
	}
	raw := r.prior.Cursor(name)
	old, mark := decodeCursor(raw), stamp.NewMark(parts, basis, r.src.cfg.Now())
	if old.Stands(mark) {
		r.keep(name, rank, raw)
		return nil
	}
	session, next, err := read(old)
	mark.Young = mark.Young || next.Young
	next.Mark = mark
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errSame):
		r.keep(name, rank, next.encode())
	case err != nil:
		r.problem(r.item.File(parts[0]), err)
		if raw != nil {
			r.keep(name, rank, raw)
		}
	case session != nil:
		r.add(name, rank, session, next)
	}
	return nil
}

// errSame says that a part that moved tells nothing new.
var errSame = errors.New("the same")

func (r *reading) keep(name string, rank sources.Rank, raw []byte) {
	r.out.Layers = append(r.out.Layers, sources.Layer{Name: name, Rank: rank, Same: true, Cursor: raw})
}

// add appends a layer that was read. Its session gets what all layers share.
func (r *reading) add(name string, rank sources.Rank, s *sources.Session, c cursor) {
	s.ID, s.Agent = r.item.Session, agentName
	finish(s)
	c.Spoken, c.Told = len(s.Turns) > 0, r.told
	r.out.Layers = append(r.out.Layers, sources.Layer{Name: name, Rank: rank, Session: s, Cursor: c.encode()})
}

// problem tells of a part that was not read.
func (r *reading) problem(path string, err error) {
	r.out.Problems = append(r.out.Problems, newProblem(r.item.Key, path, err))
}

// count adds up what this reader does not know.
func (r *reading) count(unknown map[string]int) {
	for what, n := range unknown {
		if n == 0 {
			continue
		}
		if r.out.Unknown == nil {
			r.out.Unknown = map[string]int{}
		}
		r.out.Unknown[what] += n
	}
}

// partsNamed returns the parts of an item that have a name, or lie in a folder
// where the name ends with a slash.
func partsNamed(item sources.Item, name string) []sources.Part {
	var out []sources.Part
	for _, p := range item.Parts {
		if p.Name == name || strings.HasSuffix(name, "/") && strings.HasPrefix(p.Name, name) {
			out = append(out, p)
		}
	}
	return out
}

// damaged tells whether anything of a file could not be read.
func damaged(f chatlog.File) bool { return !f.Whole || len(f.Damage) > 0 }

// hasChat tells whether a chat was read or kept that has any turns.
func (r *reading) hasChat() bool {
	return slices.ContainsFunc(r.out.Layers, func(l sources.Layer) bool {
		return (l.Name == layerLog || l.Name == layerDocument) && decodeCursor(l.Cursor).Spoken
	})
}
