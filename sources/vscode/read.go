package vscode

import (
	"context"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
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
)

// reading is one Read of an item under way.
type reading struct {
	src  *Source
	item sources.Item
	out  sources.Reading

	place    sources.Place // as workspace.json tells it
	complete bool          // the mutation log holds the session from its start, undamaged
	chat     bool          // a chat tells turns, or may have told some that cannot be read now
}

// readSession reads the layers in order of authority; a later one is told what
// the earlier ones know.
func (s *Source) readSession(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{src: s, item: item}
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

// readLayer reads a layer from the part of the item that has the name, if there
// is one. A layer that cannot be read now is Failed and told as a problem.
func (r *reading) readLayer(ctx context.Context, la sources.Layer, part string, read func(la *sources.Layer, path string) error) error {
	p, ok := r.item.Part(part)
	if !ok {
		return nil
	}
	path := r.item.File(p)
	err := read(&la, path)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.problem(path, err)
		la.Failed = true
	}
	r.add(la)
	return nil
}

// add appends a layer. Its session gets what all layers share.
func (r *reading) add(la sources.Layer) {
	if s := la.Session; s != nil {
		s.ID, s.Agent = r.item.Session, agentName
		finish(s)
	}
	r.out.Layers = append(r.out.Layers, la)
}

// finish completes a session that was read: files are told from the folder it
// worked in, if that is known, and its time is that of its turns.
func finish(s *sources.Session) {
	if !s.Place.Guessed {
		s.ShortenFiles()
	}
	words.SetUpdated(s)
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

// partsBelow returns the parts of an item in a folder, whose name ends with a
// slash.
func partsBelow(item sources.Item, folder string) []sources.Part {
	var out []sources.Part
	for _, p := range item.Parts {
		if strings.HasPrefix(p.Name, folder) {
			out = append(out, p)
		}
	}
	return out
}

// damaged tells whether anything of a file could not be read.
func damaged(f chatlog.File) bool { return !f.Whole || len(f.Damage) > 0 }
