package files

import (
	"context"

	"github.com/sessionloom/sessionloom/sources"
	"github.com/sessionloom/sessionloom/sources/internal/words"
)

// Reading is one Read of an item under way.
type Reading struct {
	Item sources.Item
	Out  sources.Reading

	Source  string // name of the source
	Agent   string // of the sessions
	Program string // what people call the program that wrote them
}

// Layer reads a layer from the part of the item that has the name, if there is one.
// A layer that cannot be read now is Failed and told as a problem; one without a
// session says nothing. The error is that of the context.
func (r *Reading) Layer(ctx context.Context, la sources.Layer, part string, read func(la *sources.Layer, path string) error) error {
	p, ok := r.Item.Part(part)
	if !ok {
		return nil
	}
	path := r.Item.File(p)
	err := read(&la, path)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.Problem(path, err)
		la.Failed, la.Session = true, nil
		r.Add(la)
	case la.Session != nil:
		r.Add(la)
	}
	return nil
}

// Add appends a layer. Its session gets what all layers share.
func (r *Reading) Add(la sources.Layer) {
	if s := la.Session; s != nil {
		s.ID, s.Agent = r.Item.Session, r.Agent
		words.SetUpdated(s)
	}
	r.Out.Layers = append(r.Out.Layers, la)
}

// Problem tells of a part that was not read.
func (r *Reading) Problem(path string, err error) {
	r.Out.Problems = append(r.Out.Problems, Problem(r.Source, r.Program, r.Item.Key, path, err))
}

// Unknown adds up what the reader does not know.
func (r *Reading) Unknown(unknown map[string]int) {
	for what, n := range unknown {
		if n == 0 {
			continue
		}
		if r.Out.Unknown == nil {
			r.Out.Unknown = map[string]int{}
		}
		r.Out.Unknown[what] += n
	}
}
