package vscode

import (
	"context"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
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
	files.Reading
	src *Source

	place    sources.Place // as workspace.json tells it
	complete bool          // the mutation log holds the session from its start, undamaged
	chat     bool          // a chat tells turns, or may have told some that cannot be read now
}

// readSession reads the layers in order of authority; a later one is told what
// the earlier ones know.
func (s *Source) readSession(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := s.newReading(item)
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
	for _, la := range r.Out.Layers {
		shorten(la.Session)
	}
	return r.Out, nil
}

// newReading begins to read an item.
func (s *Source) newReading(item sources.Item) *reading {
	r := &reading{src: s, Reading: files.Reading{Item: item, Source: sourceName, Agent: agentName, Program: programName}}
	for _, p := range item.Parts {
		if p.Name != partWorkspace && p.Name != partNames {
			r.Out.BytesRead += p.Stamp.Size
		}
	}
	return r
}

// shorten tells files from the folder that a session worked in, if that is known.
func shorten(s *sources.Session) {
	if s != nil && !s.Place.Guessed {
		s.ShortenFiles()
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
