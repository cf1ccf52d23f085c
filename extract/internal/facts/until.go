package facts

import (
	"slices"
	"time"

	"github.com/sessionloom/sessionloom/extract/internal/names"
)

// Until is the index of what sessions and memory told up to a time, of those that keep holds.
// A tick has no time and counts whenever it came.
func (x *ProjectIndex) Until(at time.Time, keep func(Facts) bool) *ProjectIndex {
	sessions, moved := clipped(x.Sessions, at, keep)
	memory, fewer := clipped(x.Memory, at, func(f Facts) bool { return f.Session() == "" || keep(f) })
	if !moved && !fewer {
		return x
	}
	return NewProjectIndex(sessions, memory, nil)
}

// clipped are facts up to a time; moved says that they are others than before.
func clipped(all []Facts, at time.Time, keep func(Facts) bool) (out []Facts, moved bool) {
	for _, f := range all {
		switch {
		case f.Created.After(at), !keep(f):
			moved = true
		case !f.Updated.After(at):
			out = append(out, f)
		case f.Type == names.TypeSession:
			moved = true
			out = append(out, f.until(at))
		default: // how it was then is not known
			moved = true
		}
	}
	return out, moved
}

// until are the facts of a note as it was at a time: what came of it is its last answer then.
func (f Facts) until(at time.Time) Facts {
	f.Rows = slices.DeleteFunc(slices.Clone(f.Rows), func(r Row) bool { return r.At.After(at) || r.Key == RowPrompt || r.Key == RowDetail })
	f.Updated, f.Summary = f.Created, ""
	for _, r := range f.Rows {
		if r.At.After(f.Updated) {
			f.Updated = r.At
		}
		if r.Key == RowDay {
			f.Summary = r.Text
		}
	}
	f.find()
	return f
}
