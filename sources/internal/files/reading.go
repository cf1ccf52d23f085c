package files

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

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

// Problem tells of something that was not read and is tried again. program is what
// people call the one that wrote it.
func Problem(source, program, item, path string, err error) sources.Problem {
	return sources.Problem{Source: source, Item: item, Path: path, Err: err, Hint: hint(program, err), Fatal: true}
}

func hint(program string, err error) string {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "give the user who runs this permission to read it"
	case errors.Is(err, ErrNotRegular):
		return "something else lies where a plain file is expected; it is not touched"
	case errors.Is(err, syscall.ELOOP):
		return "the symbolic link leads to itself"
	case errors.Is(err, ErrBusy):
		return "it is read in the next run; close " + program + " if this goes on"
	case errors.Is(err, ErrNotDatabase):
		return "the file is damaged; " + program + " makes a new one when it is moved away"
	case errors.Is(err, fs.ErrNotExist):
		return "it vanished while being read; the next run looks again"
	default:
		return ""
	}
}

// WhyMissing says in plain words why a folder cannot be looked at.
func WhyMissing(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "not there"
	case errors.Is(err, fs.ErrPermission):
		return "no permission to read it"
	case errors.Is(err, syscall.ELOOP):
		return "a symbolic link that leads to itself"
	default:
		return err.Error()
	}
}
