package vscode

import (
	"context"
	"slices"
	"strings"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/files"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/places"
	"github.com/sessionloom/sessionloom/sources/vscode/internal/sidecars"
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

// Read returns the layers of an item. Most items are a session; the others name
// theirs only inside: an index, a store, an export, memory that is shared.
func (s *Source) Read(ctx context.Context, item sources.Item) (sources.Reading, error) {
	r := &reading{src: s, Reading: files.Reading{
		Item: item, Source: sourceName, Agent: agentName, Program: programName,
	}}
	for _, p := range item.Parts {
		if p.Name != partWorkspace && p.Name != partNames {
			r.Out.BytesRead += p.Stamp.Size
		}
	}
	r.readWorkspace()
	layers := []func(context.Context) error{
		r.readLog, r.readDocument, r.readTranscript, r.readMemory, r.readEdits, r.readHost,
	}
	if item.Session == "" {
		layers = []func(context.Context) error{r.readMultiSession}
	}
	for _, layer := range layers { // in order of authority; a later one is told what the earlier ones know
		if err := ctx.Err(); err != nil {
			return sources.Reading{}, err
		}
		if err := layer(ctx); err != nil {
			return sources.Reading{}, err
		}
	}
	for _, la := range r.Out.Layers {
		shorten(la.Session)
	}
	return r.Out, ctx.Err()
}

// reading is one Read of an item under way.
type reading struct {
	files.Reading
	src *Source

	place    sources.Place // as workspace.json tells it
	complete bool          // the mutation log holds the session from its start, undamaged
	chat     bool          // a chat tells turns, or may have told some that cannot be read now
}

// readWorkspace finds out what folder the storage is of. A workspace that cannot
// be read is told. Where one is gone, or says nothing, the place is guessed by
// what the chat itself says.
func (r *reading) readWorkspace() {
	if p, ok := r.Item.Part(partWorkspace); ok {
		var err error
		if r.place, err = places.ReadWorkspace(r.Item.File(p)); err != nil {
			r.Problem(r.Item.File(p), err)
		}
	}
	r.place.Guessed = r.place.Cwd == "" && r.place.Workspace == "" && r.place.Repository == ""
}

// memories reads the files of one scope; nil: there are none. All but the user's
// lie in a folder that stands for the scope and is no part of their name. One that
// cannot be read now is told as a problem.
func (r *reading) memories(folder string) *sources.Layer {
	s := &sources.Session{Place: r.place}
	found := false
	for _, p := range r.Item.Parts {
		name, ok := strings.CutPrefix(p.Name, folder)
		if !ok {
			continue
		}
		found = true
		if folder == memoryFolder {
			_, name, _ = strings.Cut(name, "/")
		}
		a := sources.Artifact{Kind: sources.Memory, Name: name, Left: "not all files are read"}
		if !files.IsMore(p) {
			var err error
			if a, err = sidecars.Memory(r.Item.File(p), name); err != nil {
				r.Problem(r.Item.File(p), err)
				continue
			}
		}
		s.Artifacts = append(s.Artifacts, a)
	}
	if !found {
		return nil
	}
	slices.SortStableFunc(s.Artifacts, func(a, b sources.Artifact) int { return strings.Compare(a.Name, b.Name) })
	return &sources.Layer{Name: layerMemory, Rank: sources.RankSidecar, Session: s, Accumulates: true}
}

// shorten tells files from the folder that a session worked in, if that is known.
func shorten(s *sources.Session) {
	if s != nil && !s.Place.Guessed {
		s.ShortenFiles()
	}
}
